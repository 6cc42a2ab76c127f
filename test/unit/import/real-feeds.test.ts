import { describe, expect, test } from 'vitest';
import { readSource } from '../../support/documents/import-source.ts';
import { type KyeroNodes, kyeroFeed, kyeroRecord } from '../../support/documents/kyero.ts';

/** What people have reported of feeds and imports in public, each as an input and its result. */
const read = async (nodes: KyeroNodes) => {
  const { properties, interpreted } = await readSource(kyeroFeed([kyeroRecord('a', nodes)]));
  return {
    property: properties[0]!,
    kinds: interpreted.map(({ node, kind }) => `${node} ${kind}`),
  };
};

describe('records', () => {
  const records = `${kyeroRecord('a')}${kyeroRecord('b')}`;
  const version = '<feed_version>3</feed_version>';

  test.each<[string, string]>([
    [
      'in properties in kyero',
      `<root><kyero>${version}<properties>${records}</properties></kyero></root>`,
    ],
    [
      'in an agent',
      `<root><kyero>${version}</kyero><agent><properties>${records}</properties></agent></root>`,
    ],
    [
      'in two agents',
      `<root><agents><agent><name>A</name>${kyeroRecord('a')}</agent><agent>${kyeroRecord('b')}</agent></agents></root>`,
    ],
    ['in five elements', `<a><b><c><d><e>${records}</e></d></c></b></a>`],
  ])('%s: read', async (_, file) => {
    expect((await readSource(file)).properties.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  test('a property element within a record is a part of it', async () => {
    const nested = kyeroRecord('a', { property: '<id>b</id>' });
    const { properties, scan } = await readSource(kyeroFeed([nested, kyeroRecord('c')]));
    expect(properties.map(({ id }) => id)).toEqual(['a', 'c']);
    expect(scan.ignored).toMatchObject([{ name: 'property' }]);
  });

  test('under another name: says where they stand', async () => {
    const file = kyeroFeed([
      `<list>${kyeroRecord('a').replaceAll('property>', 'listing>')}</list>`,
    ]);
    const { properties, interpreted } = await readSource(file);
    expect(properties).toEqual([]);
    expect(interpreted).toMatchObject([{ node: 'list/listing', kind: 'misplaced', lines: [4] }]);
  });

  test('of a sale and a rental, apart and with other dates: one property', async () => {
    const rental = { price: '900', price_freq: 'month', date: '2026-04-01 00:00:00', ref: 'R-a' };
    const { properties, bad, interpreted } = await readSource(
      kyeroFeed([kyeroRecord('a'), kyeroRecord('b'), kyeroRecord('a', rental)]),
    );
    expect([properties.map(({ id }) => id), bad]).toEqual([['a', 'b'], []]);
    expect(properties[0]?.offers).toMatchObject({
      sale: { price: 250_000 },
      long_term: { rent: 900 },
    });
    expect(interpreted).toEqual([]);
  });

  test('of a sale and a rental with other texts: one property, with those of the first', async () => {
    const rental = { price: '900', price_freq: 'month', desc: '<en>To let</en>' };
    const { properties, interpreted } = await readSource(
      kyeroFeed([kyeroRecord('a', { desc: '<en>For sale</en>' }), kyeroRecord('a', rental)]),
    );
    expect(properties).toMatchObject([{ texts: { uk: { description: 'For sale' } } }]);
    expect(interpreted).toMatchObject([
      { node: 'property', kind: 'first_of_several', lines: [16] },
    ]);
  });

  test.each<[string, KyeroNodes]>([
    ['of the same kind of offer', { price: '1' }],
    ['of another property', { price: '900', price_freq: 'month', beds: '7' }],
  ])(
    'with one id, %s: the later one is rejected, and the line of the earlier one named',
    async (_, nodes) => {
      const { properties, bad } = await readSource(
        kyeroFeed([kyeroRecord('a'), kyeroRecord('b'), kyeroRecord('a', nodes)]),
      );
      expect(properties).toHaveLength(2);
      expect(bad[0]?.problems).toEqual([
        { field: 'id', message: { code: 'duplicate_record', parameters: { line: 4 } } },
      ]);
    },
  );

  test.each(['0', '-', 'N/A'])('with the id %s: have their references', async (id) => {
    const { properties } = await readSource(
      kyeroFeed([kyeroRecord(id, { ref: 'R1' }), kyeroRecord(id, { ref: 'R2' })]),
    );
    expect(properties.map((property) => property.id)).toEqual(['R1', 'R2']);
  });
});

describe('types', () => {
  test.each<[string, string, readonly string[]]>([
    ['Apartment building', 'building', []],
    ['Bloque de pisos', 'building', []],
    ['Other', 'Property', ['type missing']],
    ['N/A', 'Property', ['type missing']],
    ['0', 'Property', ['type missing']],
    ['House/Villa', 'villa', []],
  ])('%s: %s', async (type, code, kinds) => {
    expect(await read({ type })).toMatchObject({ property: { type: code }, kinds });
  });

  test('Other, which the account has mapped: as mapped', async () => {
    const names = { types: { Other: 'garage' } };
    const { properties } = await readSource(kyeroFeed([kyeroRecord('a', { type: 'Other' })]), {
      names,
    });
    expect(properties[0]?.type).toBe('garage');
  });
});

describe('texts', () => {
  test.each<[string, KyeroNodes, object, readonly string[]]>([
    [
      'carriage returns that are escaped, once and twice',
      { desc: '<en><![CDATA[a&#13;b]]></en><es>a&amp;#13;b</es><de>a&#13;\nb</de>' },
      {
        uk: { description: 'a\nb' },
        es: { description: 'a\nb' },
        de: { description: 'a\r\nb' },
      },
      [],
    ],
    [
      'a line end in two characters',
      { desc: '<en>a\\nb</en>' },
      { uk: { description: 'a\\nb' } },
      ['desc/en literal_line_end'],
    ],
    [
      'UTF-8 that was read as Windows-1252',
      { desc: '<es>MÃ¡laga: 20 mÂ², 5 â‚¬</es>' },
      { es: { description: 'Málaga: 20 m², 5 €' } },
      ['desc/es mojibake'],
    ],
    [
      'capital letters that mean what they say',
      { desc: '<fr>« CHÂ» Ã»</fr>' },
      { fr: { description: '« CHÂ» Ã»' } },
      [],
    ],
    [
      'languages in attributes of elements',
      {
        descriptions:
          '<description lang="en">Nice</description><description lang="es">Bonito</description>',
      },
      { uk: { description: 'Nice' }, es: { description: 'Bonito' } },
      [],
    ],
    [
      'a language that is not known, under the path in the file',
      { descriptions: '<description lang="en-GB">Nice</description>' },
      { uk: { description: 'Nice' } },
      ['descriptions/description language'],
    ],
  ])('%s', async (_, nodes, texts, kinds) => {
    expect(await read(nodes)).toMatchObject({ property: { texts }, kinds });
  });
});

describe('countries', () => {
  test.each<[string, KyeroNodes, string, readonly string[]]>([
    ['a code', { country: 'ES' }, 'Spain', ['country spelling']],
    ['a name in Spanish', { country: 'España' }, 'Spain', ['country spelling']],
    ['the name in English', { country: 'Spain' }, 'Spain', []],
    [
      'none that is known',
      { country: 'Costa Blanca' },
      'Costa Blanca',
      ['country unknown_country'],
    ],
    [
      'another than that of the province',
      { country: 'PT', province: 'Málaga' },
      'Portugal',
      ['country spelling', 'province foreign_province'],
    ],
  ])('%s', async (_, nodes, country, kinds) => {
    expect(await read(nodes)).toMatchObject({ property: { country }, kinds });
  });
});

describe('pictures', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['https://a.example/a b.jpg', ['https://a.example/a%20b.jpg'], ['images/image spelling']],
    [
      'https://a.example/Ático.jpg',
      ['https://a.example/%C3%81tico.jpg'],
      ['images/image spelling'],
    ],
    ['https://a.example/50%.jpg', ['https://a.example/50%25.jpg'], ['images/image spelling']],
    ['https://a.example/a%20b.jpg', ['https://a.example/a%20b.jpg'], []],
    ['https://a.example/plan.pdf', [], ['images/image not_an_image']],
    ['javascript:alert(1)', [], ['images/image not_an_image']],
    ['https://a.example/tour.mp4?x=1', [], ['images/image not_an_image']],
    ['https://a.example/photo?file=a.pdf', ['https://a.example/photo?file=a.pdf'], []],
  ])('%s', async (address, pictures, kinds) => {
    const images = `<image id="1"><url>${address}</url></image>`;
    expect(await read({ images })).toMatchObject({ property: { pictures }, kinds });
  });

  test('a PDF by its media type: not an image', async () => {
    const images = '<image type="application/pdf"><url>https://a.example/1</url></image>';
    expect(await read({ images })).toMatchObject({
      property: { pictures: [] },
      kinds: ['images/image not_an_image'],
    });
  });
});

