import type { FeedFormat } from '../format.ts';
import type { Parameter } from '../parameters.ts';
import { type Dictionary, renderDictionary } from './dictionary.ts';
import { DOCUMENT_FORMAT, DOCUMENT_TAIL, documentHead, writeProperties } from './document.ts';
import {
  canonicalName,
  FEED_PARAMETERS,
  PARAMETER_NAMES,
  parsePaging,
  parseParameters,
  type ResalesParameters,
} from './parameters.ts';

/** The format of ReSales-Online's feeds, in three versions. */
export const RESALES: FeedFormat<ResalesParameters, Dictionary> = {
  name: 'resales',
  title: (preset) => `ReSales-Online XML, version ${preset.get('FV') ?? 1}`,
  file: 'createxmlfeedv3.asp',
  documentFormat: DOCUMENT_FORMAT,
  parameterNames: PARAMETER_NAMES,
  feedParameters: Object.values(FEED_PARAMETERS) as readonly Parameter<unknown>[],
  parse(given) {
    const { parameters, errors } = parseParameters(given);
    const { paging, errors: invalidPaging } = parsePaging(given);
    return { parameters, paging, errors: [...errors, ...invalidPaging] };
  },
  canonicalName,
  head: ({ version }) => documentHead(version),
  tail: DOCUMENT_TAIL,
  furtherFields: [],
  withAddresses: false,
  renderDictionary,
  writeProperties,
  schemas: ['feed-v1.xsd', 'feed-v2.xsd', 'feed-v3.xsd'],
};
