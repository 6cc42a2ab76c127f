import { describe, expect, test } from 'vitest';
import type { PropertyDocument } from '../../../src/portfolio/documents.ts';
import { readSource } from '../../support/import-source.ts';
import { type KyeroNodes, kyeroFeed, kyeroRecord } from '../../support/kyero.ts';

/**
 * Nodes in the spelling of other programs, what is imported from them, and how each is reported. They were found in feeds
 * and in programs that write or read them: `desc` and `url` with an attribute for the language, dates as toISOString()
 * formats them or without a time, `en_tramite` and `exento` of certificates, coordinates of 0 for none and in degrees and
 * minutes, prices of 0 for none, `long_term_rental`, `status` of the program in `price_freq`, `image/tags`, `plot_area`
 * (public repositories, by a search for `<price_freq>`, `<part_ownership>` and `->energy_rating->consumption`); `address`,
 * `floor`, `commission`, `terrace` and `cadastralRef` (devdocs.resales-online.com, "Kyero format"); `catastral`,
 * `video_url`, `virtual_tour_url` and `prime` (the published test feed, kyero_v3_test_feed.xml).
 */
type Case = [given: string, nodes: KyeroNodes, imported: Expected, reports: readonly string[]];

type Expected = Partial<PropertyDocument>;

const sale = (price: number | null) => ({ offers: { ...NONE, sale: { price, minimum_price: 0 } } });
const longTerm = (rent: number | null) => ({ offers: { ...NONE, long_term: { rent } } });
const shortTerm = (low: number | null) => ({ offers: { ...NONE, short_term: { low, high: null, license: null } } });
const NONE = { sale: null, long_term: null, short_term: null };

const PRICES: Case[] = [
  ['x', { price: 'x' }, sale(null), []],
  ['POA', { price: 'POA' }, sale(null), ['price on_request']],
  ['Price on request', { price: 'Price on request' }, sale(null), ['price on_request']],
  ['a consultar', { price: 'A consultar' }, sale(null), ['price on_request']],
  ['0', { price: '0' }, sale(null), ['price on_request']],
  ['nothing', { price: '' }, sale(null), ['price missing']],
  ['no node', { price: null }, sale(null), ['price missing']],
  ['words', { price: 'Bargain!' }, sale(null), ['price unreadable']],
  ['cents', { price: '250000.50' }, sale(250_000.5), []],
  ['1.250.000', { price: '1.250.000' }, sale(1_250_000), ['price thousands_separator']],
  ['1,250,000.00', { price: '1,250,000.00' }, sale(1_250_000), ['price thousands_separator']],
  ['1.250.000,50', { price: '1.250.000,50' }, sale(1_250_000.5), ['price thousands_separator']],
  ['1 250 000', { price: '1 250 000' }, sale(1_250_000), ['price thousands_separator']],
  ["1'250'000", { price: "1'250'000" }, sale(1_250_000), ['price thousands_separator']],
  ['250,000', { price: '250,000' }, sale(250_000), ['price thousands_separator']],
  ['250.000 for sale, which 250 cannot be', { price: '250.000' }, sale(250_000), ['price thousands_separator']],
  ['250000.000', { price: '250000.000' }, sale(250_000), []],
  [
    '850.000 a month, which may be 850',
    { price: '850.000', price_freq: 'month' },
    longTerm(null),
    ['price unreadable'],
  ],
  ['1.200 a month', { price: '1.200', price_freq: 'month' }, longTerm(1_200), ['price thousands_separator']],
  ['€ 250,000', { price: '€ 250,000' }, sale(250_000), ['price thousands_separator']],
  ['250000 EUR', { price: '250000 EUR' }, sale(250_000), ['price unit']],
  [
    'a currency sign without the currency node',
    { price: '£250000', currency: null },
    { currency: 'GBP' },
    ['price unit'],
  ],
  ['from 250000', { price: 'from 250000' }, sale(250_000), ['price first_number']],
  ['250000 - 300000', { price: '250000 - 300000' }, sale(250_000), ['price first_number']],
  ['1.2M', { price: '1.2M' }, sale(1_200_000), ['price unit']],
  ['-1', { price: '-1' }, sale(null), ['price unreadable']],
];

