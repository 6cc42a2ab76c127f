import { describe, expect, test } from 'vitest';
import { mergeable } from '../../../src/imports/pipeline/merge.ts';
import { documentKey, type PropertyDocument } from '../../../src/properties/documents.ts';
import { readSource } from '../../support/documents/import-source.ts';
import { type KyeroNodes, kyeroFeed, kyeroRecord } from '../../support/documents/kyero.ts';

/** Reads one record; what is reported of it has its lines, paths and texts. */
async function read(nodes: KyeroNodes) {
  const file = kyeroFeed([kyeroRecord('a', nodes)]);
  const { records, properties, interpreted, scan } = await readSource(file);
  const strict = await readSource(file, { strict: true });
  return {
    property: properties[0]!,
    open: records[0]!.open!,
    record: records[0]!,
    reports: interpreted.map(({ node, kind, example }) => [node, kind, example.text].join(' ')),
    ignored: scan.ignored.map(({ name }) => name),
    isRejectedIfStrict: strict.bad.length === 1,
  };
}

const sale = (price: number | null): Partial<PropertyDocument> => ({
  offers: { sale: { price, minimum_price: 0 }, long_term: null, short_term: null },
});

describe('a node of one value with elements in it: unknown and reported, unless one of them is known', () => {
  test.each<[string, KyeroNodes, object, string]>([
    [
      'a price and an old one',
      { price: '<value>240000</value><old>260000</old>' },
      sale(240_000),
      'price nested <value>240000</value><old>260000</old>',
    ],
    [
      'two prices',
      { price: '<value>240000</value><amount>260000</amount>' },
      sale(null),
      'price unreadable <value>240000</value><amount>260000</amount>',
    ],
    [
      'bedrooms by kind',
      { beds: '<single>1</single><double>2</double>' },
      { beds: 0 },
      'beds unreadable <single>1</single><double>2</double>',
    ],
    [
      'a town with its number',
      { town: '<id>12</id><name>Nerja</name>' },
      { town: 'Nerja' },
      'town nested <id>12</id><name>Nerja</name>',
    ],
    [
      'an area in two units',
      { surface_area: '<built><m2>95</m2><ft2>1022</ft2></built>' },
      { built_area: null },
      'surface_area/built unreadable <m2>95</m2><ft2>1022</ft2>',
    ],
    [
      'a price and its taxes',
      { price: '250000<tax>10</tax>' },
      sale(null),
      'price unreadable 250000<tax>10</tax>',
    ],
    [
      'a status with its number',
      { status: '<id>1</id><name>Sold</name>' },
      { status: 'Sold' },
      'status nested <id>1</id><name>Sold</name>',
    ],
    [
      'a status of two parts',
      { status: '<sale>no</sale><rental>yes</rental>' },
      { status: 'Withdrawn' },
      'status held_back <sale>no</sale><rental>yes</rental>',
    ],
    [
      'a type with its number',
      { type: '<id>3</id><name>Penthouse</name>' },
      { type: 'penthouse' },
      'type nested <id>3</id><name>Penthouse</name>',
    ],
    [
      'a postcode of two parts',
      { postcode: '<x>29</x><y>780</y>' },
      { postcode: null },
      'postcode unreadable <x>29</x><y>780</y>',
    ],
  ])('%s', async (_, nodes, expected, report) => {
    const { property, reports, isRejectedIfStrict } = await read(nodes);
    expect(property).toMatchObject(expected);
    expect(reports).toEqual([report]);
    expect(isRejectedIfStrict || report.startsWith('postcode')).toBe(true);
  });

  test('an identifier of two parts: the record is rejected', async () => {
    const { bad } = await readSource(kyeroFeed([kyeroRecord('a', { id: '<x>1</x><y>2</y>' })]));
    expect(bad).toMatchObject([{ id: null, problems: [{ field: 'id' }] }]);
  });

  test('a value that is unreadable: the stored one remains', async () => {
    const { open } = await read({ beds: '<x>1</x><y>2</y>', town: '<x>1</x><y>2</y>' });
    expect(open).toEqual(expect.arrayContaining(['beds', 'town']));
  });

  test('numbers in elements of HTML are not joined', async () => {
    const { property } = await read({ beds: '<b>1</b><b>2</b>' });
    expect(property.beds).toBe(1);
  });

  test('texts in the same language as an element each: not joined', async () => {
    const { property } = await read({ town: '<en>Seville</en><es>Sevilla</es>' });
    expect(property.town).toBe('Seville');
  });
});

