import { LANGUAGES } from '../../../lib/languages.ts';
import {
  CATEGORY,
  COUNT,
  choice,
  type FeedParameters,
  FILTERS,
  type GivenParameters,
  LANGUAGE,
  list,
  nameOfSet,
  namesOf,
  type Paging,
  type Parameter,
  type ParameterError,
  PICTURES,
  parametersOf,
  readValue,
  rowsOf,
  type ValuesOf,
} from '../parameters.ts';
import EFFECTS from './effects.json' with { type: 'json' };

export type FeedVersion = 1 | 2 | 3;

/** A parameter that may differ in version 3: another default, or one value whatever is requested. */
interface VersionedParameter<Value> extends Parameter<Value> {
  readonly version3?: { readonly default: Value } | { readonly always: Value };
}

function versioned<Value>(
  row: Parameter<Value>,
  version3: NonNullable<VersionedParameter<Value>['version3']>,
): VersionedParameter<Value> {
  return { ...row, version3 };
}

const { parameter, flag } = parametersOf(EFFECTS);

const VERSION = choice<FeedVersion>({ 1: 1, 2: 2, 3: 3 });
const TOURS = choice<0 | 1 | 2>({ 0: 0, 1: 1, 2: 2, TRUE: 1, FALSE: 0 });
const LANGUAGE_LIST = list(LANGUAGES.map(({ code }) => code));

/**
 * The parameters that decide which bytes a feed has, by the field that holds the value. Parsing, the cache key, the type
 * {@link ResalesParameters} and the table in the README derive from this one, so none of them can miss a parameter.
 */
export const FEED_PARAMETERS = {
  version: parameter('FV', VERSION, 1),
  category: parameter('T', CATEGORY, 'All'),
  languages: parameter<readonly number[]>(LANGUAGE, LANGUAGE_LIST, [1, 2]),
  pictures: parameter('IC', PICTURES, 10),
  tours: versioned(parameter('VT', TOURS, 0), { default: 2 }),
  ...FILTERS,
  listingDate: flag('DisplayListingDate'),
  separateRentals: flag('AR'),
  seasonalPrices: flag('ARP'),
  rentalLicense: flag('ShowRTA'),
  terrace: versioned(flag('ST'), { always: true }),
  currentTypes: versioned(flag('NPT'), { always: true }),
  emissions: versioned(flag('ER_Show'), { always: true }),
  consumption: versioned(flag('ER_ShowAll'), { always: true }),
  municipality: parameter<boolean>('LocationVersion', choice({ 1: false, 2: true }), false),
  annualCosts: flag('CS'),
} as const;

/**
 * What a feed contains: every default filled in, and everything that makes no difference set to one value, so that requests
 * for the same bytes have equal parameters.
 */
export type ResalesParameters = FeedParameters & ValuesOf<typeof FEED_PARAMETERS>;

/**
 * Parameters that page or select in other feeds of this kind. A feed is always complete, so they have no part in the cache
 * key: a reader that expects pages gets everything once and stops, or learns why it cannot.
 */
export const PAGING_PARAMETERS = {
  limit: {
    name: 'N',
    type: COUNT,
    effect: 'the feed if it has fewer records; otherwise an error that states how many',
  },
  page: { name: 'P_PageNo', type: COUNT, effect: '1: the feed; any other page: a document without records' },
  first: { name: 'p1', type: COUNT, effect: '1: the feed; any other first record: a document without records' },
  reference: {
    name: 'Ref',
    type: { allowed: { kind: 'none' } },
    effect: 'an error: a feed cannot be reduced to one record',
  },
} as const;

const FIELDS: readonly (readonly [string, VersionedParameter<unknown>])[] = rowsOf(FEED_PARAMETERS);

/** Every parameter except the credentials, in the spelling of the specification. */
export const PARAMETER_NAMES: readonly string[] = [
  ...namesOf(FEED_PARAMETERS),
  ...Object.values(PAGING_PARAMETERS).map(({ name }) => name),
];

/** In version 3, `location` is the node of the coordinates. */
const NO_MUNICIPALITY: ParameterError = {
  parameter: FEED_PARAMETERS.municipality.name,
  reason: 'is 2, which version 3 does not support: use FV=1 or FV=2',
  unsupported: true,
};

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
  const parameters = { version, ...parsed } as ResalesParameters;
  if (version === 3 && parameters.municipality) errors.push(NO_MUNICIPALITY);
  return { parameters: normalize(parameters), errors };
}

/** The paging parameters of a request, and an error for each invalid value. */
export function parsePaging(given: GivenParameters): { paging: Paging; errors: ParameterError[] } {
  const errors: ParameterError[] = [];
  const { limit, page, first, reference } = PAGING_PARAMETERS;
  const isFirst = (row: typeof page | typeof first) => (readValue(row, given, errors) ?? 1) === 1;
  const paging = {
    limit: readValue(limit, given, errors) ?? null,
    isFirstPage: [page, first].map(isFirst).every(Boolean),
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
  return nameOfSet(FEED_PARAMETERS, parameters);
}
