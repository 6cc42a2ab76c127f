import fc, { type Arbitrary } from 'fast-check';
import KYERO_WORDS from '../../../src/feed/formats/kyero/parameters.json' with { type: 'json' };
import FILTER_WORDS from '../../../src/feed/formats/parameters.json' with { type: 'json' };
import RESALES_WORDS from '../../../src/feed/formats/resales/parameters.json' with { type: 'json' };
import { LANGUAGES, type LanguageElement } from '../../../src/lib/languages.ts';
import { isoTime } from '../../../src/lib/time/time.ts';
import {
  type PortfolioDocument,
  type PortfolioDocumentInput,
  parseDocument,
} from '../../../src/properties/documents.ts';
import { RESTRICTIONS } from '../../../src/properties/restrictions.ts';
import { codePoint } from '../../support/code-point.ts';

/** What most easily breaks writers and readers of XML, JSON and SQL. */
const AWKWARD = [
  ...[
    '&',
    '<',
    '>',
    '"',
    "'",
    '&amp;',
    '&#13;',
    ']]>',
    '<![CDATA[',
    '<!--',
    '<property>',
    '</property>',
    '<?xml ?>',
  ],
  ...[
    '\r',
    '\n',
    '\r\n',
    '\t',
    ' ',
    '\u0000',
    '\u0001',
    '\u001f',
    '\u007f',
    '\u0085',
    '\u00a0',
    '\u2028',
    '\ufeff',
  ],
  ...[
    '\ufffd',
    '\ufffe',
    '\uffff',
    '\u{10ffff}',
    '\ud7ff',
    '\ue000',
    'ñ',
    'n\u0303',
    'ß',
    'Ж',
    'ł',
    '😀',
    'क़',
  ],
  ...['\u202e', '%', '\\', '{', '}', ';', '--', '$&', '+', '0', 'true', 'null', '.', '/', '?', '#'],
];

const snippet = fc.oneof(
  fc.constantFrom(...AWKWARD),
  fc.string({ unit: codePoint, minLength: 1, maxLength: 8 }),
  fc.string({ minLength: 1, maxLength: 12 }),
);

/**
 * Text with a number of code points in this range, any of Unicode's; mostly short, occasionally of maximum length. If it
 * must not be empty, it does not begin with U+0000, at which SQLite's `length` stops.
 */
export function text(least: number, most: number): Arbitrary<string> {
  const short = fc.array(snippet, { minLength: Math.min(least, 1), maxLength: 6 });
  const long = fc.tuple(snippet).map(([piece]) => Array.from({ length: most }, () => piece));
  return fc
    .oneof({ weight: 40, arbitrary: short }, { weight: 1, arbitrary: long })
    .map((pieces) => [...pieces.join('')].slice(0, most).join(''))
    .map((value) => (least > 0 ? value.replace(/^\0+/, '') : value))
    .filter((value) => value.length >= least);
}

/** Text of at most this many bytes in UTF-8. */
function bytes(least: number, most: number): Arbitrary<string> {
  return text(least, most).map((value) => new TextDecoder().decode(utf8(value, most)));
}

/** The beginning of a text that fits into this many bytes, whole characters only. */
function utf8(value: string, most: number): Uint8Array {
  const buffer = new Uint8Array(most);
  return buffer.subarray(0, new TextEncoder().encodeInto(value, buffer).written);
}

/** Any finite double. */
export const amount = fc.oneof(
  fc.constantFrom(
    0,
    -0,
    1e300,
    0.1 + 0.2,
    -1,
    -0.5,
    5e-324,
    1e-7,
    1e21,
    1e20,
    Number.MAX_VALUE,
    -Number.MAX_VALUE,
  ),
  fc.constantFrom(250_000, 1_250.5, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER + 3, 1 / 3),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: 0, max: 5_000_000 }),
);

