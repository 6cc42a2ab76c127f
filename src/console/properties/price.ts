import type { ListedRow } from '../../db/feed/listings.ts';
import { formatMoney } from '../format.tsx';
import type { Guest } from '../visit.ts';

/** The offers of a property; `undefined` for one that it does not have, `null` for a price on request. */
export interface Offers {
  readonly currency: string;
  readonly sale?: number | null;
  readonly month?: number | null;
  readonly weeks?: readonly (number | null)[];
}

export function offersOf(row: ListedRow): Offers {
  return {
    currency: row.currency,
    ...(row.forSale === 1 && { sale: row.salePrice }),
    ...(row.forLongTerm === 1 && { month: row.monthlyRent }),
    ...(row.forShortTerm === 1 && { weeks: [row.lowRent, row.highRent] }),
  };
}

/** Prices in words: `€345,000`, `€1,150 a month`; those below 1 are on request, as in feeds. */
export function pricesText({ currency, sale, month, weeks }: Offers, { texts, language }: Guest): string[] {
  const text = (prices: readonly (number | null)[], offer: string, period: string) => {
    const amounts = [...new Set(prices.filter((price) => price !== null && price > 0))];
    const shown = amounts.map((price) => formatMoney(price!, currency, language)).join(' – ');
    return shown === '' ? `${offer}: ${texts.onRequest}` : `${shown} ${period}`.trim();
  };
  return [
    ...(sale === undefined ? [] : [text([sale], texts.forSale, '')]),
    ...(month === undefined ? [] : [text([month], texts.longTerm, texts.aMonth)]),
    ...(weeks === undefined ? [] : [text(weeks, texts.shortTerm, texts.aWeek)]),
  ];
}
