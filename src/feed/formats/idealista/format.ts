import type { ListedProperty } from '../../../rules/listing.ts';
import { LISTED_FIELDS } from '../../../rules/listing.ts';
import { dictionaryOf } from '../../../rules/listing-of-row.ts';
import type { FeedFormat } from '../format.ts';
import type { Parameter } from '../parameters.ts';
import {
  DEVELOPMENTS,
  DOCUMENT_FORMAT,
  DOCUMENT_TAIL,
  documentHead,
  type IdealistaDictionary,
  SEPARATOR,
  writeProperties,
} from './document.ts';
import {
  canonicalName,
  IDEALISTA_PARAMETERS,
  type IdealistaParameters,
  missingParameters,
  PARAMETER_NAMES,
  parseParameters,
} from './parameters.ts';

/** Idealista's JSON, version 6. */
export const IDEALISTA: FeedFormat<IdealistaParameters, IdealistaDictionary, ListedProperty> = {
  name: 'idealista',
  title: () => 'Idealista JSON, version 6',
  file: 'idealista.json',
  documentFormat: DOCUMENT_FORMAT,
  mediaType: 'application/json',
  separator: SEPARATOR,
  developments: DEVELOPMENTS,
  parameterNames: PARAMETER_NAMES,
  feedParameters: Object.values(IDEALISTA_PARAMETERS) as readonly Parameter<unknown>[],
  parse(given) {
    return { ...parseParameters(given), paging: { limit: null, isFirstPage: true, hasReference: false } };
  },
  missing: missingParameters,
  canonicalName,
  head: documentHead,
  tail: DOCUMENT_TAIL,
  furtherFields: LISTED_FIELDS,
  withAddresses: false,
  withDevelopments: true,
  renderDictionary: (vocabulary) => ({ revision: vocabulary.revision, ...dictionaryOf(vocabulary) }),
  writeProperties,
  schemas: [],
};
