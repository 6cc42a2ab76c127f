import { STORED_LANGUAGES, type StoredLanguage } from '../../lib/languages.ts';
import type { PropertyDocument } from '../../properties/documents.ts';
import { isPlaceholder, spelling, UNREADABLE, type Understood } from './interpretation.ts';
import WORDS from './words.json' with { type: 'json' };

function meanings<Meaning extends string = string>(
  words: Readonly<Record<string, readonly string[]>>,
) {
  const entries = Object.entries(words) as [Meaning, readonly string[]][];
  return new Map(entries.flatMap(([meaning, all]) => all.map((word) => [word, meaning] as const)));
}

const FLAGS = meanings(WORDS.flag);
const STATUSES = meanings<PropertyDocument['status'] | 'Rented'>(WORDS.status);
const FREQUENCIES = meanings<Frequency | 'day' | 'year'>(WORDS.frequency);
const CURRENCIES = meanings(WORDS.currency);

/** The meaning of a word; whether it is the usual one is reported. */
function understood<Value>(value: Value, isUsual: boolean): Understood<Value> {
  return isUsual ? { value } : { value, how: 'spelling' };
}

/** A boolean, as XML Schema writes them in any letter case. An empty text is false. */
export function readFlag(text: string): Understood<boolean> {
  const word = spelling(text);
  if (text === '' || word === '0' || word === 'false') return { value: false };
  if (word === '1' || word === 'true') return { value: true };
  const meaning =
    FLAGS.get(word) ?? (word !== 'unknown' && isPlaceholder(text) ? 'false' : undefined);
  return meaning === undefined ? UNREADABLE : { value: meaning === 'true', how: 'spelling' };
}

const NOTHING =
  /^(no|not|sin|ohne|sans|geen|without|ingen|bez|0|room for|possible|posible|option(al)?|opcional|space for)\b/;

/** Whether something exists: any word that does not negate it counts as true, such as `Private` or `Communal` for a pool. */
export function readPresence(text: string): Understood<boolean> {
  const flag = readFlag(text);
  if (flag.value !== undefined) return flag;
  const number = Number(text);
  return {
    value: Number.isNaN(number) ? !NOTHING.test(spelling(text)) : number > 0,
    how: 'spelling',
  };
}

export function readStatus(
  text: string,
): Understood<Pick<PropertyDocument, 'status'> & { rented?: boolean }> {
  const word = spelling(text);
  const status = STATUSES.get(word);
  if (status === undefined) return UNREADABLE;
  const isUsual = WORDS.plain_status.includes(word);
  return status === 'Rented'
    ? understood({ status: 'Available', rented: true }, isUsual)
    : understood({ status }, isUsual);
}

export type Frequency = 'sale' | 'month' | 'week';

/** Rentals on terms that the vocabulary does not have, such as one with an option to buy: their prices are not sale prices. */
const OTHER_RENTAL =
  /\b(rent|lets?\b|letting|alquil|lloguer|location|miet|huur|affitt|arrend|month|mes\b|week|semana)/;
const SHORT_TERM =
  /short|holiday|vacac|touris|turis|season|summer|week|semana|cort[ao]|day|night|\bdias?\b|noche/;
const SALE = /\b(sales?|vent[ae])\b/;

/** The word before the period, as in `rent per month`. */
const RENTAL_WORD = /^(to )?(rent|let|alquil|lloguer|location|miet|huur|affitt|arrend)\p{L}* /u;

/** The period of a price. `rent` without a period is a long-term rental. */
export function readFrequency(text: string): Understood<Frequency> & { readonly perDay?: true } {
  const word = spelling(text);
  const isOther = OTHER_RENTAL.test(word) && !SALE.test(word);
  const meaning = FREQUENCIES.get(word) ?? (isOther ? periodOf(word) : undefined);
  if (meaning === undefined) return UNREADABLE;
  if (meaning === 'day') return { value: 'week', how: 'per_day', perDay: true };
  if (meaning === 'year') return { value: 'month', how: 'per_day', perDay: true };
  return understood(meaning, WORDS.plain_frequency.includes(text.toLowerCase()));
}

