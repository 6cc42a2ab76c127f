import type { PropertyRow } from '../db/feed-records.ts';
import type { FeedParameters } from './parameters.ts';

/** What tells one record of a property from another: its identifier and its offer. */
export interface FeedRecord {
  readonly id: string;
  /** The headline price: the sale price where it is known, else the monthly rent, else none. */
  readonly price: number | null;
  /** What the headline price is for; without one, what the record offers first. */
  readonly frequency: 'sale' | 'month' | 'week';
  /** The least net price that the vendor accepts; 0 is not set. */
  readonly minimumPrice: number;
  /** Monthly rent, where the record offers a long-term rental. */
  readonly rent: number | null;
  /** Weekly prices and the licence, where the record offers a short-term rental. */
  readonly low: number | null;
  readonly high: number | null;
  readonly license: string | null;
}

type Offer = 'sale' | 'long-term' | 'short-term';

/** The records that a listed property stands on: one with all offers asked for, or rental offers on their own. */
export function recordsOf(row: PropertyRow, { category, separateRentals }: FeedParameters): FeedRecord[] {
  const offers: Offer[] = [];
  if (row.for_sale === 1 && category !== 'RENT') offers.push('sale');
  if (row.for_long_term === 1 && category !== 'SALE') offers.push('long-term');
  if (row.for_short_term === 1 && category !== 'SALE') offers.push('short-term');
  if (!separateRentals) return [recordOf(row, row.identifier, offers)];
  return offers.map((offer) => recordOf(row, row.identifier + SUFFIX[offer], [offer]));
}

const SUFFIX: Readonly<Record<Offer, string>> = { sale: '', 'long-term': '-LT', 'short-term': '-ST' };

function recordOf(row: PropertyRow, id: string, offers: readonly Offer[]): FeedRecord {
  const forSale = offers.includes('sale');
  const longTerm = offers.includes('long-term');
  const shortTerm = offers.includes('short-term');
  const rentFirst = longTerm && (!forSale || (row.sale_price === null && row.rent !== null));
  return {
    id,
    price: rentFirst ? row.rent : forSale ? row.sale_price : null,
    frequency: rentFirst ? 'month' : forSale ? 'sale' : 'week',
    minimumPrice: forSale ? (row.minimum_price ?? 0) : 0,
    rent: longTerm ? row.rent : null,
    low: shortTerm ? row.low : null,
    high: shortTerm ? row.high : null,
    license: shortTerm ? row.license : null,
  };
}
