import {
  CATEGORY,
  type Category,
  type FeedParameters,
  FLAG,
  type GivenParameters,
  LANGUAGE,
  languageList,
  nameOfSet,
  type Parameter,
  type ParameterError,
  PICTURES,
  readValue,
} from '../parameters.ts';
import { KYERO_LANGUAGES } from './languages.ts';

/** Polish is accepted, as in the other format, but Kyero has no node for it. */
const ACCEPTED_LANGUAGES = Array.from({ length: 14 }, (_, index) => index + 1);

/** The parameters that decide which bytes a feed has, by the field that holds the value. */
export const KYERO_PARAMETERS = {
  category: parameter<Category>({
    name: 'T',
    type: CATEGORY,
    default: 'All',
  }),
  languages: parameter<readonly number[]>({
    name: LANGUAGE,
    type: languageList('1 to 14', ACCEPTED_LANGUAGES),
    default: KYERO_LANGUAGES.map(({ code }) => code),
  }),
  pictures: parameter<number>({
    name: 'IC',
    type: PICTURES,
    default: 50,
  }),
  onWebsites: flag('NW'),
  withoutRented: flag('ExRented'),
  availableOnly: flag('OnlyAvailable'),
  shortTerm: flag('ShortTerm'),
  extended: flag('Extended'),
} as const;

type ParameterTable = typeof KYERO_PARAMETERS;
type Field = keyof ParameterTable;

/** What a feed contains, with every default filled in. */
export type KyeroParameters = FeedParameters & {
  readonly [Name in Field]: ParameterTable[Name] extends Parameter<infer Value> ? Value : never;
};

/** Parameters of the other format: a request that has one expects what this format does not have. */
export const REFUSED_PARAMETERS: readonly string[] = [
  ...['FV', 'VT', 'DisplayListingDate', 'AR', 'ARP', 'ShowRTA', 'ST', 'NPT', 'ER_Show', 'ER_ShowAll'],
  ...['N', 'P_PageNo', 'Ref'],
];

const FIELDS = Object.entries(KYERO_PARAMETERS) as [Field, Parameter<unknown>][];

/** Every parameter except the credentials, in the spelling of the specification. */
export const PARAMETER_NAMES: readonly string[] = [...FIELDS.map(([, { name }]) => name), ...REFUSED_PARAMETERS];

/** The parameters of a feed, with the default instead of each invalid value, and an error for each invalid value. */
export function parseParameters(given: GivenParameters): { parameters: KyeroParameters; errors: ParameterError[] } {
  const errors: ParameterError[] = REFUSED_PARAMETERS.flatMap((name) =>
    given[name] === undefined ? [] : [{ parameter: name, reason: 'is not supported in kyero.xml', unsupported: true }],
  );
  const parsed = Object.fromEntries(
    FIELDS.map(([field, row]) => [field, readValue(row, given, errors) ?? row.default]),
    // The entries are those of the table, each with a value of its row's type.
  ) as Omit<KyeroParameters, 'listingDate'>;
  const languages = parsed.languages.filter((code) => KYERO_LANGUAGES.some((language) => language.code === code));
  return { parameters: { ...parsed, languages, listingDate: false }, errors };
}

/** The name of a parameter set in cache keys. */
export function canonicalName(parameters: KyeroParameters): string {
  return nameOfSet(FIELDS.map(([field, row]) => [row, parameters[field]]));
}

function parameter<Value>(row: Parameter<Value>): Parameter<Value> {
  return row;
}

function flag(name: string): Parameter<boolean> {
  return { name, type: FLAG, default: false };
}
