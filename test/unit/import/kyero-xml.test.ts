import { describe, expect, test } from 'vitest';
import { property } from '../../support/accounts/portfolio.ts';
import { readSource } from '../../support/documents/import-source.ts';
import { kyeroFeed, kyeroRecord } from '../../support/documents/kyero.ts';

/** The code and message with which reading a file fails. */
async function failureOf(content: string | Uint8Array): Promise<string> {
  const error = (await readSource(content).catch((error: unknown) => error)) as {
    code?: string;
    message?: string;
  };
  return `${error.code}: ${error.message}`;
}

const feed = kyeroFeed([kyeroRecord('a'), kyeroRecord('b')]);

describe('the root', () => {
  test.each([
    [
      'kyero',
      feed
        .replaceAll('root>', 'kyero>')
        .replace(/<kyero><feed.*\n/, '<feed_version>3</feed_version>\n'),
    ],
    [
      'kyero without a version',
      feed.replace(/<kyero>.*<\/kyero>\n/, '').replaceAll('root>', 'kyero>'),
    ],
    ['root without a version', feed.replace(/<kyero>.*<\/kyero>\n/, '')],
    [
      'root with an empty version',
      feed.replace('<feed_version>3</feed_version>', '<feed_version/>'),
    ],
    ['properties', feed.replaceAll('root>', 'properties>')],
    ['export', feed.replace(/<kyero>.*<\/kyero>\n/, '').replaceAll('root>', 'export>')],
    [
      'export with the records in one element',
      feed
        .replace(/<kyero>.*<\/kyero>\n/, '')
        .replace('<root>', '<export><properties>')
        .replace('</root>', '</properties></export>'),
    ],
    [
      'root with records next to the version',
      feed.replace('</kyero>', '').replace('</root>', '</kyero></root>'),
    ],
    ['root of version 2.1', feed.replace('<feed_version>3', '<feed_version>2.1')],
  ])('%s is accepted', async (_, content) => {
    expect((await readSource(content)).properties.map(({ id }) => id)).toEqual(['a', 'b']);
  });
});

