import type { FeedProperty } from '../../../db/feed/feed-properties.ts';
import type { KyeroParameters } from './parameters.ts';

/** What a record of a property is for. */
export interface KyeroOffer {
  /** Follows the property's identifier. */
  readonly suffix: '' | '-LT' | '-ST';
  /** Follows the property's reference: empty for its first offer, so that each record has a reference of its own. */
  readonly referenceSuffix: '' | '-LT' | '-ST';
  readonly frequency: 'sale' | 'month' | 'week';
  /** `null` on request. */
  readonly price: number | null;
}

/**
 * The offers of a listed property: each has a record of its own, since a record has one price. References do not depend on
 * the parameters: a record has the same one in every feed.
 */
export function offersOf(
  row: FeedProperty,
  { category, shortTerm }: Pick<KyeroParameters, 'category' | 'shortTerm'>,
): KyeroOffer[] {
  const [forSale, longTerm] = [row.for_sale === 1, row.for_long_term === 1];
  const offers: KyeroOffer[] = [];
  if (forSale && category !== 'RENT') {
    offers.push({ suffix: '', referenceSuffix: '', frequency: 'sale', price: row.sale_price });
  }
  if (category === 'SALE') return offers;
  if (longTerm) {
    const referenceSuffix = forSale ? '-LT' : '';
    offers.push({ suffix: '-LT', referenceSuffix, frequency: 'month', price: row.monthly_rent });
  }
  if (shortTerm && row.for_short_term === 1) {
    const referenceSuffix = forSale || longTerm ? '-ST' : '';
    offers.push({ suffix: '-ST', referenceSuffix, frequency: 'week', price: row.low_season_rent });
  }
  return offers;
}
