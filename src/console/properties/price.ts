import { formatMoney } from '../format.tsx';
import type { Guest } from '../visit.ts';

/** The offers of a property; `undefined` for one that it does not have, `null` for a price on request. */
export interface Prices {
  readonly currency: string;
  readonly sale?: number | null;
  readonly month?: number | null;
  readonly weeks?: readonly (number | null)[];
}

/** Prices in words: `€345,000`, `€1,150 a month`; those below 1 are on request, as in feeds. */
export function pricesText({ currency, sale, month, weeks }: Prices, { texts, language }: Guest): string[] {
  const amounts = (prices: readonly (number | null)[]) =>
    [...new Set(prices.filter((price) => price !== null && price > 0))]
      .map((price) => formatMoney(price!, currency, language))
      .join(' – ');
  const text = (prices: readonly (number | null)[], offer: string, period: string) => {
    const shown = amounts(prices);
    return shown === '' ? `${offer}: ${texts.onRequest}` : `${shown} ${period}`.trim();
  };
  return [
    ...(sale === undefined ? [] : [text([sale], texts.forSale, '')]),
    ...(month === undefined ? [] : [text([month], texts.longTerm, texts.aMonth)]),
    ...(weeks === undefined ? [] : [text(weeks, texts.shortTerm, texts.aWeek)]),
  ];
}