describe('a file with', () => {
  const town = feed.replace('Marbella', 'Peñíscola');

  test.each<[string, Uint8Array]>([
    ['a byte order mark', Buffer.from(`\ufeff${town}`)],
    ['CR LF', Buffer.from(town.replaceAll('\n', '\r\n'))],
    ['ISO-8859-1 declared', Buffer.from(town.replace('UTF-8', 'ISO-8859-1'), 'latin1')],
    [
      'windows-1252 declared in single quotes',
      Buffer.from(town.replace('"UTF-8"', "'windows-1252'"), 'latin1'),
    ],
    [
      'UTF-16 and a byte order mark',
      Buffer.from(`\ufeff${town.replace('UTF-8', 'UTF-16')}`, 'utf16le'),
    ],
    ['UTF-16 big-endian', Buffer.from(town.replace('UTF-8', 'UTF-16'), 'utf16le').swap16()],
    ['no declaration', Buffer.from(town.replace(/^.*\n/, ''))],
    [
      'a document type',
      Buffer.from(town.replace('<root>', '<!DOCTYPE root [<!ELEMENT root ANY>]><root>')),
    ],
    ['an agent', Buffer.from(town.replace('</kyero>', '</kyero><agent><name>x</name></agent>'))],
    ['us-ascii declared', Buffer.from(town.replace('UTF-8', 'us-ascii'))],
    ['UTF-16 declared, but in UTF-8', Buffer.from(town.replace('UTF-8', 'UTF-16'))],
  ])('%s: read', async (_, bytes) => {
    const { properties, bad, scan } = await readSource(bytes);
    expect([properties.map((one) => one.town), bad, scan.ignored]).toEqual([
      ['Peñíscola', 'Marbella'],
      [],
      [],
    ]);
  });

  test.each<[string, string | Uint8Array, RegExp]>([
    ['white space only', ' \n\n', /^bad_file: The file is empty/],
    [
      'XML nested too deeply',
      town.replace('Peñíscola', '<a>'.repeat(200)),
      /^bad_file: The record at line 4 is nested/,
    ],
    [
      'a record of 30,000 elements',
      town.replace('Peñíscola', '<a/>'.repeat(30_000)),
      /^bad_file: The record at line 4 exceeds the maximum length/,
    ],
    [
      'white space of 300,000 characters before its first',
      ' '.repeat(300_000) + town,
      /^bad_file: The file is empty/,
    ],
    [
      'elements of 6 million characters before those that tell its format',
      `<x>${`<a>${'.'.repeat(2_000_000)}</a>`.repeat(3)}<kyero/></x>`,
      /^unsupported_format: /,
    ],
    ['a ZIP archive', Buffer.from('PK\x03\x04 and more'), /^bad_file: The file is a ZIP archive/],
    ['an unknown encoding', feed.replace('UTF-8', 'EBCDIC-X'), /^bad_encoding: .*EBCDIC-X/],
    [
      'bytes that its encoding does not have',
      Buffer.from(feed.replace('UTF-8', 'EUC-KR')).fill(0xff, 200),
      /euc-kr/,
    ],
    ['truncated NDJSON', '{"kind":"portfolio"}\n{"kind":"prop', /^bad_file: Line 2 is not JSON/],
    [
      'NDJSON that ends after its first line',
      '{"kind":"portfolio"}\n',
      /^bad_file: The file is truncated/,
    ],
  ])('%s: an error', async (_, content, message) => {
    expect(await failureOf(content)).toMatch(message);
  });

  test('Kyero as ReSales-Online: an error; as Kyero: read', async () => {
    await expect(readSource(feed, { format: 'resales' })).rejects.toThrow(
      'The file is Kyero v3 XML, not ReSales-Online',
    );
    expect((await readSource(feed, { format: 'kyero' })).bad).toEqual([]);
  });

  test('NDJSON, and an object as a channel: read without it', async () => {
    const document = { ...property('a'), channels: ['coast', { toString: 1 }] };
    const { properties } = await readSource(JSON.stringify(document));
    expect(properties.map(({ channels }) => channels)).toEqual([['coast']]);
  });
});

describe('a file that is', () => {
  test.each<[string, string, RegExp]>([
    [
      'Kyero v1',
      feed.replace('<feed_version>3', '<feed_version>1.5'),
      /Kyero feed of version 1\.5/,
    ],
    [
      'ThinkSPAIN',
      '<root><thinkspain><import_version>1.16</import_version></thinkspain><property/></root>',
      /a ThinkSPAIN feed/,
    ],
    [
      'HomesOverseas',
      '<?xml version="1.0"?><root><meta><version>4</version></meta><objects><object><objectid>1</objectid></object></objects></root>',
      /a HomesOverseas feed/,
    ],
    ['an HTML page', '<!DOCTYPE html><html><body>503<br></body></html>', /an HTML page/],
    ['BLM', '#HEADER#\nVersion : 3\nEOF : "^"\n', /BLM/],
    ['CSV', 'id;ref;price\n1;2;3\n', /CSV/],
    ['CSV of two columns', 'id,price\n1,2\n', /CSV/],
    ['OpenImmo', '<?xml version="1.0"?><openimmo><uebertragung/></openimmo>', /OpenImmo/],
    ['JSON of another program', '[{"id": 1}]', /JSON of another program/],
    ['a JSON object of another program', '{"properties": [{"id": 1}]}', /JSON of another program/],
    ['REAXML', '<propertyList><residential/></propertyList>', /REAXML/],
    ['RSS', '<rss version="2.0"><channel/></rss>', /RSS/],
    ['other XML', '<catalog><item/></catalog>', /<catalog>/],
    ['a PDF document', '%PDF-1.7\n', /PDF/],
    ['text', 'Hello', /an unknown format/],
  ])('%s is named, and what is supported', async (_, content, name) => {
    const message = await failureOf(content);
    expect(message).toMatch(name);
    expect(message).toMatch(/^unsupported_format: .*[3v]/);
  });

  test('an error document of a feed: reported as such', async () => {
    const content =
      '<root><error><code>unauthorized</code><message>Wrong password.</message></error></root>';
    expect(await failureOf(content)).toMatch(/^bad_file: .*unauthorized: Wrong password/);
  });
});