function perLanguage<T>(value: Arbitrary<T>): Arbitrary<Partial<Record<LanguageElement, T>>> {
  const elements = LANGUAGES.map(({ element }) => [element, value] as const);
  return fc.record(Object.fromEntries(elements) as Record<LanguageElement, Arbitrary<T>>, {
    requiredKeys: [],
  });
}

function maybe<T>(value: Arbitrary<T>): Arbitrary<T | null> {
  return fc.option(value, { freq: 2 });
}

/** Text in Unicode NFC, as names are stored. */
function name(least: number, most: number): Arbitrary<string> {
  return text(least, most).map((value) => [...value.normalize('NFC')].slice(0, most).join(''));
}

const code = name(1, 200);
const label = text(1, 200);
const squareMetres = maybe(
  fc.oneof(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 1_000_000_000 })),
);
/** An amount of a document: up to a trillion. */
const money = amount.map((value) => Math.min(Math.abs(value), 1e12));
const cost = maybe(money);
const energyLetter = fc.constantFrom(...'ABCDEFGX');

function timeBefore(year: number) {
  return fc
    .oneof(
      fc.integer({ min: 0, max: Date.UTC(year, 0) / 1000 - 1 }),
      // A narrow range: several properties are then listed in the same second.
      fc.integer({ min: 1_700_000_000, max: 1_700_000_003 }),
    )
    .map(isoTime);
}

const time = timeBefore(10_000);
/** A time that a change can have had. */
const pastTime = timeBefore(2_026);

const identifier = name(1, 100)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what an identifier must not hold
  .map((value) => value.replace(/[\u0000-\u001f\ufffd-\uffff]/g, '').replace(/^ +| +$/g, ''))
  .filter((value) => /[^\p{C}\p{Z}]/u.test(value));

const developmentId = name(1, 100).filter((value) => value !== '.' && value !== '..');

const directionCode = text(0, 16).map((value) => value.replaceAll(/\p{Cc}/gu, ''));

const directions = fc.array(
  fc.oneof(
    fc.constantFrom('N', 'S', 'E', 'W', 'NE', 'NW', 'SE', 'SW', 'n', 'NNE', ''),
    directionCode,
    fc.array(directionCode, { maxLength: 3 }),
  ),
  { maxLength: 5 },
);

const unit = fc.record({
  development: fc.nat(),
  name: text(0, 60),
  status: fc.constantFrom(1, 2, 4, 8),
  price: amount,
  directions,
});

const itsUnit = fc.option(fc.nat(), { freq: 1 });

type PropertyInput = Extract<PortfolioDocumentInput, { kind: 'property' }>;

