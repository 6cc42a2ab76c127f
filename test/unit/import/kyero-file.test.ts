import { describe, expect, test } from 'vitest';
import { describeInterpretation } from '../../../src/imports/pipeline/notes.ts';
import { readSource } from '../../support/documents/import-source.ts';
import { type KyeroNodes, kyeroFeed, kyeroRecord } from '../../support/documents/kyero.ts';

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
    ['an attribute', feed.replace('<price>', '<price tax="10">'), ['price@tax']],
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
      'province: is missing (once, line 4)',
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
  test('are counted by node and kind, with the first lines, their properties and an example', async () => {
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
        listings: ['p0', 'p1', 'p2', 'p3', 'p4'],
        example: { text: '1 + 75 terrace', as: '1' },
      },
      {
        node: 'surface_area/plot',
        kind: 'unreadable',
        times: 7,
        lines: [14, 26, 38, 50, 62],
        listings: ['p0', 'p1', 'p2', 'p3', 'p4'],
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
