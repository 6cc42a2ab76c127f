import { SERVED_LANGUAGES } from '../../../lib/languages.ts';
import { CATEGORY, declareParameters, FILTERS, LANGUAGE, list, PICTURES, parametersOf } from '../parameters.ts';
import EFFECTS from './effects.json' with { type: 'json' };

const { parameter, flag } = parametersOf(EFFECTS);

/** The elements of Kyero's languages by our codes, in the order of these: codes of ISO 639-1. Kyero has no Polish. */
export const ELEMENTS: ReadonlyMap<number, string> = new Map(
  SERVED_LANGUAGES.filter(({ element }) => element !== 'pl').map(({ code, element }) => [
    code,
    element === 'uk' ? 'en' : element,
  ]),
);

/** The parameters that decide which bytes a feed has, by the field that holds the value. */
const TABLE = {
  category: parameter('T', CATEGORY, 'All'),
  // Polish is accepted, as in the other format, but Kyero has no node for it.
  languages: parameter<readonly number[]>(LANGUAGE, list(SERVED_LANGUAGES.map(({ code }) => code)), [
    ...ELEMENTS.keys(),
  ]),
  pictures: parameter('IC', PICTURES, 50),
  ...FILTERS,
  shortTerm: flag('ShortTerm'),
  extended: flag('Extended'),
} as const;

export const KYERO_PARAMETERS = declareParameters(TABLE, {
  refused: [
    ...['FV', 'VT', 'DisplayListingDate', 'AR', 'ARP', 'ShowRTA', 'ST', 'NPT', 'ER_Show', 'ER_ShowAll'],
    ...['N', 'P_PageNo', 'p1', 'Ref', 'LocationVersion', 'CS'],
  ],
  refusal: 'is not supported in kyero.xml',
  normalize: (parameters) => ({
    ...parameters,
    languages: parameters.languages.filter((code) => ELEMENTS.has(code)),
  }),
});

export type KyeroParameters = ReturnType<typeof KYERO_PARAMETERS.parse>['parameters'];