/** A generator for each field: without one, a new field does not compile. With one, feeds that show it differ from the oracle's. */
const PROPERTY = {
  id: identifier,
  ref: text(1, 255),
  type: fc.nat(),
  unit: itsUnit,
  status: fc.constantFrom(
    'Available',
    'Available',
    'Under Offer',
    'Sale Agreed',
    'Sold',
    'Withdrawn',
  ),
  rented: fc.boolean(),
  on_own_website: fc.boolean(),
  on_other_websites: fc.boolean(),
  restrictions: fc.subarray([...RESTRICTIONS]),
  listed_at: time,
  source_changed_at: maybe(time),
  updated_at: maybe(pastTime),
  currency: fc.oneof(
    fc.constantFrom('EUR', 'GBP', 'USD'),
    fc.string({ unit: fc.constantFrom(...'ABCXYZ'), minLength: 3, maxLength: 3 }),
  ),
  town: text(1, 200),
  area: maybe(text(0, 200)),
  province: text(1, 200),
  country: maybe(text(0, 200)),
  postcode: maybe(text(0, 40)),
  address: maybe(text(0, 500)),
  floor: maybe(text(0, 200)),
  location: maybe(
    fc.record({
      latitude: fc.double({ min: -90, max: 90, noNaN: true }),
      longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    }),
  ),
  beds: fc.oneof(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 10_000 })),
  bath: fc.oneof(
    fc.integer({ min: 0, max: 16 }).map((halves) => halves / 2),
    fc.double({ min: 0, max: 10_000, noNaN: true }),
  ),
  built_area: squareMetres,
  plot_area: squareMetres,
  terrace_area: squareMetres,
  living_area: squareMetres,
  built_year: maybe(fc.integer({ min: 1, max: 9999 })),
  community_fees: cost,
  garbage_tax: cost,
  ibi_fees: cost,
  cadastral_ref: maybe(text(0, 200)),
  new_build: fc.boolean(),
  leasehold: fc.boolean(),
  part_ownership: fc.boolean(),
  prime: fc.boolean(),
  commission: maybe(text(0, 200)),
  email: maybe(text(0, 320)),
  notes: maybe(bytes(0, 2_000)),
  has_pool: fc.boolean(),
  has_garden: fc.boolean(),
  has_garage: fc.boolean(),
  emissions: energyLetter,
  consumption: energyLetter,
  energy_status: maybe(fc.constantFrom('in_process' as const, 'exempt' as const)),
  virtual_tour_url: maybe(text(0, 1024)),
  video_url: maybe(text(0, 1024)),
  offers: fc.record({
    sale: maybe(fc.record({ price: cost, minimum_price: money })),
    long_term: maybe(fc.record({ rent: cost })),
    short_term: maybe(fc.record({ low: cost, high: cost, license: maybe(text(0, 200)) })),
  }),
  texts: perLanguage(
    fc.record({ description: maybe(bytes(0, 65_536)), url: maybe(text(0, 1024)) }),
  ),
  pictures: fc.oneof(
    fc.array(bytes(1, 1024).map(withoutLineFeed), { maxLength: 12 }),
    fc.array(
      fc.webUrl({ withQueryParameters: true }).map((url) => url.slice(0, 1024)),
      { maxLength: 12 },
    ),
  ),
  features: fc.array(fc.nat(), { maxLength: 6 }),
  channels: fc.constant(null),
} satisfies Record<Exclude<keyof PropertyInput, 'kind'>, Arbitrary<unknown>>;

const property = fc.record(PROPERTY);

function withoutLineFeed(value: string): string {
  return value.replaceAll('\n', '') || 'x';
}

/** Any complete, consistent portfolio of an account that the database accepts. */
export const portfolio: Arbitrary<PortfolioDocument[]> = fc
  .record({
    types: fc.uniqueArray(
      fc.record({
        code,
        labels: perLanguage(
          fc.record({
            older_type: label,
            older_subtype: maybe(label),
            type: label,
            subtype: maybe(label),
          }),
        ),
      }),
      { minLength: 1, maxLength: 3, selector: (type) => type.code },
    ),
    categories: fc.uniqueArray(
      fc.record({ code: fc.oneof(fc.constant('Orientation'), code), labels: perLanguage(label) }),
      { minLength: 1, maxLength: 4, selector: (category) => category.code },
    ),
    features: fc.uniqueArray(fc.record({ code, category: fc.nat(), labels: perLanguage(label) }), {
      maxLength: 8,
      selector: (feature) => feature.code,
    }),
    developments: fc.uniqueArray(fc.record({ id: developmentId, name: text(1, 200) }), {
      minLength: 1,
      maxLength: 2,
      selector: (development) => development.id,
    }),
    units: fc.array(unit, { maxLength: 8 }),
    properties: fc.uniqueArray(property, {
      minLength: 1,
      maxLength: 40,
      size: 'max',
      // Identifiers that differ only in -LT or -ST conflict with each other.
      selector: ({ id }) => id.replace(/(-[LS]T)+$/, ''),
    }),
  })
  .map(({ types, categories, features, developments, units, properties }) => {
    const at = <T>(list: readonly T[], index: number): T => list[index % list.length]!;
    const named = new Map(
      units.map((given) => {
        const development = at(developments, given.development).id;
        const name = given.name.normalize('NFC');
        return [JSON.stringify([development, name]), { ...given, development, name }];
      }),
    );
    const free = [...named.values()];
    const documents: PortfolioDocumentInput[] = [
      ...types.map((given) => ({ kind: 'type' as const, ...given })),
      ...categories.map((given) => ({ kind: 'category' as const, ...given })),
      ...features.map((given) => ({
        kind: 'feature' as const,
        ...given,
        category: at(categories, given.category).code,
      })),
      ...developments.map((given) => ({ kind: 'development' as const, ...given })),
      ...[...named.values()].map(
        (given) => ({ kind: 'unit' as const, ...given }) as PortfolioDocumentInput,
      ),
      ...properties.map((given) => {
        const of =
          given.unit === null || free.length === 0
            ? undefined
            : free.splice(given.unit % free.length, 1)[0];
        return {
          kind: 'property',
          ...given,
          type: at(types, given.type).code,
          unit: of === undefined ? null : { development: of.development, name: of.name },
          features:
            features.length === 0
              ? []
              : [...new Set(given.features.map((index) => at(features, index).code))],
        } as PortfolioDocumentInput;
      }),
    ];
    return documents.map(parseDocument);
  });

