import { LANGUAGES } from '../../../lib/languages.ts';
import {
  CATEGORY,
  type Category,
  COUNT,
  type FeedParameters,
  FLAG,
  type GivenParameters,
  LANGUAGE,
  languageList,
  nameOfSet,
  oneOf,
  type Paging,
  type Parameter,
  type ParameterError,
  PICTURES,
  readValue,
} from '../parameters.ts';

export type FeedVersion = 1 | 2 | 3;

/** A parameter that may differ in version 3: another default, or one value whatever is requested. */
interface VersionedParameter<Value> extends Parameter<Value> {
  readonly version3?: { readonly default: Value } | { readonly always: Value };
}

const VERSION = oneOf<FeedVersion>('1, 2, 3', { 1: 1, 2: 2, 3: 3 });
const TOURS = oneOf<0 | 1 | 2>('0, 1, 2, TRUE, FALSE', { 0: 0, 1: 1, 2: 2, FALSE: 0, TRUE: 1 });
const LANGUAGE_LIST = languageList(
  `1 to ${LANGUAGES.length}`,
  LANGUAGES.map(({ code }) => code),
);

/**
 * The parameters that decide which bytes a feed has, by the field that holds the value. Parsing, the cache key, the type
 * {@link ResalesParameters} and the table in the README derive from this one, so none of them can miss a parameter.
 */
export const FEED_PARAMETERS = {
  version: parameter<FeedVersion>({ name: 'FV', type: VERSION, default: 1 }),
  category: parameter<Category>({
    name: 'T',
    type: CATEGORY,
    default: 'All',
  }),
  languages: parameter<readonly number[]>({
    name: LANGUAGE,
    type: LANGUAGE_LIST,
    default: [1, 2],
  }),
  pictures: parameter<number>({
    name: 'IC',
    type: PICTURES,
    default: 10,
  }),
  tours: parameter<0 | 1 | 2>({
    name: 'VT',
    type: TOURS,
    default: 0,
    version3: { default: 2 },
  }),
  onWebsites: flag('NW'),
  withoutRented: flag('ExRented'),
  availableOnly: flag('OnlyAvailable'),
  listingDate: flag('DisplayListingDate'),
  separateRentals: flag('AR'),
  seasonalPrices: flag('ARP'),
  rentalLicense: flag('ShowRTA'),
  terrace: flag('ST', { always: true }),
  currentTypes: flag('NPT', { always: true }),
  emissions: flag('ER_Show', { always: true }),
  consumption: flag('ER_ShowAll', { always: true }),
} as const;

type ParameterTable = typeof FEED_PARAMETERS;
type Field = keyof ParameterTable;

/**
 * What a feed contains: every default filled in, and everything that makes no difference set to one value, so that requests
 * for the same bytes have equal parameters.
 */
export type ResalesParameters = FeedParameters & {
  readonly [Name in Field]: ParameterTable[Name] extends Parameter<infer Value> ? Value : never;
};

/**
 * Parameters that page or select in other feeds of this kind. A feed is always complete, so they have no part in the cache
 * key: a reader that expects pages gets everything once and stops, or learns why it cannot.
 */
export const PAGING_PARAMETERS = {
  limit: {
    name: 'N',
    type: COUNT,
  },
  page: { name: 'P_PageNo', type: COUNT },
  reference: { name: 'Ref', allowed: 'none' },
} as const;

const FIELDS = Object.entries(FEED_PARAMETERS) as [Field, VersionedParameter<unknown>][];

/** Every parameter except the credentials, in the spelling of the specification. */
export const PARAMETER_NAMES: readonly string[] = [
  ...FIELDS.map(([, { name }]) => name),
  ...Object.values(PAGING_PARAMETERS).map(({ name }) => name),
];

/** The parameters of a feed, with the default instead of each invalid value, and an error for each invalid value. */
export function parseParameters(given: GivenParameters): { parameters: ResalesParameters; errors: ParameterError[] } {
  const errors: ParameterError[] = [];
  const resolve = <Value>(parameter: VersionedParameter<Value>, isVersion3: boolean): Value => {
    const value = readValue(parameter, given, errors);
    const in3 = isVersion3 ? parameter.version3 : undefined;
    if (in3 !== undefined && 'always' in in3) return in3.always;
    return value ?? in3?.default ?? parameter.default;
  };
  const version = resolve(FEED_PARAMETERS.version, false);
  const others = FIELDS.filter(([field]) => field !== 'version');
  const parsed = Object.fromEntries(others.map(([field, row]) => [field, resolve(row, version === 3)]));
  // The entries are those of the table, each with a value of its row's type.
  return { parameters: normalize({ version, ...parsed } as ResalesParameters), errors };
}

/** The paging parameters of a request, and an error for each invalid value. */
export function parsePaging(given: GivenParameters): { paging: Paging; errors: ParameterError[] } {
  const errors: ParameterError[] = [];
  const { limit, page, reference } = PAGING_PARAMETERS;
  const paging = {
    limit: readValue(limit, given, errors) ?? null,
    page: readValue(page, given, errors) ?? 1,
    hasReference: given[reference.name] !== undefined,
  };
  return { paging, errors };
}

/** Sets parameters that have no effect, given the others, to one value. */
function normalize(parameters: ResalesParameters): ResalesParameters {
  const rentals = parameters.category !== 'SALE';
  return {
    ...parameters,
    separateRentals: rentals && parameters.separateRentals,
    seasonalPrices: rentals && parameters.seasonalPrices,
    rentalLicense: rentals && parameters.rentalLicense,
    emissions: parameters.emissions || parameters.consumption,
  };
}

/** The name of a parameter set in cache keys. */
export function canonicalName(parameters: ResalesParameters): string {
  return nameOfSet(FIELDS.map(([field, row]) => [row, parameters[field]]));
}

function parameter<Value>(row: VersionedParameter<Value>): VersionedParameter<Value> {
  return row;
}

function flag(name: string, version3?: { readonly always: boolean }): VersionedParameter<boolean> {
  return { name, type: FLAG, default: false, ...(version3 && { version3 }) };
}
