import { LANGUAGES } from '../../../lib/languages.ts';
import { message } from '../../../messages/messages.ts';
import {
  CATEGORY,
  COUNT,
  choice,
  declareParameters,
  FILTERS,
  type GivenParameters,
  LANGUAGE,
  list,
  type Paging,
  type Parameter,
  type ParameterError,
  PICTURES,
  parametersOf,
  readValue,
} from '../parameters.ts';
import WORDS from './parameters.json' with { type: 'json' };

export type FeedVersion = 1 | 2 | 3;

const { parameter, flag } = parametersOf(WORDS);

/** A flag that is TRUE in version 3, whatever is requested. */
const always3 = (name: keyof typeof WORDS): Parameter<boolean> => ({
  ...flag(name),
  version3: { always: true },
});

const TOURS = choice<0 | 1 | 2>({ 0: 0, 1: 1, 2: 2, TRUE: 1, FALSE: 0 });

/**
 * The parameters that decide which bytes a feed has, by the field that holds the value. Parsing, the cache key, the type
 * {@link ResalesParameters} and the table in the README derive from this one, so none of them can miss a parameter.
 */
const TABLE = {
  version: parameter('FV', choice<FeedVersion>({ 1: 1, 2: 2, 3: 3 }), 1),
  category: parameter('T', CATEGORY, 'All'),
  languages: parameter<readonly number[]>(
    LANGUAGE,
    list(LANGUAGES.map(({ code }) => code)),
    [1, 2],
  ),
  pictures: parameter('IC', PICTURES, 10),
  tours: { ...parameter('VT', TOURS, 0), version3: { default: 2 } } as Parameter<0 | 1 | 2>,
  ...FILTERS,
  listingDate: flag('DisplayListingDate'),
  separateRentals: flag('AR'),
  seasonalPrices: flag('ARP'),
  rentalLicense: flag('ShowRTA'),
  terrace: always3('ST'),
  currentTypes: always3('NPT'),
  emissions: always3('ER_Show'),
  consumption: always3('ER_ShowAll'),
  municipality: parameter<boolean>('LocationVersion', choice({ 1: false, 2: true }), false),
  annualCosts: flag('CS'),
} as const;

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
  page: {
    name: 'P_PageNo',
    type: COUNT,
    effect: '1: the feed; any other page: a document without records',
  },
  first: {
    name: 'p1',
    type: COUNT,
    effect: '1: the feed; any other first record: a document without records',
  },
  reference: {
    name: 'Ref',
    type: { allowed: { kind: 'none', words: message('nothing') } },
    effect: 'an error: a feed cannot be reduced to one record',
  },
} as const;

/** The paging parameters of a request; each invalid value is an error. */
function parsePaging(given: GivenParameters, errors: ParameterError[]): Paging {
  const { limit, page, first, reference } = PAGING_PARAMETERS;
  const [most = null, ...starts] = [limit, page, first].map((row) => readValue(row, given, errors));
  return {
    limit: most,
    isFirstPage: starts.every((start = 1) => start === 1),
    hasReference: given[reference.name] !== undefined,
  };
}

export const RESALES_PARAMETERS = declareParameters(TABLE, {
  others: Object.values(PAGING_PARAMETERS).map(({ name }) => name),
  parsePaging,
  normalize(parameters, errors) {
    // In version 3, `location` is the node of the coordinates.
    if (parameters.version === 3 && parameters.municipality) {
      const problem = message('not_in_version_3');
      errors.push({ parameter: TABLE.municipality.name, problem, unsupported: true });
    }
    // Parameters without effect, given the others, have one value.
    const rentals = parameters.category !== 'SALE';
    return {
      ...parameters,
      separateRentals: rentals && parameters.separateRentals,
      seasonalPrices: rentals && parameters.seasonalPrices,
      rentalLicense: rentals && parameters.rentalLicense,
      emissions: parameters.emissions || parameters.consumption,
    };
  },
});

/**
 * What a feed contains: every default filled in, and everything that makes no difference set to one value, so that requests
 * for the same bytes have equal parameters.
 */
export type ResalesParameters = ReturnType<typeof RESALES_PARAMETERS.parse>['parameters'];
