import {
  CATEGORY,
  type Category,
  type FeedParameters,
  FILTERS,
  flag,
  type GivenParameters,
  LANGUAGE,
  list,
  nameOfSet,
  type Parameter,
  type ParameterError,
  PICTURES,
  type ValuesOf,
  valuesOf,
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
    effect: {
      en: 'only properties with this kind of offer, and only the records of these offers',
      es: 'Solo inmuebles con este tipo de oferta, y solo los registros de esas ofertas',
    },
  }),
  languages: parameter<readonly number[]>({
    name: LANGUAGE,
    type: list(ACCEPTED_LANGUAGES),
    default: KYERO_LANGUAGES.map(({ code }) => code),
    effect: {
      en:
        'languages of descriptions and web pages: 1 to 10 as in the other format, 11 Italian, 12 Portuguese, 13 Finnish, ' +
        '14 Catalan; all by default. Kyero has no Polish',
      es:
        'Idiomas de las descripciones y de las páginas web: del 1 al 10 como en el otro formato, 11 italiano, 12 portugués, ' +
        '13 finés, 14 catalán; por defecto, todos. Kyero no tiene polaco',
    },
  }),
  pictures: parameter<number>({
    name: 'IC',
    type: PICTURES,
    default: 50,
    effect: {
      en: "maximum pictures per property; 0 for all, of which Kyero's schema allows 50",
      es: 'Máximo de fotos por inmueble; 0 para todas. El esquema de Kyero permite 50',
    },
  }),
  ...FILTERS,
  shortTerm: flag('ShortTerm', {
    en: 'includes short-term rentals, with weekly prices, which Kyero no longer accepts',
    es: 'Incluye los alquileres de corta duración, con precios semanales, que Kyero ya no acepta',
  }),
  extended: flag('Extended', {
    en: "adds nodes that programs read but Kyero's schema does not allow",
    es: 'Añade nodos que los programas leen, pero que el esquema de Kyero no permite',
  }),
} as const;

/** What a feed contains, with every default filled in. */
export type KyeroParameters = FeedParameters & ValuesOf<typeof KYERO_PARAMETERS>;

/** Parameters of the other format: a request that has one expects what this format does not have. */
export const REFUSED_PARAMETERS: readonly string[] = [
  ...['FV', 'VT', 'DisplayListingDate', 'AR', 'ARP', 'ShowRTA', 'ST', 'NPT', 'ER_Show', 'ER_ShowAll'],
  ...['N', 'P_PageNo', 'p1', 'Ref', 'LocationVersion', 'CS'],
];

/** Every parameter except the credentials, in the spelling of the specification. */
export const PARAMETER_NAMES: readonly string[] = [
  ...Object.values(KYERO_PARAMETERS).map(({ name }) => name),
  ...REFUSED_PARAMETERS,
];

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

function parameter<Value>(row: Parameter<Value>): Parameter<Value> {
  return row;
}
