import { LANGUAGES } from '../lib/languages.ts';

export type FeedVersion = 1 | 2 | 3;
export type Category = 'SALE' | 'RENT' | 'All';

/** A type of value: what is allowed, how to parse it, and the canonical text of each value. */
interface ValueType<Value> {
  readonly allowed: string;
  /** `undefined` if the text is not an allowed value. */
  parse(text: string): Value | undefined;
  format(value: Value): string;
}

/** Everything that parsing, cache keys and the documentation need to know about a parameter. */
interface Parameter<Value> {
  /** As the specification spells it; requests may use any letter case. */
  readonly name: string;
  readonly type: ValueType<Value>;
  readonly default: Value;
  /** What differs in version 3: another default, or one value whatever is requested. */
  readonly version3?: { readonly default: Value } | { readonly always: Value };
  readonly effect: string;
}

const FLAG: ValueType<boolean> = oneOf<boolean>('TRUE, FALSE', { TRUE: true, FALSE: false });
const VERSION = oneOf<FeedVersion>('1, 2, 3', { 1: 1, 2: 2, 3: 3 });
const CATEGORY = oneOf<Category>('SALE, RENT, All', { SALE: 'SALE', RENT: 'RENT', ALL: 'All' });
const TOURS = oneOf<0 | 1 | 2>('0, 1, 2, TRUE, FALSE', { 0: 0, 1: 1, 2: 2, FALSE: 0, TRUE: 1 });

const PICTURES: ValueType<number> = {
  allowed: '0 to 999',
  parse: (text) => (/^\d{1,3}$/.test(text) ? Number(text) : undefined),
  format: String,
};

/** Codes in ascending order, each once: their order in a request does not matter. */
const LANGUAGE_LIST: ValueType<readonly number[]> = {
  allowed: `1 to ${LANGUAGES.length}, separated by commas`,
  parse: (text) => {
    const codes = text.split(',').map((code) => (/^\d{1,2}$/.test(code.trim()) ? Number(code) : 0));
    if (codes.some((code) => code < 1 || code > LANGUAGES.length)) return undefined;
    return [...new Set(codes)].sort((a, b) => a - b);
  },
  format: (codes) => codes.join(','),
};

/**
 * The parameters that decide which bytes a feed has, by the field that holds the value. Parsing, the cache key, the type
 * {@link FeedParameters} and the table in the README derive from this one, so none of them can miss a parameter.
 */
export const FEED_PARAMETERS = {
  version: parameter<FeedVersion>({ name: 'FV', type: VERSION, default: 1, effect: 'feed version' }),
  category: parameter<Category>({
    name: 'T',
    type: CATEGORY,
    default: 'All',
    effect: 'only properties with this kind of offer, and only its nodes',
  }),
  languages: parameter<readonly number[]>({
    name: 'Language',
    type: LANGUAGE_LIST,
    default: [1, 2],
    effect:
      'languages of types, features and descriptions: 1 English, 2 Spanish, 3 German, 4 French, 5 Dutch, 6 Danish, ' +
      '7 Russian, 8 Swedish, 9 Polish, 10 Norwegian',
  }),
  pictures: parameter<number>({
    name: 'IC',
    type: PICTURES,
    default: 10,
    effect: 'maximum pictures per property; 0 for all',
  }),
  tours: parameter<0 | 1 | 2>({
    name: 'VT',
    type: TOURS,
    default: 0,
    version3: { default: 2 },
    effect: '1: virtual tours; 2: virtual tours and videos',
  }),
  onWebsites: flag('NW', "only properties marked for the agency's own website and for other agents' websites"),
  withoutRented: flag('ExRented', 'excludes rented properties'),
  availableOnly: flag('OnlyAvailable', 'excludes Under Offer and Sale Agreed'),
  listingDate: flag('DisplayListingDate', 'adds `listing_date` and orders records by it, newest first'),
  separateRentals: flag('AR', 'long-term and short-term rentals as separate records'),
  seasonalPrices: flag('ARP', 'weekly low and high season prices of short-term rentals'),
  rentalLicense: flag('ShowRTA', 'licence number of short-term rentals'),
  terrace: flag('ST', 'terrace in `surface_area`', { always: true }),
  currentTypes: flag('NPT', 'current property types and subtypes instead of the older ones', { always: true }),
  emissions: flag('ER_Show', 'CO2 emissions', { always: true }),
  consumption: flag('ER_ShowAll', 'CO2 emissions and energy consumption', { always: true }),
} as const;

type ParameterTable = typeof FEED_PARAMETERS;
type Field = keyof ParameterTable;

/**
 * What a feed contains: every default filled in, and everything that makes no difference set to one value, so that requests
 * for the same bytes have equal parameters.
 */
export type FeedParameters = {
  readonly [Name in Field]: ParameterTable[Name] extends Parameter<infer Value> ? Value : never;
};

const COUNT: ValueType<number> = {
  allowed: '1 or greater',
  parse: (text) => (/^0*[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined),
  format: String,
};

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
  reference: { name: 'Ref', allowed: 'none', effect: 'an error: a feed cannot be reduced to one record' },
} as const;

/** The paging parameters of a request. */
export interface Paging {
  /** Records of a page, of which the feed must have fewer; `null` if there is no limit. */
  readonly limit: number | null;
  readonly page: number;
  /** Whether a single record is requested. */
  readonly hasReference: boolean;
}

