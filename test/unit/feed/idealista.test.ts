import { Ajv } from 'ajv';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ShownDevelopment } from '../../../src/db/feed/feed-properties.ts';
import { IDEALISTA } from '../../../src/feed/formats/idealista/format.ts';
import { floorOf, typeOf } from '../../../src/feed/formats/idealista/values.ts';
import { STAGES } from '../../../src/portfolio/development.ts';
import { FEATURE_ENTRIES, TYPE_ENTRIES } from '../../../src/portfolio/vocabulary/entries.ts';
import { isInDevelopment } from '../../../src/rules/about/idealista.ts';
import { isRefusedBy } from '../../../src/rules/check.ts';
import { type ListedProperty, listingOfRow } from '../../../src/rules/listing.ts';
import { listing } from '../../support/accounts/listing.ts';
import { codePoint } from '../../support/code-point.ts';
import { IDEALISTA_SCHEMA } from '../../support/documents/idealista-schema.ts';

/** Random portfolios. */
const RUNS = Number(process.env.FUZZ_CASES ?? 300);

type IdealistaParameters = ReturnType<typeof IDEALISTA.parse>['parameters'];

const CODE = `ilc${'a1'.repeat(20)}`;
const validate = new Ajv({ strict: false, unicodeRegExp: false }).compile(IDEALISTA_SCHEMA);

const NAMES = [
  'Villa',
  'Ground Floor Apartment',
  'Studio',
  'Penthouse Duplex',
  'Residential Plot',
  'Garage',
  'Storage Room',
  'Office',
  'Warehouse',
  'Cortijo',
  'Something',
];
const DICTIONARY = {
  revision: 1,
  types: new Map(NAMES.map((name, id) => [id, { type: { uk: name }, subtype: {} }])),
  features: new Map([
    [1, { category: 'Orientation', label: { uk: 'South West' } }],
    [2, { category: 'Features', label: { uk: 'Lift' } }],
  ]),
};

const text = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.string({ unit: codePoint, maxLength: 30 }),
  fc.constant('a'.repeat(5_000)),
  fc.constant('two\r\nlines\u2028'),
);
const nullable = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const area = nullable(fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 90_000, max: 2_000_000_000 })));
const amount = nullable(
  fc.oneof(fc.constantFrom(-5, 0, 0.5, 99_999_999.9, 1e12), fc.double({ min: 1, max: 5e6, noNaN: true })),
);
const flag = fc.constantFrom(0 as const, 1 as const);

const property = fc.record({
  identifier: fc.oneof(fc.string({ minLength: 1, maxLength: 60 }), fc.constant('x'.repeat(50))),
  reference: text,
  updated_at: fc.constant(1),
  listed_at: fc.constant(1),
  status: fc.constant('Available'),
  type_id: fc.nat(NAMES.length - 1),
  currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'GBP'),
  for_sale: flag,
  sale_price: amount,
  minimum_price: fc.constant(0),
  for_long_term: flag,
  monthly_rent: amount,
  for_short_term: flag,
  low_season_rent: amount,
  high_season_rent: amount,
  rental_license: fc.constant(null),
  town: text,
  province: fc.constantFrom('Málaga', '', 'Roma'),
  country: nullable(fc.constantFrom('Spain', 'Italy', 'Atlantis', '')),
  area: fc.constant(null),
  postcode: nullable(fc.constantFrom('29640', 'x', '1000-100')),
  latitude: nullable(fc.double({ min: -90, max: 90, noNaN: true })),
  longitude: nullable(fc.double({ min: -180, max: 180, noNaN: true })),
  beds: fc.oneof(fc.nat(6), fc.constant(300)),
  bath: fc.oneof(fc.constantFrom(0, 0.5, 1, 2.5), fc.constant(120)),
  built_area: area,
  plot_area: area,
  terrace_area: area,
  living_area: area,
  built_year: nullable(fc.constantFrom(0, 1_950, 2_026, 3_000)),
  community_fees: amount,
  garbage_tax: amount,
  ibi_fees: amount,
  cadastral_ref: fc.constant(null),
  has_pool: flag,
  has_garden: flag,
  has_garage: flag,
  emissions: fc.constant('X'),
  consumption: fc.constantFrom('A', 'X'),
  energy_status: fc.constantFrom(null, 'exempt', 'in_process'),
  virtual_tour_url: fc.constant(null),
  video_url: fc.constant(null),
  address: nullable(text),
  floor: nullable(fc.constantFrom('Bajo', '3ª', '61', 'third')),
  pictures: nullable(
    fc.constantFrom('https://e.example/1.jpg', 'ftp://x\nhttps://e.example/2.jpg\nhttps://e.example/2.jpg', 'nothing'),
  ),
  features: nullable(fc.constantFrom('1', '1,2')),
  directions: nullable(fc.constantFrom('["NE"]', '["X"]')),
  development_name: fc.constant(null),
  unit_name: fc.constant(null),
  descriptions: fc.tuple(nullable(text), nullable(text)),
});