const FREQUENCIES: Case[] = [
  ...['sale', 'rent', 'month', 'rentlong', 'week', 'rentshort', 'Sale'].map(
    (price_freq): Case => [
      price_freq,
      { price_freq },
      /sale/i.test(price_freq)
        ? sale(250_000)
        : /month|rent$|long/.test(price_freq)
          ? longTerm(250_000)
          : shortTerm(250_000),
      [],
    ],
  ),
  ...['for sale', 'FOR_SALE', 'resale', 'new_build', 'venta', 'En venta', 'Verkauf', 'à vendre'].map(
    (price_freq): Case => [price_freq, { price_freq }, sale(250_000), ['price_freq spelling']],
  ),
  ...[
    'monthly',
    'per month',
    '/month',
    'pcm',
    'mensual',
    'Alquiler',
    'long_term_rental',
    'Larga temporada',
    'maand',
  ].map((price_freq): Case => [price_freq, { price_freq }, longTerm(250_000), ['price_freq spelling']]),
  ...['weekly', 'per week', 'short-term', 'Holiday Rental', 'semanal', 'Alquiler vacacional', 'pro Woche'].map(
    (price_freq): Case => [price_freq, { price_freq }, shortTerm(250_000), ['price_freq spelling']],
  ),
  ['per night', { price_freq: 'per night' }, shortTerm(null), ['price_freq per_day']],
  [
    'the name of a property of every JavaScript object',
    { price_freq: 'constructor' },
    sale(250_000),
    ['price_freq unreadable'],
  ],
  ['nothing', { price_freq: '' }, sale(250_000), ['price_freq missing']],
];

const NUMBERS: Case[] = [
  ['2.5 baths', { baths: '2.5' }, { bath: 2.5 }, ['baths half_bath']],
  ['2,5 baths', { baths: '2,5' }, { bath: 2.5 }, ['baths half_bath']],
  ['2 baths + 1 toilet', { baths: '2 + 1 toilet' }, { bath: 2.5 }, ['baths half_bath']],
  ['2.0 baths', { baths: '2.0' }, { bath: 2 }, []],
  ['2.25 baths', { baths: '2.25' }, { bath: 2 }, ['baths rounded']],
  ['3 + 1 bedrooms', { beds: '3 + 1' }, { beds: 3 }, ['beds first_number']],
  ['6+ bedrooms', { beds: '6+' }, { beds: 6 }, ['beds first_number']],
  ['a studio', { beds: 'Studio' }, { beds: 0 }, ['beds spelling']],
  ['half a bedroom', { beds: '2.5' }, { beds: 2 }, ['beds rounded']],
  ['-1 bedrooms', { beds: '-1' }, { beds: 0 }, ['beds out_of_bounds']],
  ['bedrooms as words', { beds: 'three' }, { beds: 0 }, ['beds unreadable']],
  ['bedrooms', { beds: null, bedrooms: '4' }, { beds: 4 }, []],
  ['--- of a plot', { surface_area: '<plot>---</plot>' }, { plot_area: null }, ['surface_area/plot unreadable']],
  [
    '50 + 75 terrace',
    { surface_area: '<built>50 + 75 terrace</built>' },
    { built_area: 50 },
    ['surface_area/built first_number'],
  ],
  ['120 m²', { surface_area: '<built>120 m²</built>' }, { built_area: 120 }, ['surface_area/built unit']],
  ['120,5', { surface_area: '<built>120,5</built>' }, { built_area: 121 }, ['surface_area/built decimal_comma']],
  [
    '1.200, which 1.2 cannot be',
    { surface_area: '<plot>1.200</plot>' },
    { plot_area: 1_200 },
    ['surface_area/plot thousands_separator'],
  ],
  [
    '120.000, which may be 120',
    { surface_area: '<plot>120.000</plot>' },
    { plot_area: null },
    ['surface_area/plot unreadable'],
  ],
  ['12,500', { surface_area: '<plot>12,500</plot>' }, { plot_area: 12_500 }, ['surface_area/plot thousands_separator']],
  ['1.5 ha', { surface_area: '<plot>1.5 ha</plot>' }, { plot_area: 15_000 }, ['surface_area/plot unit']],
  ['an area as text', { surface_area: '85' }, { built_area: 85 }, []],
  ['plot_area outside surface_area', { plot_area: '300' }, { plot_area: 300 }, []],
  ['a terrace', { surface_area: '<terrace>20</terrace>' }, { terrace_area: 20 }, []],
  [
    'an area twice with one text',
    { surface_area: '<built>9</built><built>9</built>' },
    { built_area: 9 },
    ['surface_area/built repeated'],
  ],
  [
    'an area of 10^12',
    { surface_area: '<built>1000000000000</built>' },
    { built_area: null },
    ['built_area out_of_bounds'],
  ],
  ['fees in euros', { community_fees: '120,50 €' }, { community_fees: 120.5 }, ['community_fees decimal_comma']],
];