const FIELDS = Object.entries(FEED_PARAMETERS) as [Field, Parameter<unknown>][];

/** An invalid parameter of a request: its name, and what is wrong with it. */
export interface ParameterError {
  readonly parameter: string;
  readonly reason: string;
}

/** The parameters that identify the reader. */
const CREDENTIAL_PARAMETERS = ['U', 'P'] as const;

/** Every known parameter, in the spelling of the specification. */
export const PARAMETER_NAMES: readonly string[] = [
  ...CREDENTIAL_PARAMETERS,
  ...FIELDS.map(([, { name }]) => name),
  ...Object.values(PAGING_PARAMETERS).map(({ name }) => name),
];

/** The known parameters of a query as text, by the names of the specification; empty ones count as absent. */
export type GivenParameters = Readonly<Record<string, string | undefined>>;

const NAME_OF = new Map(PARAMETER_NAMES.map((name) => [name.toLowerCase(), name]));

/**
 * Picks the known parameters from a query: names in any letter case, empty and blank values as absent. Only Language may
 * be repeated; its values are joined.
 */
export function pickParameters(query: URLSearchParams): { given: GivenParameters; errors: ParameterError[] } {
  const given: Record<string, string> = {};
  const repeated = new Set<string>();
  for (const [key, value] of query) {
    const name = NAME_OF.get(key.toLowerCase());
    if (name === undefined || value.trim() === '') continue;
    const before = given[name];
    if (before === undefined) given[name] = value;
    else if (name === FEED_PARAMETERS.languages.name) given[name] = `${before},${value}`;
    else repeated.add(name);
  }
  return { given, errors: [...repeated].map((parameter) => ({ parameter, reason: 'is given more than once' })) };
}

/** The parameters of a feed, with the default in place of every invalid value, and an error for each of these. */
export function parseParameters(given: GivenParameters): { parameters: FeedParameters; errors: ParameterError[] } {
  const errors: ParameterError[] = [];
  const resolve = <Value>({ name, type, version3, ...rest }: Parameter<Value>, isVersion3: boolean): Value => {
    const text = given[name];
    const value = text === undefined ? undefined : type.parse(text.trim());
    if (text !== undefined && value === undefined) errors.push(notAllowed(name, text, type.allowed));
    const in3 = isVersion3 ? version3 : undefined;
    if (in3 !== undefined && 'always' in in3) return in3.always;
    return value ?? in3?.default ?? rest.default;
  };
  const version = resolve(FEED_PARAMETERS.version, false);
  const others = FIELDS.filter(([field]) => field !== 'version');
  const parsed = Object.fromEntries(others.map(([field, row]) => [field, resolve(row, version === 3)]));
  // The entries are those of the table, each with a value of its row's type.
  return { parameters: normalize({ version, ...parsed } as FeedParameters), errors };
}

/** The paging parameters of a request, and an error for each invalid value. */
export function parsePaging(given: GivenParameters): { paging: Paging; errors: ParameterError[] } {
  const errors: ParameterError[] = [];
  const count = ({ name, type }: { readonly name: string; readonly type: ValueType<number> }): number | null => {
    const text = given[name];
    const value = text === undefined ? null : type.parse(text.trim());
    if (value === undefined) errors.push(notAllowed(name, text!, type.allowed));
    return value ?? null;
  };
  const { limit, page, reference } = PAGING_PARAMETERS;
  const paging = { limit: count(limit), page: count(page) ?? 1, hasReference: given[reference.name] !== undefined };
  return { paging, errors };
}

/** Sets parameters that have no effect, given the others, to one value. */
function normalize(parameters: FeedParameters): FeedParameters {
  const rentals = parameters.category !== 'SALE';
  return {
    ...parameters,
    separateRentals: rentals && parameters.separateRentals,
    seasonalPrices: rentals && parameters.seasonalPrices,
    rentalLicense: rentals && parameters.rentalLicense,
    emissions: parameters.emissions || parameters.consumption,
  };
}

/**
 * The name of a parameter set in cache keys: equal for equal sets, different for all others, under 200 ASCII characters
 * without a comma, and readable as the query that it stands for.
 */
export function canonicalName(parameters: FeedParameters): string {
  return FIELDS.flatMap(([field, { name, type }]) => {
    const value = parameters[field];
    if (typeof value === 'boolean') return value ? [name] : [];
    return [`${name}=${type.format(value).replaceAll(',', '.')}`];
  }).join('&');
}

/** The error of a value that is not allowed; it shows at most 60 characters of the value. */
export function notAllowed(parameter: string, value: string, allowed: string): ParameterError {
  const shown = value.length > 60 ? `${value.slice(0, 60)}…` : value;
  return { parameter, reason: `is '${shown}'; allowed: ${allowed}` };
}

function parameter<Value>(row: Parameter<Value>): Parameter<Value> {
  return row;
}

function flag(name: string, effect: string, version3?: { readonly always: boolean }): Parameter<boolean> {
  return { name, type: FLAG, default: false, ...(version3 && { version3 }), effect };
}

function oneOf<Value>(allowed: string, values: Readonly<Record<string, Value>>): ValueType<Value> {
  const byText = new Map(Object.entries(values));
  return {
    allowed,
    // Only ASCII letters, because some other letters have an ASCII letter as their capital.
    parse: (text) => byText.get(text.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase())),
    format: (value) => (typeof value === 'boolean' ? String(value).toUpperCase() : String(value)),
  };
}
