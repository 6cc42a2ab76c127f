import { readTypeNames } from '../../db/accounts/overview.ts';
import { type ListedRow, listProperties } from '../../db/feed/listings.ts';
import { readStored } from '../../db/portfolio/read.ts';
import { keyOf, type PortfolioDocument } from '../../portfolio/documents.ts';
import { formatMoney } from '../format.tsx';
import { type Language, PROPERTIES } from '../texts/texts.ts';
import type { Guest } from '../visit.ts';

export type ShownProperty = NonNullable<Awaited<ReturnType<typeof loadProperty>>>;

/** A property with the names of its type and its features; `null` if the account has none with this identifier. */
export async function loadProperty(db: D1Database, accountId: number, id: string, language: Language) {
  const [stored, { rows }, types] = await Promise.all([
    readStored(db, accountId, [{ kind: 'property', id } as PortfolioDocument]),
    listProperties(db, accountId, { identifiers: [id], order: 'changed' }, 0, 1),
    readTypeNames(db, accountId, codeOf(language)),
  ]);
  const [document, [row]] = [stored.get(keyOf('property', id)), rows];
  if (document?.kind !== 'property' || row === undefined) return null;
  const known = document.features.map((code) => ({ kind: 'feature', code }) as PortfolioDocument);
  const features = await readStored(db, accountId, known);
  const nameOf = (code: string) => {
    const feature = features.get(keyOf('feature', code));
    return (feature?.kind === 'feature' && (feature.labels[elementOf(language)] ?? feature.labels.uk)) || code;
  };
  return { document, row, type: types.get(row.typeId) ?? document.type, features: document.features.map(nameOf) };
}

/** The code of a language of the pages in feeds. */
export function codeOf(language: Language): number {
  return language === 'es' ? 2 : 1;
}

/** The element of a language of the pages in feeds and documents. */
export function elementOf(language: Language): 'es' | 'uk' {
  return language === 'es' ? 'es' : 'uk';
}

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

/** Rooms in words: `2 bedrooms, 3 bathrooms, 1 toilet`, of which the last two are one number in feeds, such as 3.5. */
export function roomsText(beds: number, bath: number, language: Language): string {
  const texts = PROPERTIES[language];
  const baths = Math.floor(bath);
  const toilets = Math.round(Math.round((bath - baths) * 10) / 5);
  const rooms = [
    beds > 0 && texts.beds({ count: beds }),
    baths > 0 && texts.baths({ count: baths }),
    toilets > 0 && texts.toilets({ count: toilets }),
  ];
  return rooms.filter(Boolean).join(', ');
}
