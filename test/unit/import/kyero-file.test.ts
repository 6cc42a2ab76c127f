import { describe, expect, test } from 'vitest';
import { describeInterpretation } from '../../../src/imports/pipeline/notes.ts';
import { property } from '../../support/accounts/portfolio.ts';
import { readSource } from '../../support/documents/import-source.ts';
import { type KyeroNodes, kyeroFeed, kyeroRecord } from '../../support/documents/kyero.ts';

/** The code and message with which reading a file fails. */
async function failureOf(content: string | Uint8Array): Promise<string> {
  const error = (await readSource(content).catch((error: unknown) => error)) as {
    code?: string;
    message?: string;
  };
  return `${error.code}: ${error.message}`;
}

const feed = kyeroFeed([kyeroRecord('a'), kyeroRecord('b')]);

describe('records', () => {
  test.each<[string, KyeroNodes, string | null]>([
    ['neither id nor ref', { id: null, ref: null }, null],
    ['an empty id and ref', { id: ' ', ref: 'null' }, null],
    ['an id that is too long', { id: 'x'.repeat(101) }, 'x'.repeat(101)],
    ['an id that SQLite would change', { id: 'a\u0085b\ufffd' }, 'a\u0085b\ufffd'],
  ])('with %s are rejected', async (_, nodes, id) => {
    const { bad, properties } = await readSource(
      kyeroFeed([kyeroRecord('a'), kyeroRecord('b', nodes), kyeroRecord('c')]),
    );
    expect(bad).toMatchObject([{ line: 15, id, problems: [{ field: 'id' }] }]);
    expect(properties.map((one) => one.id)).toEqual(['a', 'c']);
  });

  test('without a province: the most frequent one of their town, regardless of order and accents', async () => {
    const town = (id: string, nodes: KyeroNodes) => kyeroRecord(id, { town: 'Málaga', ...nodes });
    const { properties, interpreted } = await readSource(
      kyeroFeed([
        town('a', { province: null }),
        town('b', { province: 'Granada' }),
        town('c', { province: 'Málaga' }),
        town('d', { province: 'Málaga' }),
        town('e', { town: 'MALAGA', province: '' }),
        town('f', { town: 'constructor', province: '' }),
        town('g', { town: '', province: 'Cádiz' }),
        town('h', { town: '', province: '' }),
      ]),
    );
    expect(properties.map(({ province }) => province).join()).toBe(
      'Málaga,Granada,Málaga,Málaga,Málaga,,Cádiz,',
    );
    expect(interpreted).toMatchObject([
      {
        node: 'province',
        kind: 'from_other_records',
        times: 2,
        example: { text: 'Málaga', as: 'Málaga' },
      },
      { node: 'province', kind: 'missing', times: 2 },
      { node: 'town', kind: 'missing', times: 2 },
    ]);
  });

  test('on one line, some of them rejected: the others are imported', async () => {
    const records = [kyeroRecord('a'), kyeroRecord('b', { id: '', ref: '' }), kyeroRecord('c')];
    const { bad, properties } = await readSource(kyeroFeed(records).replaceAll('\n', ''));
    expect([bad.map(({ line, id }) => [line, id]), properties.map(({ id }) => id)]).toEqual([
      [[1, null]],
      ['a', 'c'],
    ]);
  });

  const NODES = {
    costa: 'x',
    constructor: 'x',
    desc: '<en>a</en><xx>b</xx><valueOf>c</valueOf>',
    distances: '',
  };
  const TEXTS = {
    location: 'Marbella',
    images:
      '<image><url>https://p.example/1.jpg</url><title>One</title><tags><tag>pool</tag></tags></image>',
  };
  test.each<[string, string, readonly string[]]>([
    [
      'nodes that are not imported',
      kyeroFeed([kyeroRecord('a', NODES)]),
      ['constructor', 'costa', 'desc/valueOf', 'desc/xx'],
    ],
    [
      'text instead of nodes',
      kyeroFeed([kyeroRecord('a', TEXTS)]),
      ['images/image/tags', 'images/image/title', 'location'],
    ],
    ['an attribute', feed.replace('<price>', '<price currency="GBP">'), ['price@currency']],
    ['another name', feed.replaceAll('property>', 'Property>'), ['Property']],
  ])('with %s: each is reported once', async (_, content, names) => {
    const { bad, scan } = await readSource(content);
    expect([bad, scan.ignored.map(({ name }) => name).sort()]).toEqual([[], names]);
  });

  test('with languages in attributes: their texts are imported', async () => {
    const record = kyeroRecord('a').replace(
      '</property>',
      `<desc language="es">Bonito</desc><desc lang="en">Nice</desc><url xml:lang="en">https://a.example</url>
      <title lang="en"><en>Villa</en><es>Chalet</es></title>
      <features lang="en"><feature>Sea views</feature></features></property>`,
    );
    const { properties, scan } = await readSource(kyeroFeed([record]));
    expect(properties[0]).toMatchObject({
      texts: {
        es: { description: 'Bonito', title: 'Chalet' },
        uk: { description: 'Nice', url: 'https://a.example', title: 'Villa' },
      },
      features: ['Views: Sea'],
    });
    expect(scan.ignored.map(({ name }) => name)).toEqual(['title@lang', 'features@lang']);
  });

  test('with features: pool, garden and garage follow from them unless a node differs', async () => {
    const features = '<feature>Communal pool</feature>';
    const { properties } = await readSource(
      kyeroFeed([
        kyeroRecord('a', { features }),
        kyeroRecord('b', { features, pool: '0' }),
        kyeroRecord('c', { features: '<feature>Sea views</feature>' }),
        kyeroRecord('d'),
      ]),
    );
    expect(properties.map(({ has_pool }) => has_pool)).toEqual([true, false, false, false]);
  });

  test.each<[string, KyeroNodes, readonly string[]]>([
    ['nothing of it', {}, ['status', 'has_garden', 'postcode', 'notes']],
    [
      'what is not readable',
      { status: 'maybe', community_fees: 'low' },
      ['status', 'community_fees'],
    ],
  ])('leave open what they say: %s', async (_, nodes, fields) => {
    const { records } = await readSource(kyeroFeed([kyeroRecord('a', nodes)]));
    expect(records[0]?.open).toEqual(expect.arrayContaining([...fields]));
  });

  test.each<[string, KyeroNodes, string]>([
    ['an empty node', { postcode: '' }, 'postcode'],
    ['null', { postcode: 'null' }, 'postcode'],
    ['features', { features: '<feature>Moat</feature>' }, 'has_garden'],
    ['a status', { status: 'Sold' }, 'status'],
    ['a rating', { energy_rating: '<consumption>B</consumption>' }, 'energy_status'],
  ])('say what %s says', async (_, nodes, field) => {
    const { records } = await readSource(kyeroFeed([kyeroRecord('a', nodes)]));
    expect(records[0]?.open).not.toContain(field);
  });
});

