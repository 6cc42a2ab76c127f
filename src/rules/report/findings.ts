import type { PartFormat } from '../../feed/formats/format.ts';
import type { FeedParameters } from '../../feed/formats/parameters.ts';
import { offersShown } from '../../readers/selection.ts';
import { RULES_FORMAT } from '../all.ts';
import { checkListings } from '../check.ts';
import {
  type Dictionary,
  dictionaryOf,
  LISTED_FIELDS,
  type ListedField,
  listingOfRow,
} from '../listing.ts';

/**
 * What the rules find in the properties of a part, as a line of JSON, a `PartialReport`: not a feed, but built, cached
 * and invalidated like one, so that a report after a change checks one part again.
 */
export const FINDINGS: PartFormat<FeedParameters, Dictionary, ListedField> = {
  name: 'findings',
  documentFormat: RULES_FORMAT,
  head: () => '',
  tail: '',
  fields: LISTED_FIELDS,
  withAddresses: false,
  withDevelopments: true,
  renderDictionary: dictionaryOf,
  writeProperties: (properties, parameters, dictionary) => {
    if (properties.length === 0) return { text: '', records: 0 };
    const partial = checkListings(
      properties.map((property) => {
        const offers = offersShown(property.offers, parameters);
        return listingOfRow({ ...property, offers }, parameters.languages, dictionary);
      }),
    );
    return { text: `${JSON.stringify(partial)}\n`, records: properties.length };
  },
};