describe('attributes: read, or reported as not imported', () => {
  test.each<[string, KyeroNodes, object]>([
    [
      'units of areas',
      { surface_area: '<built unit="sqft">1300</built><plot unit="acres">0.5</plot>' },
      { built_area: 121, plot_area: 2023 },
    ],
    [
      'a unit of all areas, and an element for one',
      {
        surface_area:
          '<unit>sqft</unit><built>1300</built><plot><value>100</value><unit>m2</unit></plot>',
      },
      { built_area: 121, plot_area: 100 },
    ],
    [
      'a unit that is not known',
      { surface_area: '<built unit="rood">3</built>' },
      { built_area: null },
    ],
    ['a unit in words that is not known', { built: '3 roods' }, { built_area: null }],
    ['a unit before the number', { built: 'sqft: 1,076' }, { built_area: 100 }],
    ['a unit that is not the one of the text', { built: '95 m² sqft' }, { built_area: null }],
    [
      'a flag of two parts',
      { pool: '<private>0</private><communal>1</communal>' },
      { has_pool: false },
    ],
  ])('%s', async (_, nodes, expected) => {
    expect((await read(nodes)).property).toMatchObject(expected);
  });

  test.each<[string, string, object]>([
    ['a currency', '<price currency="GBP">250000</price>', { currency: 'GBP', ...sale(250_000) }],
    [
      'a period',
      '<price freq="month">950</price>',
      { offers: { sale: null, long_term: { rent: 950 } } },
    ],
    ['a unit', '<price unit="thousand">250</price>', sale(250_000)],
    [
      'a kind',
      '<price type="rent">950</price>',
      { offers: { sale: null, long_term: { rent: 950 } } },
    ],
    [
      'elements',
      '<price><amount>950</amount><currency>GBP</currency><period>month</period></price>',
      { currency: 'GBP', offers: { sale: null, long_term: { rent: 950 } } },
    ],
  ])('of a price: %s', async (_, price, expected) => {
    const record = kyeroRecord('a', { price: null, currency: null, price_freq: null });
    const file = kyeroFeed([record.replace('</property>', `${price}</property>`)]);
    expect((await readSource(file)).properties).toMatchObject([expected]);
  });

  test('a period that contradicts the node: on request', async () => {
    const file = kyeroFeed([kyeroRecord('a')]).replace('<price>', '<price freq="month">');
    const { properties, interpreted } = await readSource(file);
    expect(properties).toMatchObject([sale(null)]);
    expect(interpreted[0]).toMatchObject({
      kind: 'unknown_period',
      example: { text: 'month / sale' },
    });
  });

  test('a fee for a year', async () => {
    const file = kyeroFeed([kyeroRecord('a', { community_fees: '1200' })]);
    const yearly = file.replace('<community_fees>', '<community_fees period="year">');
    expect((await readSource(yearly)).properties[0]?.community_fees).toBe(100);
  });

  test.each([
    '<feature type="pool">no</feature>',
    '<feature><key>Pool</key><value>no</value></feature>',
  ])('an answer without its question is no feature: %s', async (features) => {
    const { property, reports } = await read({ features });
    expect(property).toMatchObject({ features: [], has_pool: false });
    expect(
      reports.filter((report) => report.startsWith('features/feature unreadable')),
    ).toHaveLength(1);
  });

  test('all others are reported, wherever they stand', async () => {
    const { ignored } = await read({
      energy_rating: '<consumption class="C">120</consumption>',
      images: '<image id="1" type="main"><url>https://a.example/1.jpg</url></image>',
      features: '<feature code="7">Lift</feature>',
      notes: '<value lang="en">x</value>',
    });
    expect(ignored).toEqual([
      'energy_rating/consumption@class',
      'images/image@type',
      'features/feature@code',
      'notes/value@lang',
    ]);
  });

  test.each<[string, string]>([
    ['an attribute', '<feature name="Lift"/>'],
    ['an attribute and yes', '<feature name="Lift">Yes</feature>'],
    ['two attributes', '<feature name="Lift" value="1"/><feature name="Pool" value="0"/>'],
    ['elements', '<feature><name>Lift</name><value>yes</value></feature>'],
    [
      'elements by language',
      '<en><feature>Lift</feature></en><es><feature>Ascensor</feature></es>',
    ],
    ['flags', '<lift>Yes</lift><pool>No</pool>'],
  ])('a feature in %s', async (_, features) => {
    expect((await read({ features })).property).toMatchObject({
      features: ['Features: Lift'],
      has_pool: false,
    });
  });

  test.each([
    '<location latitude="36.74" longitude="-3.87"/>',
    '<location lat="36.74" lng="-3.87"/>',
  ])('coordinates: %s', async (location) => {
    const file = kyeroFeed([kyeroRecord('a').replace('</property>', `${location}</property>`)]);
    const { properties } = await readSource(file);
    expect(properties[0]?.location).toEqual({ latitude: 36.74, longitude: -3.87 });
  });

  test.each<KyeroNodes>([
    { location: '<lat>36.74</lat><lng>-3.87</lng>' },
    { location: '36.74,-3.87' },
    { lat: '36.74', lng: '-3.87' },
  ])('coordinates: %j', async (nodes) => {
    expect((await read(nodes)).property.location).toEqual({ latitude: 36.74, longitude: -3.87 });
  });
});