const FLAGS: Case[] = [
  ...['1', '0', ''].map((pool): Case => [`a pool of "${pool}"`, { pool }, { has_pool: pool === '1' }, []]),
  ...['Private', 'Communal', 'Comunitaria', 'Yes', 'Sí', 'Ja', '2'].map(
    (pool): Case => [`a pool: ${pool}`, { pool }, { has_pool: true }, ['pool spelling']],
  ),
  ...['No', 'Nee', 'None', 'no pool', 'Sin piscina', 'Room for pool', '-'].map(
    (pool): Case => [`a pool: ${pool}`, { pool }, { has_pool: false }, ['pool spelling']],
  ),
  ['a new build: true', { new_build: 'true' }, { new_build: true }, []],
  ['a new build: perhaps', { new_build: 'perhaps' }, { new_build: false }, ['new_build unreadable']],
  [
    'leasehold, part ownership, prime',
    { leasehold: '1', part_ownership: '1', prime: '1' },
    { leasehold: true, part_ownership: true, prime: true },
    [],
  ],
];

const DATES: Case[] = [
  ...(
    [
      ['2026-03-04 05:06:07', '2026-03-04T05:06:07Z', false],
      ['2026-03-04T05:06:07', '2026-03-04T05:06:07Z', false],
      ['2026-03-04 24:00:00', '2026-03-05T00:00:00Z', false],
      ['2026-03-04T05:06:07Z', '2026-03-04T05:06:07Z', true],
      ['2026-03-04T05:06:07.123Z', '2026-03-04T05:06:07Z', true],
      ['2026-03-04T05:06:07+01:00', '2026-03-04T04:06:07Z', true],
      ['2026-03-04', '2026-03-04T00:00:00Z', true],
      ['2026-03-04 05:06', '2026-03-04T05:06:00Z', true],
      ['2026/03/04', '2026-03-04T00:00:00Z', true],
      ['20260304', '2026-03-04T00:00:00Z', true],
      ['04/03/2026', '2026-03-04T00:00:00Z', true],
      ['04-03-2026 05:06:07', '2026-03-04T05:06:07Z', true],
      ['3/24/2026', '2026-03-24T00:00:00Z', true],
      ['04.03.2026', '2026-03-04T00:00:00Z', true],
      ['1772600767', '2026-03-04T05:06:07Z', true],
      ['Wed, 04 Mar 2026 06:06:07 +0100', '2026-03-04T05:06:07Z', true],
    ] as const
  ).map(
    ([date, time, reported]): Case => [
      date,
      { date },
      { source_changed_at: time, listed_at: time },
      reported ? ['date date_format'] : [],
    ],
  ),
  ...['0001-01-01 00:00:00', '1900-01-01', '1969-12-31 23:59:59'].map(
    (date): Case => [date, { date }, { source_changed_at: null, listed_at: '2026-05-01T09:30:00Z' }, ['date no_date']],
  ),
  ...['2026-02-30 00:00:00', 'yesterday', '9999-12-31 24:00:00', '2026-13-01'].map(
    (date): Case => [date, { date }, { source_changed_at: null }, ['date unreadable']],
  ),
];

