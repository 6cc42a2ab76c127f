import type { FeedFormat } from '../format.ts';
import type { Parameter } from '../parameters.ts';
import { type KyeroDictionary, renderDictionary } from './dictionary.ts';
import {
  DOCUMENT_FORMAT,
  DOCUMENT_HEAD,
  DOCUMENT_TAIL,
  FURTHER_FIELDS,
  type KyeroProperty,
  writeProperties,
} from './document.ts';
import {
  canonicalName,
  KYERO_PARAMETERS,
  type KyeroParameters,
  PARAMETER_NAMES,
  parseParameters,
} from './parameters.ts';

/** Kyero v3. */
export const KYERO: FeedFormat<KyeroParameters, KyeroDictionary, KyeroProperty> = {
  name: 'kyero',
  title: () => 'Kyero XML, version 3',
  file: 'kyero.xml',
  documentFormat: DOCUMENT_FORMAT,
  parameterNames: PARAMETER_NAMES,
  feedParameters: Object.values(KYERO_PARAMETERS) as readonly Parameter<unknown>[],
  parse(given) {
    return { ...parseParameters(given), paging: { limit: null, isFirstPage: true, hasReference: false } };
  },
  canonicalName,
  head: () => DOCUMENT_HEAD,
  tail: DOCUMENT_TAIL,
  furtherFields: FURTHER_FIELDS,
  withAddresses: true,
  renderDictionary,
  writeProperties,
  schemas: ['kyero.xsd', 'kyero-extended.xsd'],
};