describe('what programs write instead of the format', () => {
  const read = async (nodes: KyeroNodes) => readSource(kyeroFeed([kyeroRecord('a', nodes)]));

  test('a record with a ref and no id: has the ref as its id, and that is reported', async () => {
    const { properties, interpreted } = await read({ id: null, ref: 'R 1' });
    expect(properties).toMatchObject([{ id: 'R 1', ref: 'R 1' }]);
    expect(interpreted).toMatchObject([{ node: 'id', kind: 'missing', example: { as: 'R 1' } }]);
    expect(
      (await readSource(kyeroFeed([kyeroRecord('a', { id: null })]), { strict: true })).bad,
    ).toHaveLength(1);
  });

  test.each(['', 'null', 'undefined', 'NULL', '0000-00-00', ' 0000-00-00 00:00:00 '])(
    '%j in any field: there is no value, and nothing is reported',
    async (text) => {
      const names = [
        ...[
          'ref',
          'date',
          'price_freq',
          'town',
          'province',
          'location_detail',
          'beds',
          'baths',
          'pool',
          'country',
        ],
        ...[
          'postcode',
          'floor',
          'notes',
          'status',
          'community_fees',
          'built_year',
          'energy_rating',
          'video_url',
        ],
        ...[
          'desc',
          'title',
          'url',
          'features',
          'images',
          'surface_area',
          'location',
          'currency',
          'new_build',
        ],
      ];
      const of = (value: string | null) => Object.fromEntries(names.map((name) => [name, value]));
      const nested =
        text === ''
          ? {}
          : { images: `<image><url>${text}</url></image>`, desc: `<en>${text}</en>` };
      const [absent, missing] = [await read({ ...of(text), ...nested }), await read(of(null))];
      expect(absent.properties).toEqual(missing.properties);
      expect(absent.interpreted.map(({ node }) => node)).toEqual(
        missing.interpreted.map(({ node }) => node),
      );
    },
  );

  test.each<[string, KyeroNodes, object]>([
    [
      'a terrace in the built area',
      { surface_area: '<built>50 + 75 terrace</built>' },
      { built_area: 50, terrace_area: 75 },
    ],
    [
      'a terrace in another language',
      { built: '50 m2 + 12 m2 terraza' },
      { built_area: 50, terrace_area: 12 },
    ],
    [
      'a terrace of its own',
      { surface_area: '<built>50 + 75 terrace</built><terrace>80</terrace>' },
      { built_area: 50, terrace_area: 80 },
    ],
    [
      'a place with the coordinates',
      {
        province: null,
        location:
          '<city>Nerja</city><province>Málaga</province><zip>29780</zip><latitude>36.7</latitude>',
        longitude: '-3.8',
        image: '<url>https://x.example/1.jpg</url>',
        images: null,
      },
      {
        town: 'Marbella',
        province: 'Málaga',
        postcode: '29780',
        location: { latitude: 36.7, longitude: -3.8 },
        pictures: ['https://x.example/1.jpg'],
      },
    ],
    [
      'a city with the coordinates',
      { town: null, location: '<city>Nerja</city>' },
      { town: 'Nerja' },
    ],
    ['a year under another name', { year_built: '1999' }, { built_year: 1999 }],
    [
      'a type by language, as in version 2',
      { type: '<es>Ático</es><en>Penthouse</en>' },
      { type: 'penthouse' },
    ],
  ])('%s: read', async (_, nodes, expected) => {
    expect((await read(nodes)).properties).toMatchObject([expected]);
  });

  test('a record without a type: its default type is not an unknown name', async () => {
    const { scan } = await read({ type: null });
    expect(scan.unknownNames.types).toEqual([]);
  });

  test('a flag in another letter case, and a missing province: no line, and one that makes sense', async () => {
    const { interpreted } = await read({ pool: 'True', province: null });
    expect(interpreted.map(describeInterpretation)).toEqual([
      'province: missing or empty (once, line 4)',
    ]);
  });

  test('a status and a place in other spellings: in words', async () => {
    const location = '<latitude>36.5, -4.9</latitude><longitude/>';
    const { interpreted } = await read({ status: 'Alquilado', location });
    expect(interpreted.map(({ example }) => example.as)).toEqual([
      '36.5, -4.9',
      'Available, rented',
    ]);
  });
});