/** Parameters as an integrator may give them, by name. */
type GivenParameters = Readonly<Record<string, unknown>>;

// A parameter or filter without an entry here does not compile. With one, feeds differ from those of the oracle until it knows it.
const CATEGORY = fc.constantFrom('SALE', 'RENT', 'All');
const PICTURES = fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 999 }));
const FILTERS: Record<keyof typeof FILTER_WORDS, Arbitrary<unknown>> = {
  NW: fc.boolean(),
  ExRented: fc.boolean(),
  OnlyAvailable: fc.boolean(),
};
const RESALES: Record<keyof typeof RESALES_WORDS, Arbitrary<unknown>> = {
  T: CATEGORY,
  DisplayListingDate: fc.boolean(),
  FV: fc.constantFrom(1, 2, 3),
  Language: fc.array(fc.integer({ min: 1, max: 10 }), { minLength: 1, maxLength: 12 }),
  ST: fc.boolean(),
  AR: fc.boolean(),
  ARP: fc.boolean(),
  IC: PICTURES,
  NPT: fc.boolean(),
  ER_Show: fc.boolean(),
  ER_ShowAll: fc.boolean(),
  ShowRTA: fc.boolean(),
  VT: fc.constantFrom(0, 1, 2, true, false),
  LocationVersion: fc.constantFrom(1, 2),
  CS: fc.boolean(),
};
const KYERO: Record<keyof typeof KYERO_WORDS, Arbitrary<unknown>> = {
  T: CATEGORY,
  Language: fc.array(fc.integer({ min: 1, max: 14 }), { minLength: 1, maxLength: 14 }),
  IC: PICTURES,
  ShortTerm: fc.boolean(),
  Extended: fc.boolean(),
};

/** Any parameters that are allowed together. */
export const parameters: Arbitrary<GivenParameters> = fc
  .record({ ...FILTERS, ...RESALES }, { requiredKeys: [] })
  .map(({ LocationVersion, ...given }) =>
    given.FV === 3 || LocationVersion === undefined ? given : { ...given, LocationVersion },
  );

/** Any parameters of a Kyero feed. */
export const kyeroParameters: Arbitrary<GivenParameters> = fc.record(
  { ...FILTERS, ...KYERO },
  { requiredKeys: [] },
);

/** The names of the parameters of a feed. */
export const PARAMETER_NAMES: readonly string[] = Object.keys({ ...FILTERS, ...RESALES });

/** Parameters as a query. */
export function queryOf(given: GivenParameters): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      typeof value === 'boolean' ? String(value).toUpperCase() : String(value),
    ]),
  );
}
