import { Ajv } from 'ajv';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FeedProperty, ShownDevelopment } from '../../../src/feed/build/feed-properties.ts';
import { IDEALISTA } from '../../../src/feed/formats/idealista/format.ts';
import {
  CONSERVATION,
  FEATURES,
  FLATS,
  floorOf,
  RENTALS,
  typeOf,
} from '../../../src/feed/formats/idealista/values.ts';
import { type DevelopmentPlace, STAGES } from '../../../src/properties/development.ts';
import { isInDevelopment } from '../../../src/rules/about/idealista.ts';
import { isRefusedBy } from '../../../src/rules/check.ts';
import { dictionaryOf, listingOfRow } from '../../../src/rules/listing.ts';
import { FEATURE_ENTRIES, TYPE_ENTRIES } from '../../../src/vocabulary/entries.ts';
import type { VocabularyRead } from '../../../src/vocabulary/stored.ts';
import { property as propertyDocument } from '../../support/accounts/portfolio.ts';
import { codePoint } from '../../support/code-point.ts';
import { IDEALISTA_SCHEMA } from '../../support/documents/idealista-schema.ts';

/** Random portfolios. */
const RUNS = Number(process.env.FUZZ_CASES ?? 300);

type IdealistaParameters = ReturnType<typeof IDEALISTA.parse>['parameters'];

const CODE = `ilc${'a1'.repeat(20)}`;
const validate = new Ajv({ strict: false, unicodeRegExp: false }).compile(IDEALISTA_SCHEMA);

const TYPES = [
  ...[
    'villa',
    'apartment-ground',
    'studio',
    'penthouse-duplex',
    'plot-residential',
    'garage',
    'storage',
  ],
  ...['office', 'warehouse', 'finca', 'something'],
];

/** The built-in vocabulary. */
const VOCABULARY: VocabularyRead = {
  revision: '1',
  types: TYPE_ENTRIES.map(({ document }) => document),
  categories: [],
  features: FEATURE_ENTRIES.map(({ document }) => document),
};
const DICTIONARY = dictionaryOf(VOCABULARY);

const text = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.string({ unit: codePoint, maxLength: 30 }),
  fc.constant('a'.repeat(5_000)),
  fc.constant('two\r\nlines\u2028'),
);
const nullable = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const area = nullable(
  fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 90_000, max: 2_000_000_000 })),
);
const amount = nullable(
  fc.oneof(
    fc.constantFrom(-5, 0, 0.5, 99_999_999.9, 1e12),
    fc.double({ min: 1, max: 5e6, noNaN: true }),
  ),
);

const location = nullable(
  fc.record({
    latitude: fc.double({ min: -90, max: 90, noNaN: true }),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
  }),
);

/** What of a property its other fields do not decide. */
const DEFAULTS = { ...propertyDocument('1'), updated_at: 1, urls: [], unit: null };

const property = fc
  .record({
    id: fc.oneof(fc.string({ minLength: 1, maxLength: 60 }), fc.constant('x'.repeat(50))),
    ref: text,
    type: fc.constantFrom(...TYPES),
    currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'GBP'),
    offers: fc.record({
      sale: nullable(fc.record({ price: amount, minimum_price: fc.constant(0) })),
      long_term: nullable(fc.record({ rent: amount })),
      short_term: nullable(fc.record({ low: amount, high: amount, license: fc.constant(null) })),
    }),
    town: text,
    province: fc.constantFrom('Málaga', '', 'Roma'),
    country: nullable(fc.constantFrom('Spain', 'Italy', 'Atlantis', '')),
    postcode: nullable(fc.constantFrom('29640', 'x', '1000-100')),
    address: nullable(text),
    floor: nullable(fc.constantFrom('Bajo', '3ª', '61', 'third')),
    location,
    beds: fc.oneof(fc.nat(6), fc.constant(300)),
    bath: fc.oneof(fc.constantFrom(0, 0.5, 1, 2.5), fc.constant(120)),
    built_area: area,
    plot_area: area,
    living_area: area,
    built_year: nullable(fc.constantFrom(0, 1_950, 2_026, 3_000)),
    community_fees: amount,
    has_pool: fc.boolean(),
    has_garden: fc.boolean(),
    has_garage: fc.boolean(),
    consumption: fc.constantFrom('A', 'X'),
    energy_status: fc.constantFrom(null, 'exempt', 'in_process'),
    pictures: fc.constantFrom(
      [],
      ['https://e.example/1.jpg'],
      ['ftp://x', 'https://e.example/2.jpg', 'https://e.example/2.jpg'],
      ['nothing'],
    ),
    features: fc.constantFrom(
      [],
      ['Orientation: South West'],
      ['Orientation: South West', 'Features: Lift'],
    ),
    directions: nullable(fc.constantFrom('["NE"]', '["X"]')),
    descriptions: fc.tuple(nullable(text), nullable(text)),
  })
  .map(({ directions, ...given }) => {
    const unit =
      directions === null ? null : { name: 'A', directions, developmentName: 'Sol', place: null };
    return { ...DEFAULTS, ...given, unit } as unknown as FeedProperty;
  });

