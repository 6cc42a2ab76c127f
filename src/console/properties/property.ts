import { type ListedRow, listProperties } from '../../db/feed/listings.ts';
import { readStored } from '../../db/portfolio/read.ts';
import { readVocabulary } from '../../db/vocabulary.ts';
import { keyOf, type PortfolioDocument, type PropertyDocument } from '../../portfolio/documents.ts';
import { formatMoney } from '../format.ts';
import { type Language, TEXTS } from '../texts/texts.ts';
import type { Guest, Visitor } from '../visit.ts';

/** A property as it is stored and as lists show it; `null` if the account has none with this identifier. */
export async function loadProperty({ db, account }: Visitor, id: string) {
  const [stored, { rows }] = await Promise.all([
    readStored(db, account.id, [{ kind: 'property', id } as PortfolioDocument]),
    listProperties(db, account.id, { identifiers: [id], order: 'changed' }, 0, 1),
  ]);
  const document = stored.get(keyOf('property', id)) as PropertyDocument | undefined;
  const [row] = rows;
  return document === undefined || row === undefined ? null : { document, row };
}

/** What an account's types and features are called, by their codes; no two have the same name. */
export type Names = Awaited<ReturnType<typeof readNames>>;

export async function readNames({ db, account, language }: Visitor) {
  const read = await readVocabulary(db, account.id);
  const code = PAGE_CODES[language];
  const categories = new Map(inLanguage(read.categories, code).map(({ id, label, code }) => [id, label ?? code]));
  const types = inLanguage(read.types, code).map(
    ({ code, type, subtype }) => [code, subtype ?? type ?? code, typeText(type, subtype)] as const,
  );
  const features = inLanguage(read.features, code).map(
    ({ code, label, categoryId }) => [code, label ?? code, `${categories.get(categoryId)}: ${label}`] as const,
  );
  return { types: distinct(types), features: distinct(features) };
}

/** The labels of a vocabulary in a language, otherwise in English: one for each entry. */
export function inLanguage<Label extends { id: number; language: number | null }>(all: readonly Label[], code: number) {
  const byId = Map.groupBy(all, ({ id }) => id);
  return [...byId.values()].map((labels) => labels.find(({ language }) => language === code) ?? labels[0]!);
}

/** Names by codes: the longer one where several have the same. */
function distinct(all: readonly (readonly [code: string, name: string, longer: string])[]): Map<string, string> {
  const alike = Map.groupBy(all, ([, name]) => name.toLowerCase());
  return new Map(all.map(([code, name, longer]) => [code, alike.get(name.toLowerCase())![1] ? longer : name]));
}

/** `House – Detached Villa` */
export function typeText(type: string | null, subtype: string | null): string {
  return [type, subtype].filter(Boolean).join(' – ');
}

/** The codes of the languages of the pages in feeds. */
export const PAGE_CODES = { en: 1, es: 2 } as const;

/** The elements of the languages of the pages in feeds and documents. */
export const PAGE_ELEMENTS = { en: 'uk', es: 'es' } as const;

/** The kinds of offers, each with whether a property has it, and its prices: `null` for one on request. */
export type Offers = readonly (readonly ['forSale' | 'longTerm' | 'shortTerm', boolean, ...(number | null)[]])[];

export function offersOf(row: ListedRow): Offers {
  return [
    ['forSale', row.forSale === 1, row.salePrice],
    ['longTerm', row.forLongTerm === 1, row.monthlyRent],
    ['shortTerm', row.forShortTerm === 1, row.lowRent, row.highRent],
  ];
}

/** Prices in words: `€345,000`, `€1,150 a month`; those below 1 are on request, as in feeds. */
export function pricesText(currency: string, offers: Offers, { texts, language }: Guest): string[] {
  const periods = { forSale: '', longTerm: texts.aMonth, shortTerm: texts.aWeek };
  return offers.flatMap(([kind, has, ...prices]) => {
    const amounts = [...new Set(prices)].flatMap((price) => (price === null || price <= 0 ? [] : price));
    const shown = amounts.map((price) => formatMoney(price, currency, language)).join(' – ');
    const text = shown === '' ? `${texts[kind]}: ${texts.onRequest}` : `${shown} ${periods[kind]}`.trim();
    return has ? [text] : [];
  });
}

/** Rooms in words: `2 bedrooms, 3 bathrooms, 1 toilet`. Feeds have the last two as one number, such as 3.5. */
export function roomsText(beds: number, bath: number, language: Language): string {
  const texts = TEXTS[language].properties;
  const baths = Math.floor(bath);
  const toilets = Math.round(Math.round((bath - baths) * 10) / 5);
  const rooms = { beds, baths, toilets };
  const names = ['beds', 'baths', 'toilets'] as const;
  return names
    .filter((name) => rooms[name] > 0)
    .map((name) => texts[name]({ count: rooms[name] }))
    .join(', ');
}
