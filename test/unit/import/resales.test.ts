import { describe, expect, test } from 'vitest';
import { topologicalSort } from '../../../src/lib/topological-sort.ts';
import { readSource } from '../../support/documents/import-source.ts';

/**
 * A feed as other programs write and read it: only English and Spanish, withdrawn records, text in CDATA, `subtype` next
 * to `type`, categories with their values (nodes by https://github.com/3t4n/wp-cve, houzez-property-feed, and by PHP
 * programs that read `characteristics->category`).
 */
function feed(...records: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<root>\n<resalesonline><feed_version>3</feed_version></resalesonline>\n${records.join('\n')}\n</root>\n`;
}

function record(id: string, more = ''): string {
  return `<property><id>${id}</id><ref>R${id}</ref><price>250000</price><price_freq>sale</price_freq><currency>EUR</currency>
<type><uk>House</uk><es>Casa</es></type><subtype><uk>Detached Villa</uk><es>Villa</es></subtype>
<town>Nerja</town><province>Málaga</province><beds>3</beds><baths>2</baths>${more}</property>`;
}

describe('a record', () => {
  test.each<[string, string, object]>([
    ['that is withdrawn', '<status>Off Market</status>', { status: 'Withdrawn' }],
    ['that is sold', '<status>Sold</status>', { status: 'Sold' }],
    [
      'with its status in availability',
      '<availability>Under Offer</availability>',
      { status: 'Under Offer' },
    ],
    ['with baths and toilets', '<Bath>2.5</Bath>', { bath: 2.5 }],
    ['with a flag as a word', '<has_pool>Yes</has_pool>', { has_pool: true }],
    [
      'with a description in CDATA',
      '<description><uk><![CDATA[A & <b>B</b>]]></uk></description>',
      { texts: { uk: { title: null, url: null, description: 'A & <b>B</b>' } } },
    ],
    [
      'with pictures out of order',
      '<images><image id="2"><url>b</url></image><image id="1"><url>a</url></image></images>',
      { pictures: ['a', 'b'] },
    ],
    [
      'with channels',
      '<channels><channel>Idealista</channel></channels>',
      { channels: ['idealista'] },
    ],
    ['without channels', '', { channels: null }],
    ['with half of a place', '<location><latitude>36.5</latitude></location>', { location: null }],
    [
      'with a sum of areas',
      '<surface_area><built>50 + 75</built></surface_area>',
      { built_area: 50 },
    ],
    [
      'with a date',
      '<last_updated>2026-03-04 05:06:07</last_updated>',
      { source_changed_at: '2026-03-04T05:06:07Z', updated_at: '2026-03-04T05:06:07Z' },
    ],
  ])('%s', async (_, more, expected) => {
    const { properties, bad } = await readSource(feed(record('1', more)));
    expect(bad).toEqual([]);
    expect(properties[0]).toMatchObject(expected);
  });

  test('without an id: has the ref as its id; without either: rejected', async () => {
    const nameless = record('1').replace('<id>1</id>', '');
    expect((await readSource(feed(nameless))).properties).toMatchObject([{ id: 'R1', ref: 'R1' }]);
    const { bad } = await readSource(feed(nameless.replace('R1', 'null')));
    expect(bad).toMatchObject([{ line: 4, id: null, problems: [{ field: 'id' }] }]);
  });

  test('with the id of a property of every JavaScript object: read', async () => {
    const { properties } = await readSource(feed(record('constructor')));
    expect(properties).toMatchObject([{ id: 'constructor', offers: { long_term: null } }]);
  });

  test('with unknown nodes: they are reported', async () => {
    const more =
      '<levels>2</levels><own_property/><description><xx>a</xx></description><characteristics><a>b</a></characteristics>';
    const { scan } = await readSource(feed(record('1', more)));
    expect(scan.ignored.map(({ name }) => name).sort()).toEqual([
      'characteristics/a',
      'description/xx',
      'levels',
    ]);
  });
});

describe('a value in another spelling', () => {
  const sale = (price: number | null) => ({ offers: { sale: { price, minimum_price: 0 } } });
  const week = (low: number | null) => ({ offers: { sale: null, short_term: { low } } });

  test.each<[string, string, object, readonly string[]]>([
    [
      'a price in groups',
      '<price>1.250.000</price>',
      sale(1_250_000),
      ['price thousands_separator'],
    ],
    ["a price in this service's decimals", '<price>99.125</price>', sale(99.125), []],
    ['a price on request', '<price>POA</price>', sale(null), ['price on_request']],
    ['a price of 0, which is on request', '<price>0</price>', sale(null), []],
    ['a price in words', '<price>Bargain</price>', sale(null), ['price unreadable']],
    ['no price', '<price/>', sale(null), ['price missing']],
    [
      'an unknown period',
      '<price_freq>eternity</price_freq>',
      sale(null),
      ['price_freq unknown_period'],
    ],
    [
      'a price per day, which is not one per week',
      '<price_freq>day</price_freq>',
      week(null),
      ['price_freq per_day'],
    ],
    [
      'seasons',
      '<shortterm_low>300-500</shortterm_low><shortterm_high>x</shortterm_high>',
      { offers: { short_term: { low: 300, high: null } } },
      ['shortterm_low first_number'],
    ],
    [
      'costs',
      '<ibi_fees>1.200</ibi_fees><community_fees>low</community_fees>',
      { ibi_fees: 1_200, community_fees: null },
      ['community_fees unreadable', 'ibi_fees thousands_separator'],
    ],
    ['baths and toilets', '<Bath>2,5</Bath>', { bath: 2.5 }, ['Bath half_bath']],
    [
      'another code of a language',
      '<description><dk>Fin</dk></description>',
      { texts: { da: {} } },
      ['description/dk language'],
    ],
    [
      'a text without a language',
      '<description>Nice</description>',
      { texts: { uk: {} } },
      ['description plain_text'],
    ],
    [
      'a year of 0',
      '<built_year>0</built_year>',
      { built_year: null },
      ['built_year out_of_bounds'],
    ],
    ['a long town', `<town>${'x'.repeat(300)}</town>`, { town: 'x'.repeat(200) }, ['town cut']],
    [
      '250 features',
      `<characteristics><category>${'<value><uk>a</uk></value>'.repeat(250)}</category></characteristics>`,
      { features: expect.objectContaining({ length: 200 }) },
      ['features too_many'],
    ],
  ])('%s: imported, and reported', async (_, node, expected, reports) => {
    const name = /<(\w+)/.exec(node)![1]!;
    const { properties, bad, interpreted } = await readSource(
      feed(
        record('1')
          .replace(new RegExp(`<${name}>.*?</${name}>`), '')
          .replace('</property>', `${node}</property>`),
      ),
    );
    expect(bad).toEqual([]);
    expect(properties).toMatchObject([expected]);
    expect(interpreted.map((one) => `${one.node} ${one.kind}`)).toEqual(reports);
  });

  test('which cannot be stored: rejects its record with --strict', async () => {
    const { bad } = await readSource(feed(record('1', '<built_year>0</built_year>')), {
      strict: true,
    });
    expect(bad).toMatchObject([{ id: '1', problems: [{ field: 'built_year' }] }]);
  });
});

test('types, categories and features become entries with their labels, under the codes of the built-in vocabulary', async () => {
  const category = (name: string, nombre: string, ...values: [string, string][]) =>
    `<category><name><uk>${name}</uk><es>${nombre}</es></name>${values
      .map(([uk, es]) => `<value><uk>${uk}</uk><es>${es}</es></value>`)
      .join('')}</category>`;
  const characteristics = [
    category('Pool', 'Piscina', ['Communal', 'Comunal']),
    category('Views', 'Vistas', ['Sea', 'Mar'], ['Volcano', 'Volcán']),
  ].join('');
  const { scan, properties } = await readSource(
    feed(record('1', `<characteristics>${characteristics}</characteristics>`)),
  );
  expect(properties[0]).toMatchObject({
    type: 'villa',
    features: ['Pool: Communal', 'Views: Sea', 'Views: Volcano'],
  });
  const documents = scan.vocabulary.map(({ document }) => document);
  expect(documents).toMatchObject([
    { kind: 'category', code: 'Pool', labels: { uk: 'Pool', es: 'Piscina' } },
    { kind: 'category', code: 'Views' },
    {
      kind: 'type',
      code: 'villa',
      labels: { uk: { type: 'House', subtype: 'Detached Villa' }, es: { subtype: 'Villa' } },
    },
    {
      kind: 'feature',
      code: 'Pool: Communal',
      category: 'Pool',
      labels: { es: 'Comunal', de: expect.any(String) },
    },
    { kind: 'feature', code: 'Views: Sea' },
    { kind: 'feature', code: 'Views: Volcano', labels: { uk: 'Volcano', es: 'Volcán' } },
  ]);
});

test('a direction of a unit with control characters, or too long: imported without them, truncated, and reported', async () => {
  const orientation = (name: string) =>
    `<category><name><uk>Orientation</uk></name><value><uk>${name}</uk></value></category>`;
  const unit = (id: string, direction: string) =>
    record(
      id,
      `<development_name>Sol</development_name><unit_name>${id}</unit_name>
      <characteristics>${orientation(direction)}</characteristics>`,
    );
  const { interpreted, documents } = await readSource(
    feed(unit('1', 'Sea\u0085side'), unit('2', 'Towards the lighthouse')),
  );
  expect(documents.filter(({ kind }) => kind === 'unit')).toMatchObject([
    { directions: ['Sea side'] },
    { directions: ['Towards the ligh'] },
  ]);
  expect(interpreted).toMatchObject([
    { node: 'characteristics/category/value', kind: 'control_characters', times: 1 },
    { node: 'characteristics/category/value', kind: 'cut', times: 1 },
  ]);
});

test('a feed ordered by listing date: detected by its listing dates', async () => {
  const dated = record('1', '<listing_date>2026-01-02 03:04:05</listing_date>');
  expect((await readSource(feed(dated))).scan.newestFirst).toBe(true);
  expect((await readSource(feed(record('1')))).scan.newestFirst).toBe(false);
});

test('a feed without a version: detected by its records', async () => {
  const content = feed(
    record('1', '<last_updated>2026-03-04 05:06:07</last_updated><has_pool>1</has_pool>'),
  );
  const { scan } = await readSource(content.replace(/<resalesonline>.*<\/resalesonline>/, ''));
  expect(scan.format).toBe('resales');
});

test.each<[string[], Record<string, string[]>, string[]]>([
  [['a', 'b', 'c'], {}, ['a', 'b', 'c']],
  [['a', 'b', 'c'], { c: ['a'], b: ['c'] }, ['b', 'c', 'a']],
  [['a', 'b', 'c'], { a: ['b'], b: ['a'] }, ['c', 'a', 'b']],
])('order of %j with %j after each: %j', (names, after, ordered) => {
  expect(topologicalSort(names, (one, other) => after[one]?.includes(other) ?? false)).toEqual(
    ordered,
  );
});
