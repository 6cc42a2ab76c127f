import { RULES_FORMAT } from '../../../rules/all.ts';
import { checkListings } from '../../../rules/check.ts';
import {
  type Dictionary,
  dictionaryOf,
  LISTED_FIELDS,
  type ListedProperty,
  listingOfRow,
} from '../../../rules/listing.ts';
import type { PartFormat } from '../format.ts';
import type { FeedParameters } from '../parameters.ts';

/**
 * What the rules find in the properties of a part, as a line of JSON, a `PartialReport`: not a feed, but built, cached
 * and invalidated like one, so that a report after a change checks one part again.
 */
export const FINDINGS: PartFormat<FeedParameters, Dictionary> = {
  name: 'findings',
  documentFormat: RULES_FORMAT,
  head: () => '',
  tail: '',
  furtherFields: LISTED_FIELDS,
  withAddresses: false,
  withDevelopments: true,
  renderDictionary: dictionaryOf,
  writeProperties: (rows: readonly ListedProperty[], { languages }, dictionary) => {
    if (rows.length === 0) return { text: '', records: 0 };
    const partial = checkListings(rows.map((row) => listingOfRow(row, languages, dictionary)));
    return { text: `${JSON.stringify(partial)}\n`, records: rows.length };
  },
};
