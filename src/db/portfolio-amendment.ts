import { isDeepStrictEqual } from 'node:util';
import type { PortfolioDocument, PropertyDocument } from '../portfolio/documents.ts';

/**
 * Whether a property is to become what it is already, but for its offers and for what no feed shows. Written over what is
 * stored, such a change moves no more than the feeds that show it; any other takes the property off the market and lists
 * it again, and so counts once.
 */
export function isAmendment(property: PropertyDocument, stored: PortfolioDocument | undefined): boolean {
  return stored?.kind === 'property' && isDeepStrictEqual(shownInBoth(property), shownInBoth(stored));
}

/** What sale feeds and rental feeds show alike. */
function shownInBoth(property: PropertyDocument): object {
  const { offers, new_build, source_changed_at, sale_updated_at, rental_updated_at, texts, ...shown } = property;
  const descriptions = Object.entries(texts).filter(([, text]) => text.description !== null);
  return {
    ...shown,
    descriptions: Object.fromEntries(descriptions.map(([element, text]) => [element, text.description])),
  };
}
