import {
  CATEGORY,
  choice,
  type FeedParameters,
  FILTERS,
  type GivenParameters,
  LANGUAGE,
  list,
  nameOfSet,
  namesOf,
  type ParameterError,
  PICTURES,
  parametersOf,
  pattern,
  type ValuesOf,
  valuesOf,
} from '../parameters.ts';
import EFFECTS from './effects.json' with { type: 'json' };
import { LANGUAGE_NAMES } from './values.ts';

const { parameter } = parametersOf(EFFECTS);

const CODES = [...LANGUAGE_NAMES.keys()];

/** The parameters that decide which bytes a feed has, by the field that holds the value. */
export const IDEALISTA_PARAMETERS = {
  customerCode: parameter('CustomerCode', pattern(/^ilc[a-z0-9]{40}$/, 'ilc and 40 letters or digits'), ''),
  country: parameter('CustomerCountry', choice({ Spain: 'Spain', Italy: 'Italy', Portugal: 'Portugal' }), 'Spain'),
  email: parameter(
    'ContactEmail',
    pattern(/^[a-zA-Z0-9_.-]{1,60}@([a-zA-Z0-9_-]{1,60}\.){1,5}[a-zA-Z]{2,5}$/, 'an address'),
    '',
  ),
  phone: parameter('ContactPhone', pattern(/^[0-9]{5,12}$/, '5 to 12 digits'), ''),
  category: parameter('T', CATEGORY, 'All'),
  languages: parameter<readonly number[]>(LANGUAGE, list(CODES), CODES),
  pictures: parameter('IC', PICTURES, 0),
  ...FILTERS,
} as const;

/** What a feed contains, with every default filled in. */
export type IdealistaParameters = FeedParameters & ValuesOf<typeof IDEALISTA_PARAMETERS>;

/** Every parameter except the credentials. */
export const PARAMETER_NAMES: readonly string[] = namesOf(IDEALISTA_PARAMETERS);

/** The parameters of a feed, with the default instead of each invalid value, and an error for each invalid value. */
export function parseParameters(given: GivenParameters): { parameters: IdealistaParameters; errors: ParameterError[] } {
  const errors: ParameterError[] = [];
  return { parameters: { ...valuesOf(IDEALISTA_PARAMETERS, given, errors), listingDate: false }, errors };
}

/** What a request lacks, with the preset of its reader. */
export function missingParameters({ customerCode }: IdealistaParameters): ParameterError[] {
  if (customerCode !== '') return [];
  const reason = 'is missing: Idealista gives each agency one, ilc and 40 letters or digits. Store it in the preset';
  return [{ parameter: IDEALISTA_PARAMETERS.customerCode.name, reason }];
}

/** The name of a parameter set in cache keys. */
export function canonicalName(parameters: IdealistaParameters): string {
  return nameOfSet(IDEALISTA_PARAMETERS, parameters);
}