const ENERGY: Case[] = [
  ...(
    [
      ['B', 'B', false],
      ['b', 'B', false],
      ['X', 'X', false],
      ['Processing', 'X', true],
      ['In Progress', 'X', true],
      ['In Process', 'X', true],
      ['Exempt', 'X', true],
      ['en_tramite', 'X', true],
      ['En trámite', 'X', true],
      ['exento', 'X', true],
      ['Not available', 'X', true],
      ['-', 'X', true],
      ['A+', 'A', true],
      ['D (150 kWh/m²)', 'D', true],
      ['Clase E', 'E', true],
    ] as const
  ).map(
    ([letter, emissions, reported]): Case => [
      letter,
      { energy_rating: `<emissions>${letter}</emissions>` },
      { emissions },
      reported ? ['energy_rating/emissions spelling'] : [],
    ],
  ),
  ['H', { energy_rating: '<emissions>H</emissions>' }, { emissions: 'X' }, ['energy_rating/emissions unreadable']],
  ['only a letter', { energy_rating: 'C' }, { consumption: 'C', emissions: 'X' }, []],
];

const PLACES: Case[] = [
  [
    'decimals',
    { location: '<latitude>36.5</latitude><longitude>-4.9</longitude>' },
    { location: { latitude: 36.5, longitude: -4.9 } },
    [],
  ],
  [
    'decimal commas',
    { location: '<latitude>36,5</latitude><longitude>-4,9</longitude>' },
    { location: { latitude: 36.5, longitude: -4.9 } },
    ['location decimal_comma'],
  ],
  [
    'degrees, minutes and seconds',
    { location: `<latitude>36°30'36"N</latitude><longitude>4°54'00"W</longitude>` },
    { location: { latitude: 36.51, longitude: -4.9 } },
    ['location coordinates_format'],
  ],
  [
    'both in one node',
    { location: '<latitude>36.5, -4.9</latitude><longitude/>' },
    { location: { latitude: 36.5, longitude: -4.9 } },
    ['location coordinates_format'],
  ],
  [
    'latitude and longitude directly in the record',
    { latitude: '36.5', longitude: '-4.9' },
    { location: { latitude: 36.5, longitude: -4.9 } },
    [],
  ],
  [
    'possibly swapped',
    { location: '<latitude>-4.9</latitude><longitude>36.5</longitude>' },
    { location: { latitude: -4.9, longitude: 36.5 } },
    ['location coordinates_swapped'],
  ],
  [
    '0, 0',
    { location: '<latitude>0</latitude><longitude>0.0</longitude>' },
    { location: null },
    ['location no_coordinates'],
  ],
  ['only a latitude', { location: '<latitude>36.5</latitude>' }, { location: null }, ['location unreadable']],
  [
    'out of range',
    { location: '<latitude>91</latitude><longitude>0</longitude>' },
    { location: null },
    ['location out_of_bounds'],
  ],
];

const TEXTS: Case[] = [
  ['a description without a language', { desc: 'Nice' }, texts('uk', 'Nice'), ['desc plain_text']],
  ['a description with markup but no language', { desc: '<p>Nice</p>' }, texts('uk', 'Nice'), ['desc plain_text']],
  ['a language twice', { desc: '<en>a</en><en>b</en>' }, texts('uk', 'a'), ['desc/en first_of_several']],
  ['a language twice with one text', { desc: '<en>a</en><en> a </en>' }, texts('uk', 'a'), ['desc/en repeated']],
  ['further languages', { desc: '<it>a</it>' }, texts('it', 'a'), []],
  ['Ukrainian', { desc: '<uk>Гарний будинок</uk>' }, texts('ua', 'Гарний будинок'), ['desc/uk language']],
  ['English as uk', { desc: '<uk>Nice</uk>' }, texts('uk', 'Nice'), ['desc/uk language']],
  ['a code of a country', { desc: '<se>Fin</se>' }, texts('sv', 'Fin'), ['desc/se language']],
  ['a locale', { desc: '<es-ES>Bonito</es-ES>' }, texts('es', 'Bonito'), ['desc/es-ES language']],
  ['description', { description: '<en>Nice</en>' }, texts('uk', 'Nice'), []],
  ['titles', { title: '<en>Villa</en>' }, { texts: { uk: { title: 'Villa', description: null, url: null } } }, []],
  [
    'a title without a language',
    { title: 'Villa' },
    { texts: { uk: { title: 'Villa', description: null, url: null } } },
    ['title plain_text'],
  ],
  [
    'a URL without a language',
    { url: 'https://a.example/1' },
    { texts: { uk: { title: null, description: null, url: 'https://a.example/1' } } },
    ['url plain_text'],
  ],
  [
    'a URL in a language',
    { url: '<es>https://a.example/1</es>' },
    { texts: { es: { title: null, description: null, url: 'https://a.example/1' } } },
    [],
  ],
  [
    'a description of 70,000 bytes',
    { desc: `<en>${'ñ'.repeat(35_000)}</en>` },
    texts('uk', 'ñ'.repeat(32_768)),
    ['texts.uk.description cut'],
  ],
];