const place = {
  address: nullable(text),
  town: nullable(fc.constantFrom('Nerja', '')),
  province: nullable(fc.constantFrom('Málaga', 'Roma')),
  country: nullable(fc.constantFrom('Spain', 'Atlantis')),
  postcode: nullable(fc.constantFrom('29640', 'x')),
  location: nullable(
    fc.record({
      latitude: fc.double({ min: -90, max: 90, noNaN: true }),
      longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    }),
  ),
};

const details = fc.record({
  building: fc.constantFrom('new_building', 'restored_building', 'houses', 'mixed'),
  stage: nullable(fc.constantFrom(...STAGES)),
  finished: nullable(fc.boolean()),
  starts_on: nullable(fc.constantFrom('2026-09-01', '2000-12-31')),
  keys_in: nullable(fc.constantFrom('2028-06', '2099-12')),
  energy: nullable(fc.constantFrom('A', 'in_process', 'exempt')),
  texts: fc.oneof(fc.constant({}), fc.record({ uk: fc.record({ description: text }) })),
  pictures: fc.constantFrom([], ['https://e.example/1.jpg', 'nothing', 'https://e.example/1.jpg']),
  ...place,
});

/** A development whose name and identifier can be long, with its units in pages. */
const development = fc.record({
  shown: fc.record({
    id: fc.oneof(fc.string({ minLength: 1, maxLength: 60 }), fc.constant('x'.repeat(100))),
    name: fc.oneof(fc.string({ minLength: 1, maxLength: 60 }), fc.constant('Sol '.repeat(40))),
    details,
  }),
  pages: fc.array(fc.array(property, { maxLength: 3 }), { minLength: 1, maxLength: 3 }),
});

const query = { CustomerCode: CODE, Language: '1,2', ContactEmail: 'a@costa.es', ContactPhone: '910000000' };

/** The pages of a part, joined as the build joins them. */
function partOf(
  pages: readonly (readonly ListedProperty[])[],
  shown: ShownDevelopment | null,
  parameters: IdealistaParameters,
) {
  let [text, recordsBefore] = ['', 0];
  for (const [index, rows] of pages.entries()) {
    const isLast = index === pages.length - 1;
    const page = { development: shown, recordsBefore, isLast };
    const written = IDEALISTA.writeProperties(rows, parameters, DICTIONARY, page);
    if (recordsBefore > 0 && written.records > 0) text += IDEALISTA.separator;
    text += written.text;
    recordsBefore += written.records;
  }
  return { text, records: recordsBefore };
}

test.each([
  ['Climate Control: Pre Installed A/C', {}],
  ['Climate Control: Hot And Cold A/C', { featuresConditionedAir: true }],
  ['Condition: Renovation Required', { featuresConservation: 'toRestore' }],
  ['Condition: Excellent', { featuresConservation: 'good' }],
  ['Features: Access for people with reduced mobility', { featuresHandicapAdaptedAccess: true }],
  ['Security: Concierge', { featuresDoorman: true }],
  ['Furniture: Furnished', {}, { featuresEquippedWithFurniture: true }],
  ['Furniture: Part Furnished', {}],
  ['Furniture: Not Furnished', {}],
  ['Kitchen: Fitted', {}, { featuresEquippedKitchen: true }],
  ['Kitchen: Partially Fitted', {}],
  ['Kitchen: Not Fitted', {}],
])('a home with the feature %s: for sale, %o; for rent also %o', (feature, expected, ofRental: object = {}) => {
  const { category, document } = FEATURE_ENTRIES.find(({ code }) => code === feature)!;
  const dictionary = { ...DICTIONARY, features: new Map([[1, { category, label: document.labels }]]) };
  const [any] = fc.sample(property, { numRuns: 1, seed: 1 });
  const home = {
    type_id: 0,
    ...{ for_sale: 1, sale_price: 9_000, for_long_term: 1, monthly_rent: 900 },
    currency: 'EUR',
    built_area: 90,
    bath: 1,
    beds: 1,
  };
  const place = { latitude: 36, longitude: -4, development: null, directions: null, features: '1' };
  const row = { ...any, ...home, ...place } as unknown as ListedProperty;
  const [withFeature, without] = [row, { ...row, features: null }].map((one) => {
    const { text } = IDEALISTA.writeProperties([one], IDEALISTA.parse(query).parameters, dictionary);
    return (JSON.parse(`[${text}]`) as { propertyFeatures: object }[]).map((one) => one.propertyFeatures);
  });
  expect(withFeature).toEqual([
    { ...without![0], ...expected },
    { ...without![1], ...expected, ...ofRental },
  ]);
});

