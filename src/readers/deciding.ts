import type { PropertyDocument } from '../properties/documents.ts';
import { pictureOf } from '../properties/pictures.ts';
import type { ListedRow } from '../properties/store/listings.ts';
import type { Deciding } from './selection.ts';

/** What decides whether a feed lists a property, from a row of a list. Its status is its unit's already. */
export function decidingIn(row: ListedRow, hasShortTerm = true): Deciding {
  const isOnWebsites = row.onWebsites === 1;
  const isShortTerm = row.forShortTerm === 1 && hasShortTerm;
  return {
    id: row.identifier,
    type: row.type,
    town: row.town,
    features: row.features,
    photographs: row.photographs,
    status: row.status,
    offers: {
      sale: row.forSale === 1 ? { price: row.salePrice, minimum_price: 0 } : null,
      long_term: row.forLongTerm === 1 ? { rent: row.monthlyRent } : null,
      short_term: isShortTerm ? { low: row.weeklyRent, high: null, license: null } : null,
    },
    rented: row.rented === 1,
    on_own_website: isOnWebsites,
    on_other_websites: isOnWebsites,
    channels: row.channels,
    restrictions: row.restrictions,
  };
}

/**
 * The same from a document.
 *
 * @param row that of a stored one: a property that is a unit has the unit's status and price
 */
export function decidingOf(
  property: PropertyDocument,
  row: ListedRow | undefined,
  hasShortTerm: boolean,
): Deciding {
  const { status, offers, pictures } = property;
  const unit = property.unit === null ? undefined : row;
  // Of a unit that is withdrawn, the row does not have the unit's own.
  const isOwn = unit === undefined || [status, unit.status].includes('Withdrawn');
  return {
    ...property,
    status: isOwn ? status : unit.status,
    offers: {
      ...offers,
      sale: offers.sale && { ...offers.sale, ...(unit && { price: unit.salePrice }) },
      short_term: hasShortTerm ? offers.short_term : null,
    },
    photographs: pictures.filter((entry) => pictureOf(entry).kind === 'photo').length,
  };
}