describe('a status that is not understood', () => {
  test('a new property is held back, a stored one keeps its status, and each word is listed', async () => {
    const statuses = ['Perhaps', 'Ask us', 'Perhaps', 'Sold'];
    const { properties, records, interpreted } = await readSource(
      kyeroFeed(statuses.map((status, index) => kyeroRecord(`p${index}`, { status }))),
    );
    expect(properties.map(({ status }) => status)).toEqual([
      'Withdrawn',
      'Withdrawn',
      'Withdrawn',
      'Sold',
    ]);
    expect(records.map(({ keepsStatus }) => keepsStatus)).toEqual([true, true, true, false]);
    expect(interpreted).toMatchObject([
      {
        node: 'status',
        kind: 'held_back',
        times: 2,
        lines: [14, 38],
        example: { text: 'Perhaps' },
      },
      { node: 'status', kind: 'held_back', times: 1, lines: [26], example: { text: 'Ask us' } },
    ]);
  });

  test.each<[stored: PropertyDocument['status'], status: string | null, expected: string]>([
    ['Sold', 'Perhaps', 'Sold'],
    ['Withdrawn', 'Perhaps', 'Withdrawn'],
    ['Available', 'Perhaps', 'Available'],
    ['Available', 'Sold STC - Unavailable', 'Withdrawn'],
    ['Sold', null, 'Sold'],
    ['Withdrawn', null, 'Withdrawn'],
    ['Under Offer', null, 'Under Offer'],
    ['Sold', 'Available', 'Available'],
  ])('stored as %s, then %s: %s', async (stored, status, expected) => {
    const { records } = await readSource(kyeroFeed([kyeroRecord('a', { status })]));
    const [document] = records.map((record) => record.document as PropertyDocument);
    const before = new Map([[documentKey(document!), { ...document!, status: stored }]]);
    const { merge } = mergeable(records, { languages: null, channel: null });
    expect(merge(document!, before, new Map())).toMatchObject({ status: expected });
  });

  test('neither a feature nor a period makes it better', async () => {
    const { property } = await read({ status: '?', features: '<feature>Under Offer</feature>' });
    expect(property.status).toBe('Withdrawn');
  });

  test('two statuses: the one that takes it further off the market', async () => {
    const { property } = await read({ status: 'Available</status><status>Sold' });
    expect(property.status).toBe('Sold');
  });
});

describe('a currency that is not understood, or contradicts the price: on request', () => {
  test.each<[string, KyeroNodes]>([
    ['250000 in Taler', { currency: 'Taler' }],
    ['250000 in XXX, which is no currency', { currency: 'XXX' }],
    ['250000 in ounces of gold', { currency: 'XAU' }],
    ['250000 in ABC', { currency: 'ABC' }],
    ['250000 in two currencies', { currency: '€ / £' }],
    ['£250000 in EUR', { price: '£250000' }],
    ['R$ 250000', { price: 'R$ 250000', currency: null }],
  ])('%s', async (_, nodes) => {
    const { property, reports, isRejectedIfStrict } = await read(nodes);
    expect(property).toMatchObject(sale(null));
    expect(reports.some((report) => report.startsWith('price unreadable'))).toBe(true);
    expect(isRejectedIfStrict).toBe(true);
  });

  test.each<[string, string]>([
    ['CHF 250000', 'CHF'],
    ['250000 zł', 'PLN'],
    ['£250,000', 'GBP'],
  ])('%s without a node of its own: %s', async (price, currency) => {
    const { property } = await read({ price, currency: null });
    expect(property).toMatchObject({ currency, ...sale(250_000) });
  });
});