test('a workshop, which is a garage in French: business premises', () => {
  const labels = Object.entries(TYPE_ENTRIES.find(({ code }) => code === 'mechanics')!.document.labels);
  const names = (part: 'type' | 'subtype') =>
    Object.fromEntries(labels.map(([language, label]) => [language, label![part]!]));
  expect(typeOf(listing({ type: names('type'), subtype: names('subtype') }))).toBe('premises_commercial');
});

test.each([
  ['Bajo', 'bj'],
  ['Ground floor', 'bj'],
  ['0', 'bj'],
  ['Entresuelo', 'en'],
  ['semisótano', 'ss'],
  ['-1', '-1'],
  ['12', '12'],
  ['Planta 3', '3'],
  [' 2nd floor', '2'],
  ['1º', '1'],
  ['61', undefined],
  ['2 plantas', undefined],
  ['seventh', undefined],
  ['', undefined],
])('the floor %o: %o', (floor, expected) => {
  expect(floorOf(floor)).toBe(expected);
});

test('any portfolio: a document that is valid by the schema; what is left out has a reason, and what has one is left out', () => {
  let [accepted, units] = [0, 0];
  const places = fc.constantFrom('exact' as const, 'moved' as const);
  fc.assert(
    fc.property(
      fc.array(property, { maxLength: 6 }),
      fc.array(development, { maxLength: 2 }),
      places,
      (...generated) => {
        const { parameters: parsed, errors } = IDEALISTA.parse(query);
        expect(errors).toEqual([]);
        const parameters: IdealistaParameters = {
          ...parsed,
          policy: { withhold: [], place: generated[2], kind: null },
        };
        const singles = (generated[0] as unknown as ListedProperty[]).map((row) => ({ ...row, development: null }));
        const developments = generated[1].map(({ shown, pages }) => ({
          shown: shown as unknown as ShownDevelopment,
          pages: pages.map((page) =>
            page.map((row) => ({ ...row, development: shown.details }) as never as ListedProperty),
          ),
        }));
        const all = [...singles, ...developments.flatMap(({ pages }) => pages.flat())];
        const properties = all.map((row) => partOf([[row]], null, parameters));
        const parts = developments.map(({ shown, pages }) => partOf(pages, shown, parameters));
        const textsOf = (written: typeof parts) => written.flatMap(({ text }) => (text === '' ? [] : [text]));
        const shown = textsOf(parts);
        const text =
          IDEALISTA.head(parameters) +
          textsOf(properties).join(IDEALISTA.separator) +
          (shown.length > 0 ? IDEALISTA.developments + shown.join(IDEALISTA.separator) : '') +
          IDEALISTA.tail;
        const first = validate(JSON.parse(text)) ? [] : validate.errors;
        // Two random properties may have the same values.
        expect(first?.filter(({ keyword }) => keyword !== 'uniqueItems')).toEqual([]);
        let inDevelopments = 0;
        for (const [index, row] of all.entries()) {
          const listing = listingOfRow(row, parameters.languages, DICTIONARY);
          const alone = IDEALISTA.writeProperties([row], parameters, DICTIONARY).records;
          expect(alone > 0, JSON.stringify(listing)).toBe(!isRefusedBy('idealista', listing));
          expect(properties[index]!.records).toBe(isInDevelopment(listing) ? 0 : alone);
          if (isInDevelopment(listing)) inDevelopments += alone;
        }
        expect(parts.reduce((sum, { records }) => sum + records, 0)).toBe(inDevelopments);
        accepted += textsOf(properties).length;
        units += inDevelopments;
      },
    ),
    { numRuns: RUNS, seed: 6 },
  );
  expect(accepted).toBeGreaterThan(RUNS / 5);
  expect(units).toBeGreaterThan(RUNS / 15);
});
