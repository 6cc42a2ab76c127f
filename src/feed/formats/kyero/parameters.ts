import {
  CATEGORY,
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
  type ValuesOf,
  valuesOf,
} from '../parameters.ts';
import EFFECTS from './effects.json' with { type: 'json' };
import { KYERO_LANGUAGES } from './languages.ts';

const { parameter, flag } = parametersOf(EFFECTS);

/** Polish is accepted, as in the other format, but Kyero has no node for it. */
const ACCEPTED_LANGUAGES = Array.from({ length: 14 }, (_, index) => index + 1);

/** The parameters that decide which bytes a feed has, by the field that holds the value. */
export const KYERO_PARAMETERS = {
  category: parameter('T', CATEGORY, 'All'),
  languages: parameter<readonly number[]>(
    LANGUAGE,
    list(ACCEPTED_LANGUAGES),
    KYERO_LANGUAGES.map(({ code }) => code),
  ),
  pictures: parameter('IC', PICTURES, 50),
  ...FILTERS,
  shortTerm: flag('ShortTerm'),
  extended: flag('Extended'),
} as const;

/** What a feed contains, with every default filled in. */
export type KyeroParameters = FeedParameters & ValuesOf<typeof KYERO_PARAMETERS>;

/** Parameters of the other format: a request that has one expects what this format does not have. */
export const REFUSED_PARAMETERS: readonly string[] = [
  ...['FV', 'VT', 'DisplayListingDate', 'AR', 'ARP', 'ShowRTA', 'ST', 'NPT', 'ER_Show', 'ER_ShowAll'],
  ...['N', 'P_PageNo', 'p1', 'Ref', 'LocationVersion', 'CS'],
];

/** Every parameter except the credentials, in the spelling of the specification. */
export const PARAMETER_NAMES: readonly string[] = [...namesOf(KYERO_PARAMETERS), ...REFUSED_PARAMETERS];

/** The parameters of a feed, with the default instead of each invalid value, and an error for each invalid value. */
export function parseParameters(given: GivenParameters): { parameters: KyeroParameters; errors: ParameterError[] } {
  const errors: ParameterError[] = REFUSED_PARAMETERS.flatMap((name) =>
    given[name] === undefined ? [] : [{ parameter: name, reason: 'is not supported in kyero.xml', unsupported: true }],
  );
  const parsed = valuesOf(KYERO_PARAMETERS, given, errors);
  const languages = parsed.languages.filter((code) => KYERO_LANGUAGES.some((language) => language.code === code));
  return { parameters: { ...parsed, languages, listingDate: false }, errors };
}

/** The name of a parameter set in cache keys. */
export function canonicalName(parameters: KyeroParameters): string {
  return nameOfSet(KYERO_PARAMETERS, parameters);
}
