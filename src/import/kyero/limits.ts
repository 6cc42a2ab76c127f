import { DEFAULT_COUNTRY, hasKyeroType } from '../../feed/formats/kyero/names.ts';
import { isEqual } from '../../lib/bytes/equal.ts';
import type { PropertyDocument } from '../../portfolio/documents.ts';

/** The currencies that a feed of this service has in Kyero's format. */
const CURRENCIES = ['EUR', 'GBP', 'USD'];

/** The most characters of a place, and the most entries of a list, in Kyero's schema. */
const MOST = 50;

/**
 * A property from a record, with the stored value wherever the record has as much of that as Kyero's schema allows: the
 * feed of an account, imported into it, then changes nothing.
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
  return {
    ...given,
    currency: isForeign && !hasPrice ? stored.currency : given.currency,
    // A stored reference may itself end in what the feed appends to those of further offers.
    ref: [`${given.ref}-LT`, `${given.ref}-ST`].includes(stored.ref) ? stored.ref : given.ref,
    type: hasKyeroType(stored.type, given.type) ? stored.type : given.type,
    country:
      stored.country === null && given.country === DEFAULT_COUNTRY ? null : longer(given.country, stored.country),
    area: longer(given.area, stored.area),
    pictures: more(given.pictures, stored.pictures),
    features: more(given.features, stored.features),
    offers: {
      sale: sale && { ...sale, price: exact(sale.price, offers.sale?.price) },
      long_term: long_term && { rent: exact(long_term.rent, offers.long_term?.rent) },
      short_term: short_term && { ...short_term, low: exact(short_term.low, offers.short_term?.low) },
    },
  };
}

function longer(given: string | null, stored: string | null): string | null {
  const isCut = given !== null && stored !== null && [...stored].slice(0, MOST).join('').trim() === given;
  return isCut ? stored : given;
}

function more(given: string[], stored: string[]): string[] {
  return given.length === MOST && isEqual(stored.slice(0, MOST), given) ? stored : given;
}
