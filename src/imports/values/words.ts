import { STORED_LANGUAGES, type StoredLanguage } from '../../lib/languages.ts';
import { lazy } from '../../lib/lazy.ts';
import type { PropertyDocument } from '../../properties/documents.ts';
import { isPlaceholder, spelling, UNREADABLE, type Understood } from './interpretation.ts';
import UNITS from './units.json' with { type: 'json' };
import WORDS from './words.json' with { type: 'json' };

function meanings<Meaning extends string = string>(
  words: Readonly<Record<string, readonly string[]>>,
) {
  const entries = Object.entries(words) as [Meaning, readonly string[]][];
  return new Map(
    entries.flatMap(([meaning, all]) => all.map((word) => [spelling(word), meaning] as const)),
  );
}

/** Rents for other periods than a month or a week, or on other terms: their prices are neither. */
type OtherTerms = 'other_short' | 'other_long';

const FREQUENCIES = meanings<Frequency | OtherTerms>(WORDS.frequency);
const CURRENCIES = meanings(WORDS.currency);

/** The meaning of a word; whether it is the usual one is reported. */
function understood<Value>(value: Value, isUsual: boolean): Understood<Value> {
  return isUsual ? { value } : { value, how: 'spelling' };
}

export type Frequency = 'sale' | 'month' | 'week';

/**
 * Rentals on terms that the vocabulary does not have, such as one with an option to buy: their
 * prices are not sale prices.
 */
const OTHER_RENTAL = new RegExp(
  '\\b(rent(s|al|als|ed|ing)?|lets?|lettings?|months?|monthly|mes|meses|weeks?|weekly|semanas?|quarter|quarterly|' +
    'annum)\\b|\\b(alquil|lloguer|location|miet|huur|affitt|arrend)',
);
const SHORT_TERM =
  /short|holiday|vacac|touris|turis|season|summer|week|semana|cort[ao]|day|night|\bdias?\b|noche/;
const SALE = /\b(sales?|vent[ae])\b/;

/** The word before the period, as in `rent per month`. */
const RENTAL_WORD = /^(to )?(rent|let|alquil|lloguer|location|miet|huur|affitt|arrend)\p{L}* /u;

/** The period of a price as it was understood. */
export type UnderstoodPeriod = Understood<Frequency> & {
  /** Whether it stands for one that has no price here, such as a day. */
  readonly onOtherTerms?: true;
};

const RENTALS: ReadonlySet<string> = new Set(WORDS.rental);

/** Whether a text says that something is for rent, and nothing else. */
export function saysRental(text: string): boolean {
  return RENTALS.has(spelling(text));
}

/** Whether a text says so among other words: `Villa to rent`. */
export function namesRental(text: string): boolean {
  const phrase = ` ${spelling(text)} `;
  return WORDS.rental.some((word) => word.length > 3 && phrase.includes(` ${word} `));
}