describe('interpretations', () => {
  test('are counted by node and kind, with the first line and an example', async () => {
    const records = Array.from({ length: 7 }, (_, index) =>
      kyeroRecord(`p${index}`, {
        surface_area: `<built>${index + 1} + 75 terrace</built><plot>---</plot>`,
      }),
    );
    const { interpreted } = await readSource(kyeroFeed(records));
    expect(interpreted).toEqual([
      {
        node: 'surface_area/built',
        kind: 'first_number',
        times: 7,
        lines: [14, 26, 38, 50, 62],
        example: { text: '1 + 75 terrace', as: '1' },
      },
      {
        node: 'surface_area/plot',
        kind: 'unreadable',
        times: 7,
        lines: [14, 26, 38, 50, 62],
        example: { text: '---', as: 'absent' },
      },
    ]);
  });

  test('with --strict: reject their records, each with the reason', async () => {
    const record = kyeroRecord('bad', { price: '1.250.000', beds: '3 + 1', province: null });
    const { bad, properties } = await readSource(kyeroFeed([kyeroRecord('good'), record]), {
      strict: true,
    });
    expect(properties.map(({ id }) => id)).toEqual(['good']);
    expect(bad.map(({ line, id }) => [line, id])).toEqual([[15, 'bad']]);
    expect(bad[0]?.problems.map(({ field }) => field).sort()).toEqual([
      'beds',
      'price',
      'province',
    ]);
  });
});

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
  expect((await readSource(content, { strict: true })).properties[0]?.town).toBe(
    'PeÃ±Ã\u00adscola',
  );
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
