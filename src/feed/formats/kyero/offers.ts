import type { FeedProperty } from '../../../db/feed-properties.ts';
import type { KyeroParameters } from './parameters.ts';

/** What a record of a property is for. */
export interface KyeroOffer {
  /** Follows the property's identifier. */
  readonly suffix: '' | '-LT' | '-ST';
  readonly frequency: 'sale' | 'month' | 'week';
  /** `null` on request. */
  readonly price: number | null;
}

/** The offers of a listed property: each has a record of its own, since a record has one price. */
export function offersOf(row: FeedProperty, { category }: Pick<KyeroParameters, 'category'>): KyeroOffer[] {
  const offers: KyeroOffer[] = [];
  if (row.for_sale === 1 && category !== 'RENT') offers.push({ suffix: '', frequency: 'sale', price: row.sale_price });
  if (category === 'SALE') return offers;
  if (row.for_long_term === 1) offers.push({ suffix: '-LT', frequency: 'month', price: row.monthly_rent });
  if (row.for_short_term === 1) offers.push({ suffix: '-ST', frequency: 'week', price: row.low_season_rent });
  return offers;
}
