import type { FeedProperty } from '../../../db/feed/feed-properties.ts';
import type { ResalesParameters } from './parameters.ts';

/** What distinguishes the records of a property: identifier and offer. */
export interface FeedRecord {
  readonly id: string;
  /** The headline price: the sale price, else the monthly rent, else the weekly price in low season; 0 if none is known, or below 0. */
  readonly price: number;
  /** What the headline price is for; without one, the first of the record's offers. */
  readonly frequency: 'sale' | 'month' | 'week';
  /** The least net price that the vendor accepts; 0 is not set. */
  readonly minimumPrice: number;
  /** Monthly rent, if the record offers a long-term rental. */
  readonly rent: number | null;
  /** Weekly prices and the licence, if the record offers a short-term rental. */
  readonly low: number | null;
  readonly high: number | null;
  readonly license: string | null;
}

type Offer = 'sale' | 'long-term' | 'short-term';

/** The records of a listed property: one with all requested offers, or rental offers as separate records. */
export function recordsOf(row: FeedProperty, { category, separateRentals }: ResalesParameters): FeedRecord[] {
  const offers: Offer[] = [];
  if (row.for_sale === 1 && category !== 'RENT') offers.push('sale');
  if (row.for_long_term === 1 && category !== 'SALE') offers.push('long-term');
  if (row.for_short_term === 1 && category !== 'SALE') offers.push('short-term');
  if (!separateRentals) return [recordOf(row, row.identifier, offers)];
  return offers.map((offer) => recordOf(row, row.identifier + SUFFIX[offer], [offer]));
}

const SUFFIX: Readonly<Record<Offer, string>> = { sale: '', 'long-term': '-LT', 'short-term': '-ST' };

const FREQUENCY = { sale: 'sale', 'long-term': 'month', 'short-term': 'week' } as const;

function priceOf(row: FeedProperty, offer: Offer): number | null {
  switch (offer) {
    case 'sale':
      return row.sale_price;
    case 'long-term':
      return row.monthly_rent;
    case 'short-term':
      return row.low_season_rent;
  }
}

function recordOf(row: FeedProperty, id: string, offers: readonly Offer[]): FeedRecord {
  const forSale = offers.includes('sale');
  const longTerm = offers.includes('long-term');
  const shortTerm = offers.includes('short-term');
  const prices = offers.map((offer) => ({ price: priceOf(row, offer), frequency: FREQUENCY[offer] }));
  const headline = prices.find(({ price }) => price !== null) ?? prices[0]!;
  return {
    id,
    // An update may set any number; a reader would show a negative price, or fail.
    price: Math.max(0, headline.price ?? 0),
    frequency: headline.frequency,
    minimumPrice: forSale ? row.minimum_price : 0,
    rent: longTerm ? row.monthly_rent : null,
    low: shortTerm ? row.low_season_rent : null,
    high: shortTerm ? row.high_season_rent : null,
    license: shortTerm ? row.rental_license : null,
  };
}
