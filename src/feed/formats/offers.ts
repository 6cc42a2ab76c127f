import { sha256Hex } from '../../lib/secrets/secrets.ts';
import type { PropertyDocument } from '../../properties/documents.ts';
import type { Selection } from '../../readers/selection.ts';

export interface Offer {
  readonly kind: 'sale' | 'long-term' | 'short-term';
  /** Follows the property's identifier if the offer has its own record. */
  readonly suffix: '' | '-LT' | '-ST';
  readonly frequency: 'sale' | 'month' | 'week';
  /** Per month or, in the low season, per week; `null` on request. */
  readonly price: number | null;
}

/** The offers of a property, whatever a feed selects. */
export function offersOf({ offers }: Pick<PropertyDocument, 'offers'>): Offer[] {
  const { sale, long_term, short_term } = offers;
  const found: Offer[] = [];
  if (sale !== null) found.push({ kind: 'sale', suffix: '', frequency: 'sale', price: sale.price });
  if (long_term !== null)
    found.push({ kind: 'long-term', suffix: '-LT', frequency: 'month', price: long_term.rent });
  if (short_term !== null)
    found.push({ kind: 'short-term', suffix: '-ST', frequency: 'week', price: short_term.low });
  return found;
}

export function isSelected({ kind }: Offer, category: Selection['category']): boolean {
  return category === 'All' || (category === 'SALE') === (kind === 'sale');
}

/** Characters of an identifier that Kyero and Idealista accept. */
const MAX_ID = 50;

/** An identifier with its suffix; if that is too long for the format, its end is replaced with a digest. */
export function shortId(identifier: string, suffix = ''): string {
  const id = identifier + suffix;
  if (id.length <= MAX_ID || [...id].length <= MAX_ID) return id;
  return `${[...identifier].slice(0, 30).join('')}~${sha256Hex(identifier).slice(0, 16)}${suffix}`;
}