describe('XML that is not well-formed is reported at its line', () => {
  test.each<[string, string, RegExp]>([
    ['a tag that is not closed', feed.replace('</town>', ''), /line 12: <town> is not closed/],
    [
      'a record that is not closed',
      feed.replace('</property>', ''),
      /line 4: <property> is not closed/,
    ],
    ['the end within a record', feed.slice(0, feed.indexOf('<beds', 300)), /./],
    [
      'the end between records',
      feed.slice(0, feed.indexOf('<property>', 300)),
      /<root> is not closed; unexpected end of file/,
    ],
    ['an attribute without quotes', feed.replace('<town>', '<town a=b>'), /line 12, column/],
  ])('%s', async (_, content, message) => {
    expect(await failureOf(content)).toMatch(message);
  });
});

describe('XML that can only mean one thing', () => {
  const town = (text: string) => feed.replace('Marbella', text);

  test.each<[string, string, string, number]>([
    ['an ampersand', 'R & D', 'R & D', 1],
    ['an ampersand before an entity', 'R & D &amp; E', 'R & D & E', 1],
    [
      'an ampersand long before a semicolon',
      `R & D${' '.repeat(5_000)};`,
      `R & D${' '.repeat(5_000)};`.slice(0, 200),
      1,
    ],
    ['an entity of HTML', 'R&nbsp;&eacute;&LT;D', 'R\u00a0é<D', 3],
    ['an unknown entity', 'R&foo;D', 'R&foo;D', 1],
    ['entities of XML', 'R&amp;&#x44;&#69;&apos;', "R&DE'", 0],
    ['a reference to what HTML reads as Windows-1252', 'R&#146;D&#x80;', 'R’D€', 2],
    ['a control character', 'R\u000bD', 'R D', 1],
    ['a control character in CDATA', '<![CDATA[R\u0001D]]>', 'R D', 1],
    [
      'a reference to a control character, and to half of a character',
      'R&#11;&#55357;D',
      'R  D',
      2,
    ],
    ['an emoji', 'R😀&#128512;D', 'R😀😀D', 0],
    ['an ampersand in CDATA', '<![CDATA[R & D &nbsp;]]>', 'R & D &nbsp;', 0],
    ['an ampersand in a comment', 'R<!-- & --> D', 'R D', 0],
    [
      'an ampersand after a comment that begins a declaration',
      'R<!-- <?xml version="1" --> & D',
      'R & D',
      1,
    ],
  ])(
    '%s: repaired and reported, with --strict an error at its line',
    async (name, text, expected, repairs) => {
      const { properties, interpreted } = await readSource(town(text));
      expect(properties[0]?.town).toBe(expected);
      const kind = name.includes('a control character') ? 'control_characters' : 'entity';
      expect(interpreted.filter(({ node }) => node === 'text')).toMatchObject(
        repairs === 0 ? [] : [{ kind, times: repairs, lines: [12] }],
      );
      const strict = readSource(town(text), { strict: true });
      if (repairs === 0) await expect(strict).resolves.toMatchObject({ bad: [] });
      else await expect(strict).rejects.toThrow(/^The file is not well-formed XML, at line 12: /);
    },
  );

  test.each([1, 2, 7, 41, 1_000])('in pieces of %i bytes: the same', async (size) => {
    const text = `R & D &nbsp;<![CDATA[ & \u0001]]> & <!-- & \u0002-->&amp;\r\n<b a='1 > 0'\r>x</b\n>\r`;
    const { properties, interpreted } = await readSource(`\n\n${town(text)}`, { size });
    expect(properties.map((one) => one.town)).toEqual(['R & D \u00a0 &   & &\nx', 'Marbella']);
    expect(interpreted).toMatchObject([
      { kind: 'entity', times: 3, lines: [14] },
      {
        kind: 'control_characters',
        times: 2,
        lines: [14],
        example: { text: 'U+0001', as: 'a space' },
      },
      { kind: 'declaration', times: 1, lines: [3] },
    ]);
  });

  test.each<[string, Uint8Array]>([
    ['white space before the declaration', Buffer.from(`\n \n${town('Peñíscola')}`)],
    [
      'white space before the declaration of an encoding',
      Buffer.from(
        `\r\n${' '.repeat(500)}${town('Peñíscola').replace('UTF-8', 'ISO-8859-1')}`,
        'latin1',
      ),
    ],
    ['white space and a byte order mark', Buffer.from(`\n\ufeff${town('Peñíscola')}`)],
  ])('%s, as programs in PHP write it: read, with --strict an error', async (_, content) => {
    const { properties, interpreted } = await readSource(content);
    expect(properties.map((one) => one.town)).toEqual(['Peñíscola', 'Marbella']);
    expect(interpreted).toMatchObject([{ node: 'text', kind: 'declaration' }]);
    await expect(readSource(content, { strict: true })).rejects.toThrow(
      'nothing may precede the XML declaration',
    );
  });

  test('two documents: an error at the second declaration', async () => {
    expect(await failureOf(feed + feed)).toMatch(
      /line 27, column 6: an XML declaration must be at the start/,
    );
  });

  test('Latin-1 declared as UTF-8 throughout: read as Latin-1; mixed with UTF-8: an error with its line', async () => {
    const latin1 = Buffer.from(town('Peñíscola'), 'latin1');
    const { properties, interpreted } = await readSource(latin1);
    expect(properties[0]).toMatchObject({ town: 'Peñíscola', province: 'Málaga' });
    expect(interpreted[0]).toMatchObject({ node: 'encoding', kind: 'latin1', lines: [12] });
    const mixed = Buffer.concat([latin1, Buffer.from('<!-- ñ -->')]);
    expect(await failureOf(mixed)).toBe('bad_encoding: The file is not valid UTF-8, at line 12.');
    await expect(readSource(latin1, { strict: true })).rejects.toThrow('line 12');
  });
});