describe('a record whose attribute says how it is offered', () => {
  test.each<[string, KyeroNodes, object]>([
    ['rent', { price_freq: null }, { sale: null, long_term: { rent: 1_200 } }],
    ['sale', { price_freq: null }, { sale: { price: 1_200 }, long_term: null }],
    ['rent', { price_freq: 'sale' }, { sale: { price: null }, long_term: null }],
  ])('%s, with %j', async (type, nodes, offers) => {
    const record = kyeroRecord('a', { price: '1200', ...nodes });
    const file = kyeroFeed([record.replace('<property>', `<property type="${type}">`)]);
    const { properties } = await readSource(file);
    expect(properties[0]).toMatchObject({ offers, type: 'villa' });
  });
});

describe('a period that is not understood', () => {
  test('on request, as what it was taken for; stored offers remain', async () => {
    const { property, record, reports } = await read({ price_freq: 'sometimes', price: '1200' });
    expect(property).toMatchObject(sale(null));
    expect(record.openOffers).toEqual(['sale', 'long_term', 'short_term']);
    expect(reports).toEqual(['price_freq unknown_period sometimes']);
  });

  test('a stored rent stays one', async () => {
    const { record } = await read({ price_freq: 'sometimes', price: '1200' });
    const given = record.document as PropertyDocument;
    const offers = { sale: null, long_term: { rent: 900 }, short_term: null };
    const before = new Map([[documentKey(given), { ...given, offers }]]);
    const { merge } = mergeable([record], { languages: null, channel: null });
    expect(merge(given, before, new Map())).toMatchObject({ offers });
  });

  test('a status in its place: the status', async () => {
    expect((await read({ price_freq: 'sold' })).property).toMatchObject({
      status: 'Sold',
      ...sale(null),
    });
    expect((await read({ price_freq: 'Let agreed' })).property).toMatchObject({
      rented: true,
      offers: { sale: null, long_term: { rent: null } },
    });
  });

  test.each<[string, KyeroNodes]>([
    ['after the price', { price: '950 € / month' }],
    ['in the status', { price: '950', status: 'For rent' }],
  ])('without a period, one %s: a rent', async (_, nodes) => {
    const { property } = await read({ price_freq: null, ...nodes });
    expect(property.offers).toMatchObject({ sale: null, long_term: { rent: 950 } });
  });
});

describe('what says by its name, its sign or its count that there is nothing', () => {
  test.each<[string, KyeroNodes]>([
    ['an element for the status', { status: '<sold/>' }],
    [
      'an element for the status, and for the period',
      { status: '<sold/>', price_freq: '<month/>' },
    ],
  ])('%s: not available', async (_, nodes) => {
    const { property, isRejectedIfStrict } = await read(nodes);
    expect(property.status).toBe('Withdrawn');
    expect(isRejectedIfStrict).toBe(true);
  });

  test('an element for the period: no sale price', async () => {
    const { property } = await read({ price: '900', price_freq: '<month/>' });
    expect(property.offers.sale?.price ?? null).toBeNull();
  });

  test.each(['-1', '- 1', 'pas de piscine', 'nessuna piscina', '<private/>'])(
    'a pool of %s: none',
    async (pool) => {
      expect((await read({ pool })).property.has_pool).toBe(false);
    },
  );

  test.each(['Garage x 0', '0 x garage', 'Pool: 0x0', 'Garden: 0 m2'])(
    'the feature %s: none',
    async (feature) => {
      const { property } = await read({ features: `<feature>${feature}</feature>` });
      expect([property.features, property.has_pool, property.has_garage]).toEqual([
        [],
        false,
        false,
      ]);
    },
  );

  test.each(['unit', 'Unit', 'area_unit', 'unit-of-measure', 'unitOfMeasure'])(
    'an area with its unit in the attribute %s: converted',
    async (name) => {
      const built = `<built ${name}="sqft">1300</built>`;
      expect((await read({ surface_area: built })).property.built_area).toBe(121);
    },
  );
});
