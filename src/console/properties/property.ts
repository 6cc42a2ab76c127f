import { LANGUAGES, type StoredLanguage } from '../../lib/languages.ts';
import {
  keyOf,
  type PortfolioDocument,
  type PropertyDocument,
} from '../../properties/documents.ts';
import { type ListedRow, listProperties } from '../../properties/store/listings.ts';
import { readStored } from '../../properties/store/read.ts';
import { TYPE_ENTRIES } from '../../vocabulary/entries.ts';
import { readVocabulary, type VocabularyRead } from '../../vocabulary/stored.ts';
import { formatMoney, isoCode } from '../format.ts';
import type { Language } from '../texts/language.ts';
import { textsOf } from '../texts/texts.ts';
import type { Guest, Visitor } from '../visit.ts';

/** A property as it is stored and as lists show it; `null` if the account has none with this identifier. */
export async function loadProperty({ db, account }: Visitor, id: string) {
  const [stored, [row]] = await Promise.all([
    readStored(db, account.id, [{ kind: 'property', id } as PortfolioDocument]),
    listProperties(db, account.id, { identifiers: [id], order: 'changed', forRules: true }),
  ]);
  const document = stored.get(keyOf('property', id)) as PropertyDocument | undefined;
  return document === undefined || row === undefined ? null : { document, row };
}

/** What an account's types and features are called, by their codes; no two have the same name. */
export interface Names {
  readonly vocabulary: VocabularyRead;
  readonly types: ReadonlyMap<string, string>;
  readonly features: ReadonlyMap<string, string>;
}

export async function readNames({ db, account, language }: Visitor): Promise<Names> {
  const vocabulary = await readVocabulary(db, account.id);
  const { types, categories, features } = vocabulary;
  const element = feedLanguage(language).element;
  const categoryNames = new Map(
    categories.map(({ code, labels }) => [code, inLanguage(labels, element) ?? code]),
  );
  return {
    vocabulary,
    types: distinct(
      types.map(({ code, labels }) => {
        const { type, subtype } = inLanguage(labels, element) ?? { type: code, subtype: null };
        return named(code, subtype ?? type, typeText(type, subtype));
      }),
    ),
    features: distinct(
      features.map(({ code, category, labels }) => {
        const name = inLanguage(labels, element) ?? code;
        return named(code, name, `${categoryNames.get(category) ?? category}: ${name}`);
      }),
    ),
  };
}

/** What a code is called, in sentence case, unless it has no name: with a longer name for where others have the same. */
function named(code: string, name: string, longer: string) {
  const inCase = (text: string) => (name === code ? text : inSentenceCase(text));
  return [code, inCase(name), inCase(longer)] as const;
}

/** `Close To Sea` as `Close to sea`; what has further capitals stays, such as `A/C` and `WiFi`. */
export function inSentenceCase(label: string): string {
  return label
    .replaceAll('`', '’')
    .replaceAll(/(?<=[\s-])\p{Lu}(?=\p{Ll}+(?![\p{L}/]))/gu, (letter) => letter.toLowerCase());
}

/** Languages in which people of the agency may search for a type. */
const SEARCHED = ['es', 'uk'] as const;

/** What types can be called, those of the account and the built-in ones, each with what else it is called. */
export function typeNames(names: Names, language: Language): ReadonlyMap<string, string> {
  const element = feedLanguage(language).element;
  const builtIn = TYPE_ENTRIES.map(({ document, names: also }): readonly [string, string] => {
    const { labels } = document;
    const textIn = (one: StoredLanguage) => {
      const { type, subtype } = inLanguage(labels, one)!;
      return inSentenceCase(subtype ?? type);
    };
    const others = [...SEARCHED.map(textIn), ...also];
    const name = textIn(element);
    return [name, [...new Set(others)].filter((one) => one !== name).join(', ')];
  });
  const own = [...names.types.values()].map((name) => [name, ''] as const);
  return new Map([...own, ...builtIn]);
}

/** A label of the vocabulary in a language, otherwise in English or the first that has one. */
export function inLanguage<Label>(
  labels: Readonly<Partial<Record<StoredLanguage, Label>>>,
  language: StoredLanguage,
): Label | undefined {
  return labels[language] ?? labels.uk ?? Object.values(labels)[0];
}

/** Names by codes: the longer one where several have the same. */
function distinct(
  all: readonly (readonly [code: string, name: string, longer: string])[],
): Map<string, string> {
  const alike = Map.groupBy(all, ([, name]) => name.toLowerCase());
  return new Map(
    all.map(([code, name, longer]) => [code, alike.get(name.toLowerCase())![1] ? longer : name]),
  );
}

/** What a list calls a property: `Detached villa, Burriana`. */
export function titleOf(
  { type, area, town }: Pick<PropertyDocument, 'type' | 'area' | 'town'>,
  { types }: Names,
): string {
  return [types.get(type), area || town].filter(Boolean).join(', ');
}

/** `House – Detached Villa` */
export function typeText(type: string | null, subtype: string | null): string {
  return [type, subtype].filter(Boolean).join(' – ');
}

/** The language of a page in feeds and documents; English if they do not have it. */
export function feedLanguage(language: Language): (typeof LANGUAGES)[number] {
  return LANGUAGES.find(({ element }) => isoCode(element) === language) ?? LANGUAGES[0]!;
}

type Offers = PropertyDocument['offers'];

/** The offers of a property as feeds show them: if it is a unit, at the unit's price. */
export function offersOf(
  { offers }: { readonly offers: Offers },
  { salePrice }: ListedRow,
): Offers {
  return { ...offers, sale: offers.sale && { ...offers.sale, price: salePrice } };
}

/** Prices in words: `€345,000`, `€1,150 a month`; those below 1 are on request, as in feeds. */
export function pricesText(
  currency: string,
  { sale, long_term, short_term }: Offers,
  { common, language }: Guest,
): string[] {
  const inWords = (name: string, prices: readonly (number | null)[], period: string) => {
    const amounts = [...new Set(prices)].flatMap((price) =>
      price === null || price <= 0 ? [] : price,
    );
    const shown = amounts.map((price) => formatMoney(price, currency, language)).join(' – ');
    return shown === '' ? `${name}: ${common.onRequest}` : `${shown} ${period}`.trim();
  };
  const all = [
    sale && inWords(common.forSale, [sale.price], ''),
    long_term && inWords(common.longTerm, [long_term.rent], common.aMonth),
    short_term && inWords(common.shortTerm, [short_term.low, short_term.high], common.aWeek),
  ];
  return all.filter((text) => text !== null);
}

/** Rooms in words: `2 bedrooms, 3 bathrooms, 1 toilet`. Feeds have the last two as one number, such as 3.5. */
export function roomsText(beds: number, bath: number, language: Language): string {
  const texts = textsOf({ language }, 'properties');
  const baths = Math.floor(bath);
  const toilets = Math.round(Math.round((bath - baths) * 10) / 5);
  const rooms = { beds, baths, toilets };
  const names = ['beds', 'baths', 'toilets'] as const;
  return names
    .filter((name) => rooms[name] > 0)
    .map((name) => texts[name]({ count: rooms[name] }))
    .join(', ');
}