test('UTF-8 declared as Latin-1: read as UTF-8, and that is reported; with --strict, as it says', async () => {
  const content = feed.replace('UTF-8', 'ISO-8859-1').replace('Marbella', 'Peñíscola');
  const { properties, interpreted } = await readSource(content);
  expect(properties[0]).toMatchObject({ town: 'Peñíscola', province: 'Málaga' });
  expect(interpreted).toMatchObject([
    { node: 'encoding', kind: 'utf8', example: { text: 'ISO-8859-1', as: 'UTF-8' } },
  ]);
  expect((await readSource(content, { strict: true })).bad[0]?.problems).toMatchObject([
    {
      field: 'town',
      message: {
        code: 'of_value',
        parameters: { value: 'PeÃ±Ã\u00adscola', problem: { code: 'mojibake' } },
      },
    },
    { field: 'province' },
  ]);
});

describe('memory is bounded', () => {
  const within = (text: string) => kyeroFeed([kyeroRecord('a', { notes: text })]);
  const long = 'x'.repeat(5 * 1024 * 1024);

  test.each<[string, string]>([
    ['an attribute of a record', within(`<b c="${long}"/>`)],
    ['a name', within(`<${long}/>`)],
    ['a text', within(long)],
    ['a comment', `<!--${long}-->${within('')}`],
    ['an attribute of the root', within('').replace('<root>', `<root a="${long}">`)],
    [
      'white space between records',
      within('').replace('<property>', `${long.replaceAll('x', ' ')}<property>`),
    ],
    ['a line', `{"kind":"${long}"}`],
  ])('%s of 5 MB: an error', async (_, content) => {
    expect(await failureOf(content)).toMatch(/^bad_file: .*maximum length/);
  });
});