function periodOf(rental: string): Exclude<Frequency, 'sale'> | 'day' | 'year' {
  const period = FREQUENCIES.get(rental.replace(RENTAL_WORD, ''));
  if (period !== undefined && period !== 'sale') return period;
  return SHORT_TERM.test(rental) ? 'day' : 'year';
}

/** The suffix of a property's identifier in records of one rental offer, by the period of their price. */
const SUFFIXES = { sale: undefined, month: '-LT', week: '-ST' };

/** A property's identifier: its record's without the suffix of a rental offer. */
export function withoutSuffix(id: string, frequency: Frequency): string {
  return id.length > 3 && id.slice(-3) === SUFFIXES[frequency] ? id.slice(0, -3) : id;
}

export function readCurrency(text: string): Understood<string> {
  const code = text.trim().toUpperCase();
  if (/^[A-Z]{3}$/.test(code)) return { value: code };
  const named = CURRENCIES.get(spelling(text));
  return named === undefined ? UNREADABLE : { value: named, how: 'spelling' };
}

export function currencyIn(price: string): string | undefined {
  const sign = /€|£|us\$|\$|\b(eur|euro|gbp|usd|chf|sek|nok|dkk|pln)s?\b/i.exec(price)?.[0];
  return sign === undefined ? undefined : readCurrency(sign).value;
}

const EXEMPT = /exempt|exent/;
const IN_PROCESS =
  /process|progress|pending|requested|applied|tramite|proceso|pendiente|solicitad|beantragt|in arbeit|aangevraagd|en cours/;
const NOT_RATED = /not rated|unrated|no rating|not available|not yet|no disponible|sin calificar/;

/** A letter of an energy certificate; X means not rated, exempt or in progress. */
export function readEnergyLetter(text: string): Understood<PropertyDocument['emissions']> {
  const letter = text.toUpperCase();
  const rated =
    /^([A-G])(?![\p{L}'’])/u.exec(letter)?.[1] ??
    /\b(?:CLASS|RATING|LETRA|CLASE|CALIFICACI[OÓ]N)[\s:]+([A-G])$/.exec(letter)?.[1];
  if (rated !== undefined)
    return understood(rated as PropertyDocument['emissions'], rated === letter);
  if (letter === 'X') return { value: 'X' };
  const isUnrated =
    readEnergyStatus(text) !== null || NOT_RATED.test(spelling(text)) || isPlaceholder(text);
  return isUnrated ? { value: 'X', how: 'spelling' } : UNREADABLE;
}

/** Why a text has no letter, if it says so. */
export function readEnergyStatus(text: string): 'in_process' | 'exempt' | null {
  const word = spelling(text);
  return EXEMPT.test(word) ? 'exempt' : IN_PROCESS.test(word) ? 'in_process' : null;
}

/** Languages by their codes in feeds: ISO 639-1, except for English in the feed of this service. */
const ELEMENT_OF: ReadonlyMap<string, StoredLanguage> = new Map(
  STORED_LANGUAGES.map(({ element }) => [element === 'uk' ? 'en' : element, element]),
);
const LANGUAGE_ALIASES: ReadonlyMap<string, string> = new Map(Object.entries(WORDS.language));

/**
 * The language of a node by its element name, as named in documents, where English is `uk`. A Cyrillic text under `uk`
 * is Ukrainian, as in ISO 639-1; otherwise `uk` is English, as in the feed of this service.
 */
export function readLanguage(name: string, text: string): Understood<StoredLanguage> {
  const exact = ELEMENT_OF.get(name);
  if (exact !== undefined) return { value: exact };
  const code = name.toLowerCase().split(/[-_]/)[0]!;
  if (code === 'uk')
    return { value: /\p{Script=Cyrillic}/u.test(text) ? 'ua' : 'uk', how: 'language' };
  const alias = LANGUAGE_ALIASES.get(name.toLowerCase()) ?? LANGUAGE_ALIASES.get(code) ?? code;
  const element = ELEMENT_OF.get(alias);
  return element === undefined ? UNREADABLE : { value: element, how: 'language' };
}
