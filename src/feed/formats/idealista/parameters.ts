import {
  CATEGORY,
  choice,
  type Effect,
  type FeedParameters,
  FILTERS,
  type GivenParameters,
  LANGUAGE,
  list,
  nameOfSet,
  type Parameter,
  type ParameterError,
  PICTURES,
  pattern,
  type ValuesOf,
  type ValueType,
  valuesOf,
} from '../parameters.ts';
import { LANGUAGE_NAMES } from './values.ts';

const CODES = [...LANGUAGE_NAMES.keys()];

/** The parameters that decide which bytes a feed has, by the field that holds the value. */
export const IDEALISTA_PARAMETERS = {
  customerCode: text('CustomerCode', pattern(/^ilc[a-z0-9]{40}$/, 'ilc and 40 letters or digits'), {
    en: 'the code that Idealista has given the agency; required',
    es: 'El código que Idealista ha dado a la agencia; obligatorio',
  }),
  country: {
    name: 'CustomerCountry',
    type: choice({ Spain: 'Spain', Italy: 'Italy', Portugal: 'Portugal' }),
    default: 'Spain',
    effect: { en: "the agency's country", es: 'El país de la agencia' },
  } as Parameter<string>,
  email: text(
    'ContactEmail',
    pattern(/^[a-zA-Z0-9_.-]{1,60}@([a-zA-Z0-9_-]{1,60}\.){1,5}[a-zA-Z]{2,5}$/, 'an address'),
    {
      en: "the agency's email address",
      es: 'El correo de la agencia',
    },
  ),
  phone: text('ContactPhone', pattern(/^[0-9]{5,12}$/, '5 to 12 digits'), {
    en: "the agency's telephone number without its prefix",
    es: 'El teléfono de la agencia, sin prefijo',
  }),
  category: {
    name: 'T',
    type: CATEGORY,
    default: 'All',
    effect: { en: 'only properties with this kind of offer', es: 'Solo inmuebles con este tipo de oferta' },
  } as Parameter<FeedParameters['category']>,
  languages: {
    name: LANGUAGE,
    type: list(CODES),
    default: CODES,
    effect: { en: 'languages of descriptions; all by default', es: 'Idiomas de las descripciones; por defecto, todos' },
  } as Parameter<readonly number[]>,
  pictures: {
    name: 'IC',
    type: PICTURES,
    default: 0,
    effect: { en: 'maximum pictures per property; 0 for 200', es: 'Máximo de fotos por inmueble; 0 para 200' },
  } as Parameter<number>,
  ...FILTERS,
} as const;

/** What a feed contains, with every default filled in. */
export type IdealistaParameters = FeedParameters & ValuesOf<typeof IDEALISTA_PARAMETERS>;

/** Every parameter except the credentials. */
export const PARAMETER_NAMES: readonly string[] = Object.values(IDEALISTA_PARAMETERS).map(({ name }) => name);

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

function text(name: string, type: ValueType<string>, effect: Effect): Parameter<string> {
  return { name, type, default: '', effect };
}