const place = {
  address: nullable(text),
  town: nullable(fc.constantFrom('Nerja', '')),
  province: nullable(fc.constantFrom('Málaga', 'Roma')),
  country: nullable(fc.constantFrom('Spain', 'Atlantis')),
  postcode: nullable(fc.constantFrom('29640', 'x')),
  location,
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

const query = {
  CustomerCode: CODE,
  Language: '1,2',
  ContactEmail: 'a@costa.es',
  ContactPhone: '910000000',
};

function unitIn(place: object): FeedProperty['unit'] {
  return { name: 'A', directions: '[]', developmentName: 'Sol', place: place as DevelopmentPlace };
}

/** The pages of a part, joined as the build joins them. */
function partOf(
  pages: readonly (readonly FeedProperty[])[],
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
])(
  'a home with the feature %s: for sale, %o; for rent also %o',
  (feature, expected, ofRental: object = {}) => {
    const withFeature = featuresOf([feature]);
    const without = featuresOf([]);
    expect(withFeature).toEqual([
      { ...without[0], ...expected },
      { ...without[1], ...expected, ...ofRental },
    ]);
  },
);

/** What the feed says of a home for sale, and for rent. */
function featuresOf(
  features: readonly string[],
  type = 'villa',
  vocabulary = VOCABULARY,
): object[] {
  const home = {
    ...DEFAULTS,
    ...{ type, built_area: 90, bath: 1, beds: 1, descriptions: [], features },
    offers: {
      sale: { price: 9_000, minimum_price: 0 },
      long_term: { rent: 900 },
      short_term: null,
    },
    location: { latitude: 36, longitude: -4 },
  } as unknown as FeedProperty;
  const { text } = IDEALISTA.writeProperties(
    [home],
    IDEALISTA.parse(query).parameters,
    dictionaryOf(vocabulary),
  );
  return (JSON.parse(`[${text}]`) as { propertyFeatures: object }[]).map(
    (one) => one.propertyFeatures,
  );
}

test('an account that calls its types and features something else: every field of Idealista is the same', () => {
  const other = { type: 'Garage', subtype: 'Lift', older_type: 'Garage', older_subtype: null };
  const renamed: VocabularyRead = {
    ...VOCABULARY,
    types: VOCABULARY.types.map((type) => ({ ...type, labels: { uk: other, es: other } })),
    features: VOCABULARY.features.map((feature) => ({
      ...feature,
      labels: { uk: 'Terrace', es: 'Terraza' },
    })),
  };
  for (const { code } of TYPE_ENTRIES)
    expect(featuresOf([], code, renamed)).toEqual(featuresOf([], code));
  for (const { code } of FEATURE_ENTRIES) {
    expect(featuresOf([code], 'villa', renamed)).toEqual(featuresOf([code]));
  }
});

test.each([
  ['villa', 'house_independent'],
  ['mobile-home', 'house'],
  ['plot-rustic', 'land_countrynonbuildable'],
  ['mechanics', 'premises_commercial'],
])('the built-in type %s: %s', (builtInType, expected) => {
  expect(typeOf({ builtInType })).toBe(expected);
});

test('a type of the account, called a duplex penthouse: a flat that is both', () => {
  const label = { type: 'Apartment', subtype: 'Penthouse Duplex', older_type: 'Apartment' };
  const top = { kind: 'type', code: 'top', labels: { uk: { ...label, older_subtype: null } } };
  const types = [...VOCABULARY.types, top] as VocabularyRead['types'];
  const [forSale] = featuresOf([], 'top', { ...VOCABULARY, types });
  expect(forSale).toMatchObject({
    featuresType: 'flat',
    featuresDuplex: true,
    featuresPenthouse: true,
  });
});

test('each built-in type has one of Idealista’s', () => {
  for (const { code } of TYPE_ENTRIES) expect(() => typeOf({ builtInType: code })).not.toThrow();
});

test('each code of a list is a built-in one', () => {
  const known = new Set([...TYPE_ENTRIES, ...FEATURE_ENTRIES].map(({ code }) => code));
  const listed = [FEATURES, RENTALS, CONSERVATION, FLATS].flatMap((codes) =>
    Object.values(codes).flat(),
  );
  expect(listed.filter((code) => !known.has(code))).toEqual([]);
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
        const singles = generated[0];
        const developments = generated[1].map(({ shown, pages }) => ({
          shown: shown as unknown as ShownDevelopment,
          pages: pages.map((page) => page.map((one) => ({ ...one, unit: unitIn(shown.details) }))),
        }));
        const all = [...singles, ...developments.flatMap(({ pages }) => pages.flat())];
        const properties = all.map((row) => partOf([[row]], null, parameters));
        const parts = developments.map(({ shown, pages }) => partOf(pages, shown, parameters));
        const textsOf = (written: typeof parts) =>
          written.flatMap(({ text }) => (text === '' ? [] : [text]));
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