function texts(language: string, description: string): Expected {
  return { texts: { [language]: { title: null, description, url: null } } };
}

const LISTS: Case[] = [
  [
    'a URL as text',
    { images: '<image id="1">https://p.example/1.jpg</image>' },
    { pictures: ['https://p.example/1.jpg'] },
    ['images/image spelling'],
  ],
  [
    'a URL in an attribute',
    { images: '<image id="1" url="https://p.example/1.jpg"/>' },
    { pictures: ['https://p.example/1.jpg'] },
    ['images/image spelling'],
  ],
  [
    'ids with gaps, repeated ids and no id',
    {
      images:
        '<image id="7"><url>c</url></image><image id="1"><url>a</url></image><image><url>d</url></image><image id="1"><url>b</url></image><image id="9"/>',
    },
    { pictures: ['a', 'b', 'c', 'd'] },
    [],
  ],
  [
    'a picture twice',
    { images: '<image id="1"><url>a</url></image><image id="2"><url>a</url></image>' },
    { pictures: ['a'] },
    ['images/image repeated'],
  ],
  [
    '1,001 pictures',
    { images: many(1_001, (i) => `<image><url>${i}</url></image>`) },
    { pictures: Array.from({ length: 1_000 }, (_, i) => `${i}`) },
    ['images too_many'],
  ],
  [
    'a URL that is too long',
    { images: `<image><url>${'x'.repeat(1_025)}</url></image>` },
    { pictures: [] },
    ['images/image out_of_bounds'],
  ],
  [
    'features in one text',
    { features: 'Own helipad, Moat' },
    { features: ['Own helipad', 'Moat'] },
    ['features text_split'],
  ],
  ['features in languages', { features: '<feature><es>Foso</es><en>Moat</en></feature>' }, { features: ['Moat'] }, []],
  [
    'a feature that is too long',
    { features: `<feature>${'x'.repeat(201)}</feature>` },
    { features: ['x'.repeat(200)] },
    ['features/feature cut'],
  ],
  [
    '201 features',
    { features: many(201, (i) => `<feature>f${i}</feature>`) },
    { features: Array.from({ length: 200 }, (_, i) => `f${i}`) },
    ['features too_many'],
  ],
  [
    'features in two elements',
    { features: '<feature>a</feature></features><features><feature>b</feature>' },
    { features: ['a', 'b'] },
    [],
  ],
];

function many(count: number, of: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => of(index)).join('');
}

