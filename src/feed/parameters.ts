import { LANGUAGES } from '../lib/languages.ts';

export type FeedVersion = 1 | 2 | 3;
export type Category = 'SALE' | 'RENT' | 'All';

/**
 * What a feed is to contain, with every default filled in and everything that cannot matter set to one value: requests
 * that must give the same bytes have equal parameters.
 */
export interface FeedParameters {
  /** FV */
  readonly version: FeedVersion;
  /** Language: codes 1 to 10, ascending, each once. */
  readonly languages: readonly number[];
  /** T */
  readonly category: Category;
  /** NW: only what is to show on the own website and on other agents' websites. */
  readonly onWebsites: boolean;
  /** DisplayListingDate: the node, and the order that goes with it. */
  readonly listingDate: boolean;
  /** ST */
  readonly terrace: boolean;
  /** AR: long-term and short-term offers as records of their own. */
  readonly separateRentals: boolean;
  /** ARP: weekly low and high prices of short-term rentals. */
  readonly seasonalPrices: boolean;
  /** IC: pictures per property at the most, 0 for all. */
  readonly pictures: number;
  /** NPT: the current property types and subtypes, not the older types. */
  readonly currentTypes: boolean;
  /** ER_Show and ER_ShowAll: how much of the energy rating. */
  readonly energy: 'none' | 'emissions' | 'all';
  /** ShowRTA: rental licence numbers of short-term rentals. */
  readonly rentalLicense: boolean;
  /** VT: 1 virtual tours, 2 videos too. */
  readonly tours: 0 | 1 | 2;
  /** ExRented */
  readonly withoutRented: boolean;
  /** OnlyAvailable */
  readonly availableOnly: boolean;
}

/** A parameter that was refused, and why. */
export interface Refusal {
  readonly parameter: string;
  readonly reason: string;
}

/** The parameters that may stand in the query of a feed request, in the spelling of the specification. */
export const PARAMETER_NAMES = [
  'U',
  'P',
  'NW',
  'T',
  'DisplayListingDate',
  'FV',
  'Language',
  'ST',
  'AR',
  'ARP',
  'IC',
  'NPT',
  'ER_Show',
  'ER_ShowAll',
  'ShowRTA',
  'VT',
  'ExRented',
  'OnlyAvailable',
] as const;

export type ParameterName = (typeof PARAMETER_NAMES)[number];

/** The known parameters of a query as they were given, without the empty ones. */
export type GivenParameters = Partial<Record<ParameterName, string>>;

const NAME_OF = new Map(PARAMETER_NAMES.map((name) => [name.toLowerCase(), name]));

/**
 * Picks the known parameters from a query: names in any letter case, an empty or blank value counts as absent, and only Language
 * may be given more than once; its values are joined.
 */
export function pickParameters(query: URLSearchParams): { given: GivenParameters; refusals: Refusal[] } {
  const given: GivenParameters = {};
  const refusals: Refusal[] = [];
  for (const [key, value] of query) {
    const name = NAME_OF.get(key.toLowerCase());
    if (name === undefined || value.trim() === '') continue;
    const before = given[name];
    if (before === undefined) given[name] = value;
    else if (name === 'Language') given[name] = `${before},${value}`;
    else if (!refusals.some((refusal) => refusal.parameter === name)) {
      refusals.push({ parameter: name, reason: 'is given more than once' });
    }
  }
  return { given, refusals };
}

