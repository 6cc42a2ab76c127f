import {
  CATEGORY,
  choice,
  declareParameters,
  FILTERS,
  LANGUAGE,
  list,
  type ParameterError,
  PICTURES,
  parametersOf,
  pattern,
} from '../parameters.ts';
import EFFECTS from './effects.json' with { type: 'json' };
import { LANGUAGE_NAMES } from './values.ts';

const { parameter } = parametersOf(EFFECTS);

const CODES = [...LANGUAGE_NAMES.keys()];
const EMAIL = /^[a-zA-Z0-9_.-]{1,60}@([a-zA-Z0-9_-]{1,60}\.){1,5}[a-zA-Z]{2,5}$/;

export const IDEALISTA_PARAMETERS = declareParameters({
  customerCode: parameter('CustomerCode', pattern(/^ilc[a-z0-9]{40}$/, 'ilc and 40 letters or digits'), ''),
  country: parameter('CustomerCountry', choice({ Spain: 'Spain', Italy: 'Italy', Portugal: 'Portugal' }), 'Spain'),
  email: parameter('ContactEmail', pattern(EMAIL, 'an address'), ''),
  phone: parameter('ContactPhone', pattern(/^[0-9]{5,12}$/, '5 to 12 digits'), ''),
  category: parameter('T', CATEGORY, 'All'),
  languages: parameter<readonly number[]>(LANGUAGE, list(CODES), CODES),
  pictures: parameter('IC', PICTURES, 0),
  ...FILTERS,
} as const);

export type IdealistaParameters = ReturnType<typeof IDEALISTA_PARAMETERS.parse>['parameters'];

/** What a request lacks, with the preset of its reader. */
export function missingParameters({ customerCode }: IdealistaParameters): ParameterError[] {
  if (customerCode !== '') return [];
  const reason =
    'is missing: Idealista gives each agency one, ilc and 40 letters or digits. Store it by lindero format set';
  return [{ parameter: 'CustomerCode', reason }];
}