describe('a ReSales-Online feed with costs of a year and the municipality', () => {
  test('read as this service writes them with CS=TRUE and LocationVersion=2', async () => {
    const file = `<root><resalesonline><feed_version>2</feed_version></resalesonline><property><id>R1</id><ref>R1</ref>
      <price>550000</price><price_freq>sale</price_freq><type><uk>House</uk></type><province>Málaga</province>
      <municipality>Marbella</municipality><location>Río Real</location><annual_costs><ibi_fees>1092.72</ibi_fees>
      <basura_tax>156.97</basura_tax><community_fees>2838</community_fees></annual_costs></property></root>`;
    const { properties, scan } = await readSource(file);
    expect(properties).toMatchObject([
      {
        town: 'Marbella',
        area: 'Río Real',
        ibi_fees: 1092.72,
        garbage_tax: 156.97,
        community_fees: 236.5,
      },
    ]);
    expect(scan.ignored).toEqual([]);
  });
});

describe('what a server sends in place of a feed: its first words, and what to do', () => {
  test.each<[string, string, RegExp]>([
    [
      'a warning of PHP before the XML',
      '<br />\n<b>Warning</b>:  mysqli_connect() on line <b>3</b><br /><?xml version="1.0"?><root/>',
      /bad_file.*message of its server: "Warning : mysqli_connect\(\) on line 3/,
    ],
    ['an error in XML', '<error>feed not found</error>', /bad_file.*"feed not found"/],
    ['an error in JSON', '{"error":"quota"}', /bad_file.*quota/],
    [
      'a page',
      '<html><head><title>x</title></head><body>Not found</body></html>',
      /an HTML page that begins "Not found"/,
    ],
    [
      'a text',
      'A previous instance of this feed is running, please wait.',
      /begins "A previous instance of this feed is running, please wait."/,
    ],
    [
      'a feed of another portal',
      '<feed><ad><id>1</id></ad></feed>',
      /XML of an unknown format, whose first element is <feed>/,
    ],
    ['an Atom feed', '<feed><entry/></feed>', /an Atom feed/],
  ])('%s', async (_, content, message) => {
    const error = (await readSource(content).catch((thrown) => thrown)) as {
      code: string;
      message: string;
    };
    expect(`${error.code}: ${error.message}`).toMatch(message);
  });
});