/** The parameters of a feed from those given, or every refusal there is. */
export function readParameters(given: GivenParameters): FeedParameters | Refusal[] {
  const refusals: Refusal[] = [];

  const read = <Name extends ParameterName, Value>(name: Name, values: Values<Value>, otherwise: Value): Value => {
    const text = given[name];
    if (text === undefined) return otherwise;
    const value = values.read(text.trim());
    if (value !== undefined) return value;
    refusals.push(notAllowed(name, text, values.allowed));
    return otherwise;
  };

  const version = read('FV', VERSION, 1);
  const v3 = version === 3;
  const category = read('T', CATEGORY, 'All');
  const rentals = category !== 'SALE';
  const terrace = read('ST', FLAG, false);
  const currentTypes = read('NPT', FLAG, false);
  const emissions = read('ER_Show', FLAG, false);
  const allEnergy = read('ER_ShowAll', FLAG, false);
  const separateRentals = read('AR', FLAG, false);
  const seasonalPrices = read('ARP', FLAG, false);
  const rentalLicense = read('ShowRTA', FLAG, false);
  const parameters: FeedParameters = {
    version,
    languages: read('Language', LANGUAGE_LIST, [1, 2]),
    category,
    onWebsites: read('NW', FLAG, false),
    listingDate: read('DisplayListingDate', FLAG, false),
    terrace: v3 || terrace,
    separateRentals: rentals && separateRentals,
    seasonalPrices: rentals && seasonalPrices,
    pictures: read('IC', PICTURES, 10),
    currentTypes: v3 || currentTypes,
    energy: v3 || allEnergy ? 'all' : emissions ? 'emissions' : 'none',
    rentalLicense: rentals && rentalLicense,
    tours: read('VT', TOURS, v3 ? 2 : 0),
    withoutRented: read('ExRented', FLAG, false),
    availableOnly: read('OnlyAvailable', FLAG, false),
  };
  return refusals.length > 0 ? refusals : parameters;
}

/**
 * The name of a parameter set: equal for equal sets, different for all others, under 200 ASCII characters with no comma,
 * readable as the query that it stands for.
 */
export function canonicalName(parameters: FeedParameters): string {
  const flags: [boolean, string][] = [
    [parameters.onWebsites, 'NW'],
    [parameters.listingDate, 'DisplayListingDate'],
    [parameters.terrace, 'ST'],
    [parameters.separateRentals, 'AR'],
    [parameters.seasonalPrices, 'ARP'],
    [parameters.currentTypes, 'NPT'],
    [parameters.energy === 'emissions', 'ER_Show'],
    [parameters.energy === 'all', 'ER_ShowAll'],
    [parameters.rentalLicense, 'ShowRTA'],
    [parameters.withoutRented, 'ExRented'],
    [parameters.availableOnly, 'OnlyAvailable'],
  ];
  return [
    `FV=${parameters.version}`,
    `T=${parameters.category}`,
    `Language=${parameters.languages.join('.')}`,
    `IC=${parameters.pictures}`,
    `VT=${parameters.tours}`,
    ...flags.filter(([given]) => given).map(([, name]) => name),
  ].join('&');
}

/** A kind of value: how it is read from text, `undefined` where the text is none, and what is allowed, for the reader. */
interface Values<Value> {
  readonly allowed: string;
  read(text: string): Value | undefined;
}

const FLAG: Values<boolean> = oneOf('TRUE or FALSE', { TRUE: true, FALSE: false });
const VERSION: Values<FeedVersion> = oneOf('1, 2 or 3', { 1: 1, 2: 2, 3: 3 });
const CATEGORY: Values<Category> = oneOf('SALE, RENT or All', { SALE: 'SALE', RENT: 'RENT', ALL: 'All' });
const TOURS: Values<0 | 1 | 2> = oneOf('0, 1, 2, TRUE or FALSE', { 0: 0, 1: 1, 2: 2, FALSE: 0, TRUE: 1 });

const PICTURES: Values<number> = {
  allowed: 'a whole number from 0 to 999',
  read: (text) => (/^\d{1,3}$/.test(text) ? Number(text) : undefined),
};

const LANGUAGE_LIST: Values<readonly number[]> = {
  allowed: `language codes from 1 to ${LANGUAGES.length}, separated by commas`,
  read: (text) => {
    const codes = text.split(',').map((code) => (/^\d{1,2}$/.test(code.trim()) ? Number(code) : 0));
    if (codes.some((code) => code < 1 || code > LANGUAGES.length)) return undefined;
    return [...new Set(codes)].sort((a, b) => a - b);
  },
};

function oneOf<Value>(allowed: string, values: Readonly<Record<string, Value>>): Values<Value> {
  const byText = new Map(Object.entries(values));
  // Letters of ASCII alone: some others have one of them for their capital.
  return { allowed, read: (text) => byText.get(text.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase())) };
}

/** The refusal of a value that is none of those allowed. */
export function notAllowed(parameter: ParameterName, value: string, allowed: string): Refusal {
  const shown = value.length > 60 ? `${value.slice(0, 60)}…` : value;
  return { parameter, reason: `is '${shown}', but must be ${allowed}` };
}
