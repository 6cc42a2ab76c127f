import { LANGUAGES } from '../../../lib/languages.ts';
import {
  CATEGORY,
  type Category,
  COUNT,
  choice,
  type Effect,
  type FeedParameters,
  FILTERS,
  type GivenParameters,
  LANGUAGE,
  list,
  nameOfSet,
  type Paging,
  type Parameter,
  type ParameterError,
  PICTURES,
  flag as plainFlag,
  readValue,
  rowsOf,
  type ValuesOf,
} from '../parameters.ts';

export type FeedVersion = 1 | 2 | 3;

/** A parameter that may differ in version 3: another default, or one value whatever is requested. */
interface VersionedParameter<Value> extends Parameter<Value> {
  readonly version3?: { readonly default: Value } | { readonly always: Value };
}

const VERSION = choice<FeedVersion>({ 1: 1, 2: 2, 3: 3 });
const TOURS = choice<0 | 1 | 2>({ 0: 0, 1: 1, 2: 2, TRUE: 1, FALSE: 0 });
const LANGUAGE_LIST = list(LANGUAGES.map(({ code }) => code));

/**
 * The parameters that decide which bytes a feed has, by the field that holds the value. Parsing, the cache key, the type
 * {@link ResalesParameters} and the table in the README derive from this one, so none of them can miss a parameter.
 */
export const FEED_PARAMETERS = {
  version: parameter<FeedVersion>({
    name: 'FV',
    type: VERSION,
    default: 1,
    effect: { en: 'feed version', es: 'Versión del feed' },
  }),
  category: parameter<Category>({
    name: 'T',
    type: CATEGORY,
    default: 'All',
    effect: {
      en: 'only properties with this kind of offer, and only its nodes',
      es: 'Solo inmuebles con este tipo de oferta, y solo sus nodos',
    },
  }),
  languages: parameter<readonly number[]>({
    name: LANGUAGE,
    type: LANGUAGE_LIST,
    default: [1, 2],
    effect: {
      en:
        'languages of types, features and descriptions: 1 English, 2 Spanish, 3 German, 4 French, 5 Dutch, 6 Danish, ' +
        '7 Russian, 8 Swedish, 9 Polish, 10 Norwegian',
      es:
        'Idiomas de los tipos, las características y las descripciones: 1 inglés, 2 español, 3 alemán, 4 francés, ' +
        '5 neerlandés, 6 danés, 7 ruso, 8 sueco, 9 polaco, 10 noruego',
    },
  }),
  pictures: parameter<number>({
    name: 'IC',
    type: PICTURES,
    default: 10,
    effect: { en: 'maximum pictures per property; 0 for all', es: 'Máximo de fotos por inmueble; 0 para todas' },
  }),
  tours: parameter<0 | 1 | 2>({
    name: 'VT',
    type: TOURS,
    default: 0,
    version3: { default: 2 },
    effect: {
      en: '1: virtual tours; 2: virtual tours and videos',
      es: '1: visitas virtuales; 2: visitas virtuales y vídeos',
    },
  }),
  ...FILTERS,
  listingDate: flag('DisplayListingDate', {
    en: 'adds `listing_date` and orders records by it, newest first',
    es: 'Añade listing_date y ordena por esa fecha, primero los más recientes',
  }),
  separateRentals: flag('AR', {
    en: 'long-term and short-term rentals as separate records',
    es: 'Alquileres de larga y de corta duración como registros separados',
  }),
  seasonalPrices: flag('ARP', {
    en: 'weekly low and high season prices of short-term rentals',
    es: 'Precios semanales de temporada baja y alta de los alquileres de corta duración',
  }),
  rentalLicense: flag('ShowRTA', {
    en: 'licence number of short-term rentals',
    es: 'Número de licencia de los alquileres de corta duración',
  }),
  terrace: flag('ST', { en: 'terrace in `surface_area`', es: 'Terraza en surface_area' }, { always: true }),
  currentTypes: flag(
    'NPT',
    {
      en: 'current property types and subtypes instead of the older ones',
      es: 'Tipos y subtipos actuales en lugar de los anteriores',
    },
    { always: true },
  ),
  emissions: flag('ER_Show', { en: 'CO2 emissions', es: 'Emisiones de CO2' }, { always: true }),
  consumption: flag(
    'ER_ShowAll',
    { en: 'CO2 emissions and energy consumption', es: 'Emisiones de CO2 y consumo de energía' },
    { always: true },
  ),
  municipality: parameter<boolean>({
    name: 'LocationVersion',
    type: choice({ 1: false, 2: true }),
    default: false,
    effect: {
      en: '2: adds the town as `municipality` and the area as `location`; not in version 3, where `location` has coordinates',
      es: '2: añade la población como municipality y la zona como location; no en la versión 3, cuyo location tiene coordenadas',
    },
  }),
  annualCosts: flag('CS', {
    en: 'yearly costs in `annual_costs`: `ibi_fees`, `basura_tax` and `community_fees`',
    es: 'Gastos anuales en annual_costs: ibi_fees, basura_tax y community_fees',
  }),
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
  ...FIELDS.map(([, { name }]) => name),
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

function parameter<Value>(row: VersionedParameter<Value>): VersionedParameter<Value> {
  return row;
}

function flag(name: string, effect: Effect, version3?: { readonly always: boolean }): VersionedParameter<boolean> {
  return { ...plainFlag(name, effect), ...(version3 && { version3 }) };
}