const OTHERS: Case[] = [
  ['no ref', { ref: null }, { ref: 'K1' }, ['ref missing']],
  ['an empty ref', { ref: ' ' }, { ref: 'K1' }, ['ref missing']],
  ['no town', { town: null }, { town: '' }, ['town missing']],
  ['no known province', { province: null }, { province: '' }, ['province missing']],
  ['no type', { type: null }, { type: 'Property' }, ['type missing']],
  ['an unknown type', { type: 'Folly' }, { type: 'Folly' }, []],
  ['an unknown type with a subtype', { type: 'Folly', subtype: 'Grotto' }, { type: 'Folly - Grotto' }, []],
  ['a currency by its sign', { currency: '€' }, { currency: 'EUR' }, ['currency spelling']],
  ['an unknown currency', { currency: 'Taler' }, { currency: 'EUR' }, ['currency unreadable']],
  ['a node twice with one text', { ref: 'a</ref><ref>a' }, { ref: 'a' }, ['ref repeated']],
  ['a node twice with two texts', { ref: 'a</ref><ref>b' }, { ref: 'a' }, ['ref first_of_several']],
  ['a node twice, once empty', { ref: '</ref><ref>b' }, { ref: 'b' }, []],
  ['catastral', { catastral: '12' }, { cadastral_ref: '12' }, []],
  ['cadastralRef', { cadastralRef: '12' }, { cadastral_ref: '12' }, []],
  ['cadastral_ref', { cadastral_ref: '12' }, { cadastral_ref: '12' }, []],
  [
    'a tour in markup',
    { virtual_tour_url: '&lt;iframe width="9" src="https://t.example/1?a=1&amp;amp;b=2"&gt;&lt;/iframe&gt;' },
    { virtual_tour_url: 'https://t.example/1?a=1&b=2' },
    ['virtual_tour_url link_extracted'],
  ],
  [
    'a tour in an element',
    { virtual_tour_url: '<iframe src="https://t.example/1"></iframe>' },
    { virtual_tour_url: 'https://t.example/1' },
    ['virtual_tour_url link_extracted'],
  ],
  ['a video', { video_url: 'https://v.example/1' }, { video_url: 'https://v.example/1' }, []],
  [
    'notes, address, floor, email',
    { notes: 'n', address: 'a', floor: '2', email: 'e@x.example' },
    { notes: 'n', address: 'a', floor: '2', email: 'e@x.example' },
    [],
  ],
  [
    'a commission',
    { commission: '<value>5.0</value><split>50</split><notes>IVA</notes>' },
    { commission: '5.0, split 50, IVA' },
    [],
  ],
  [
    'channels',
    { channels: '<channel>Idealista</channel><channel> coast </channel><channel>coast</channel>' },
    { channels: ['coast', 'idealista'] },
    [],
  ],
  ['channels in one text', { channels: 'idealista, coast' }, { channels: ['coast', 'idealista'] }, []],
  ['no channels', { channels: '' }, { channels: [] }, []],
  ['without channels', {}, { channels: null }, []],
  ['no name of a channel', { channels: 'coast, ¡x!' }, { channels: ['coast'] }, ['channels/channel unreadable']],
  ['a status in Spanish', { status: 'Reservado' }, { status: 'Sale Agreed' }, ['status spelling']],
  ['let', { status: 'Alquilado' }, { status: 'Available', rented: true }, ['status spelling']],
  [
    'a status named like a property of every JavaScript object',
    { status: 'valueOf' },
    { status: 'Available' },
    ['status unreadable'],
  ],
  ['a town of 300 characters', { town: 'x'.repeat(300) }, { town: 'x'.repeat(200) }, ['town cut']],
];

describe.each<[string, Case[]]>([
  ['price', PRICES],
  ['price_freq', FREQUENCIES],
  ['a number', NUMBERS],
  ['a flag', FLAGS],
  ['date', DATES],
  ['an energy letter', ENERGY],
  ['a location', PLACES],
  ['texts', TEXTS],
  ['lists', LISTS],
  ['other nodes', OTHERS],
])('%s', (_, cases) => {
  test.each(cases)('%s', async (_, nodes, expected, reports) => {
    const { properties, bad, interpreted } = await readSource(kyeroFeed([kyeroRecord('K1', nodes)]));
    expect(bad).toEqual([]);
    expect(properties[0]).toMatchObject(expected);
    expect(interpreted.map(({ node, kind }) => `${node} ${kind}`)).toEqual(reports);
  });

  test.each(cases.filter(([, , , reports]) => reports.length === 0))(
    '%s, with --strict',
    async (_, nodes, expected) => {
      const { properties, bad } = await readSource(kyeroFeed([kyeroRecord('K1', nodes)]), { strict: true });
      expect(bad).toEqual([]);
      expect(properties[0]).toMatchObject(expected);
    },
  );
});
