import { isEqual } from '../../../lib/bytes/equal.ts';
import type { PropertyDocument } from '../../../properties/documents.ts';
import { amenitiesOf } from '../../../vocabulary/amenities.ts';
import { DEFAULT_COUNTRY, hasKyeroType } from '../../../vocabulary/kyero.ts';

const CURRENCIES = ['EUR', 'GBP', 'USD'];

/** Maximum characters of a place, and maximum entries of a list, in Kyero's schema. */
const MAX_LENGTH = 50;

/**
 * A property from a record. A field keeps its stored value if the record has as much of that value
 * as Kyero's schema allows: an account's feed that is imported into the account changes nothing.
 */
export function beyondLimits(given: PropertyDocument, stored: PropertyDocument): PropertyDocument {
  const { sale, long_term, short_term } = given.offers;
  const { offers } = stored;
  const isForeign = !CURRENCIES.includes(stored.currency);
  const hasPrice = sale?.price != null || long_term?.rent != null || short_term?.low != null;
  // A price in another currency is on request; all others are whole numbers above zero.
  const exact = (price: number | null, own: number | null | undefined) => {
    const rounded = own == null || isForeign ? 0 : Math.round(own);
    return own != null && (rounded > 0 ? rounded : null) === price ? own : price;
  };
  const longer = (text: string | null, own: string | null) =>
    text !== null && own !== null && [...own].slice(0, MAX_LENGTH).join('').trim() === text
      ? own
      : text;
  const more = <Entry>(list: Entry[], own: Entry[]) =>
    list.length === MAX_LENGTH && isEqual(own.slice(0, MAX_LENGTH), list) ? own : list;
  // Kyero has no nodes for a garden and a garage: a stored flag that the features do not imply came
  // from elsewhere.
  const implied = amenitiesOf(stored.features);
  const isDefault = stored.country === null && given.country === DEFAULT_COUNTRY;
  return {
    ...given,
    currency: isForeign && !hasPrice ? stored.currency : given.currency,
    // A stored reference can itself end in the suffix that the feed appends for further offers.
    ref: [`${given.ref}-LT`, `${given.ref}-ST`].includes(stored.ref) ? stored.ref : given.ref,
    type: hasKyeroType(stored.type, given.type) ? stored.type : given.type,
    country: isDefault ? null : longer(given.country, stored.country),
    area: longer(given.area, stored.area),
    has_garden: given.has_garden || (stored.has_garden && !implied.has_garden),
    has_garage: given.has_garage || (stored.has_garage && !implied.has_garage),
    pictures: more(given.pictures, stored.pictures),
    features: more(given.features, stored.features),
    offers: {
      sale: sale && { ...sale, price: exact(sale.price, offers.sale?.price) },
      long_term: long_term && { rent: exact(long_term.rent, offers.long_term?.rent) },
      short_term: short_term && {
        ...short_term,
        low: exact(short_term.low, offers.short_term?.low),
      },
    },
  };
}