/** The period of a price. `rent` without a period is a long-term rental. */
export function readFrequency(text: string): UnderstoodPeriod {
  // `perMonth` is two words.
  const word = spelling(text.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2'));
  const isOther = OTHER_RENTAL.test(word) && !SALE.test(word);
  const meaning = FREQUENCIES.get(word) ?? (isOther ? periodOf(word) : undefined);
  if (meaning === undefined) return UNREADABLE;
  if (meaning === 'other_short') return { value: 'week', how: 'per_day', onOtherTerms: true };
  if (meaning === 'other_long') return { value: 'month', how: 'per_day', onOtherTerms: true };
  return understood(meaning, WORDS.plain_frequency.includes(text.toLowerCase()));
}

function periodOf(rental: string): Exclude<Frequency, 'sale'> | OtherTerms {
  const period = FREQUENCIES.get(rental.replace(RENTAL_WORD, ''));
  if (period !== undefined && period !== 'sale') return period;
  return SHORT_TERM.test(rental) ? 'other_short' : 'other_long';
}

/**
 * The suffix of a property's identifier in records of one rental offer, by the period of their
 * price.
 */
const SUFFIXES = { sale: undefined, month: '-LT', week: '-ST' };

/** A property's identifier: its record's without the suffix of a rental offer. */
export function withoutSuffix(id: string, frequency: Frequency): string {
  return id.length > 3 && id.slice(-3) === SUFFIXES[frequency] ? id.slice(0, -3) : id;
}

/** Of the codes that begin with X, which ISO 4217 has for metals, for tests and for none, those that are money. */
const MONEY_WITH_X = ['XAF', 'XCD', 'XCG', 'XOF', 'XPF'];

/** The codes of ISO 4217 that are money, now or once. */
const MONEY = lazy(
  () =>
    new Set([
      ...Intl.supportedValuesOf('currency').filter((code) => !code.startsWith('X')),
      ...MONEY_WITH_X,
    ]),
);

export function readCurrency(text: string): Understood<string> {
  const code = text.trim().toUpperCase();
  if (MONEY().has(code)) return { value: code };
  const named = CURRENCIES.get(spelling(text));
  return named === undefined ? UNREADABLE : { value: named, how: 'spelling' };
}

/** Whether a text is a known currency, by its sign, its name or its code. */
export function isCurrency(text: string): boolean {
  const word = spelling(text);
  return CURRENCIES.has(word) || CODES.test(word);
}

/** Codes of currencies that prices name; other words of three letters are hardly ever one. */
const CODES = /^(eur|gbp|usd|chf|sek|nok|dkk|pln|aed|cad|aud)$/;

/** The currency that a price names. A sign that is not known, such as `R$`, is unreadable. */
export function currencyIn(price: string): Understood<string> | undefined {
  const words = spelling(price).split(/[\d\s.,'’+*():;]+/u);
  const named = words.find((word) => isCurrency(word) || /\p{Sc}/u.test(word));
  return named === undefined ? undefined : readCurrency(named);
}

/**
 * The period that words after a price begin with, as `pcm + bills`; unreadable if they begin with
 * anything else.
 */
export function readLeadingPeriod(words: string): UnderstoodPeriod {
  const first = spelling(words.split(/[+(,;]/)[0]!);
  return FREQUENCIES.has(first) ? readFrequency(first) : UNREADABLE;
}

const EXEMPT = /exempt|exent/;
const IN_PROCESS =
  /process|progress|pending|requested|applied|tramite|proceso|pendiente|solicitad|beantragt|in arbeit|aangevraagd|en cours/;
const NOT_RATED = /not rated|unrated|no rating|not available|not yet|no disponible|sin calificar/;

/** A letter of an energy certificate; X means not rated, exempt or in progress. */
export function readEnergyLetter(text: string): Understood<PropertyDocument['emissions']> {
  const letter = text.toUpperCase();
  const rated =
    (ofOneLetter(text) ? letter[0] : undefined) ??
    /\b(?:CLASS|RATING|LETRA|CLASE|CALIFICACI[OÓ]N)[\s:]+([A-G])$/.exec(letter)?.[1];
  if (rated !== undefined)
    return understood(rated as PropertyDocument['emissions'], rated === letter);
  if (letter === 'X') return { value: 'X' };
  const isUnrated =
    readEnergyStatus(text) !== null || NOT_RATED.test(spelling(text)) || isPlaceholder(text);
  return isUnrated ? { value: 'X', how: 'spelling' } : UNREADABLE;
}

const ENERGY_WORDS: ReadonlySet<string> = new Set(['', ...UNITS.energy_words]);

/** Whether a text is a letter and nothing that says another, such as `A to C` or `A pending`. */
function ofOneLetter(text: string): boolean {
  const more = /^[a-g](?![\p{L}'’])(.*)$/su.exec(spelling(text))?.[1];
  const isPlain = more !== undefined && !/[?<>≤≥]/.test(more);
  return isPlain && more.split(/[^\p{L}]+/u).every((word) => ENERGY_WORDS.has(word));
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
 * The language of a node by its element name, as named in documents, where English is `uk`. A
 * Cyrillic text under `uk` is Ukrainian, as in ISO 639-1; otherwise `uk` is English, as in the feed
 * of this service.
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
