import {
  type InterpretationKind,
  isPlaceholder,
  spelling,
  UNREADABLE,
  type Understood,
} from './interpretation.ts';
import UNITS from './units.json' with { type: 'json' };
import { type Frequency, isCurrency, readLeadingPeriod } from './words.ts';

/** What a number measures: it decides whether three digits after a dot are decimals. */
interface Quantity {
  /** The plausible minimum: 1.200 means 1200 if 1.2 is less than it. */
  readonly leastPlausible: number;
  /** Units next to the number, by their spelling, with their factors. */
  readonly units: ReadonlyMap<string, number>;
  /**
   * Whether the texts before a number, and after it and its unit, leave it what it is. By default, all but a percent sign do.
   */
  readonly allows?: (before: string, after: string, hasUnit: boolean) => boolean;
}

/** Units by their {@link spelling}, with their factors. */
const unitsOf = (of: Readonly<Record<string, readonly string[]>>) =>
  new Map(
    Object.entries(of).flatMap(([factor, names]) =>
      names.map((name) => [name, Number(factor)] as const),
    ),
  );

/** A sale price, with the minimum that is plausible in any currency. */
const SALE_PRICE: Quantity = {
  leastPlausible: 1_000,
  units: unitsOf(UNITS.amount),
  allows: (before, after) => isAboutAmount(before) && isAboutAmount(after),
};

const AMOUNT: Quantity = { ...SALE_PRICE, leastPlausible: 10 };

const AREA_WORDS: ReadonlySet<string> = new Set(['', ...UNITS.area_words]);

const AREA_UNITS = unitsOf(UNITS.area);

/** How many square metres a unit of areas is; `undefined` for any other text. */
export function areaUnit(text: string): number | undefined {
  return AREA_UNITS.get(spelling(text));
}

const AREA: Quantity = {
  leastPlausible: 10,
  units: AREA_UNITS,
  // Before a number, `up to` makes it a limit; the first word after it may be a unit that is not known: `1300 rood`.
  allows: (before, after, hasUnit) =>
    isPlain(before, AREA_WORDS) &&
    !/[<>≤≥]/.test(before) &&
    (hasUnit || AREA_WORDS.has(/^[\p{L}²]*/u.exec(after)![0])) &&
    !EACH.test(after),
};

/** `60 m2 per floor` is not the area of the property. */
const EACH = /^(\/|per|por|pro|par|each|cada|je|elk)\b/;

/** Whether the words of a text are all among these, or units, or numbers. */
function isPlain(text: string, words: ReadonlySet<string>): boolean {
  return text
    .split(/[^\p{L}²2]+/u)
    .every((word) => words.has(word) || AREA_UNITS.has(word) || word === '2');
}

const AMOUNT_WORDS: ReadonlySet<string> = new Set(['', ...UNITS.amount_words]);

/**
 * Words that leave an amount what it is: its period, its currency, or such as `from` and `plus VAT`. With any other word, as in
 * `Sold 250000`, or another number, as in `2 x 125000`, it is not the price of the property.
 */
function isAboutAmount(text: string): boolean {
  if (YEAR.test(text) || readLeadingPeriod(text).value !== undefined) return true;
  return (
    /^[\p{L}\p{Sc}\s+()[\],.:;'’*/\-–]*$/u.test(text) &&
    text.split(/[^\p{L}\p{Sc}]+/u).every((word) => AMOUNT_WORDS.has(word) || isCurrency(word))
  );
}

const COUNT_WORDS: ReadonlySet<string> = new Set(['', ...UNITS.count_words]);

/**
 * A count of bedrooms or bathrooms. Words next to it only repeat the node's name, or say what is counted; with any other, as in
 * `sleeps 6` or `up to 5`, it is not the count.
 */
export const COUNT: Quantity = {
  leastPlausible: 1,
  units: new Map(),
  allows: (before, after) =>
    [before, after].every(
      (text) =>
        /^[^<>≤≥?×*%]*$/u.test(text) &&
        text.split(/[^\p{L}]+/u).every((word) => COUNT_WORDS.has(word)),
    ),
};

/** A year, beside which anything may stand. */
export const YEAR_NUMBER: Quantity = { leastPlausible: 1, units: new Map() };

/** Decimals, and the exponent with which some programs write large and small numbers. */
export const PLAIN_NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,2})?$/i;

/** A number, and the {@link spelling} of what follows it and its unit, after a period that precedes it. */
type ReadNumber = Understood<number> & { readonly rest?: string };

/** The words with the number of a price; empty if there are none. */
export function wordsWith(price: string): string {
  return readNumber(price, AMOUNT).rest ?? '';
}

/** A number in a text, in plain decimals or another spelling; the first one of several. */
function readNumber(text: string, quantity: Quantity): ReadNumber {
  if (PLAIN_NUMBER.test(text) && !/^[+-]?\d{1,3}\.\d{3}$/.test(text))
    return { value: Number(text) };
  const match = NUMBER.exec(text);
  if (match === null) return UNREADABLE;
  const before = text.slice(0, match.index);
  const after = text.slice(match.index + match[0].length);
  const left = spelling(before).replace(/ ?:$/, '');
  const right = spelling(after);
  const [follows, rest] = unitAt(right, quantity);
  const unit = follows ?? unitBefore(left, quantity);
  const { allows = () => true } = quantity;
  const others = isEndOfRange(match[0], after) ? '' : rest;
  if (/^(%|percent)/.test(right) || !allows(left, others, follows !== undefined)) return UNREADABLE;
  const digits = readDigits(match[0].trim(), quantity.leastPlausible / (unit ?? 1));
  // Digits after a further separator belong to the number: 12,50,000 is not 12.5.
  if (digits === null || before.endsWith('-') || /^[.,'’´`_]\d/.test(after)) return UNREADABLE;
  if (follows !== undefined && unitAt(rest, quantity)[0] !== undefined) return UNREADABLE;
  const [value, how] = digits;
  // `Monthly rent: 950` is for a month as well.
  const around = readLeadingPeriod(left).value === undefined ? rest : `${left}; ${rest}`;
  if (unit !== undefined) {
    const isAlone = left === '' || quantity.units.has(left);
    const kind = unit === 1 && how !== null ? how : 'unit';
    const isWhole = isAlone && rest === '';
    return { value: value * unit, how: isWhole ? kind : 'first_number', rest: around };
  }
  if (left === '' && right === '') return how === null ? { value } : { value, how };
  return { value, how: 'first_number', rest: around };
}

/** Whether a text after a number is the end of a range of which the number is the beginning: `250000 - 300000`. */
function isEndOfRange(number: string, after: string): boolean {
  const [, end] = /^\s*(?:€|eur)?\s*[-–—]\s*(\d[\d.,' ]*)(?:€|eur)?$/i.exec(after) ?? [];
  const digits = (text: string) => text.replaceAll(/\D/g, '').length;
  return end !== undefined && digits(end) >= digits(number) && digits(end) <= digits(number) + 1;
}

/** The factor of the unit with which a text begins, and the text after it. */
function unitAt(text: string, { units }: Quantity): [number | undefined, string] {
  const words = text.split(' ');
  for (let count = Math.min(3, words.length); count > 0; count--) {
    const unit = units.get(words.slice(0, count).join(' ').replaceAll(/[()]/g, ''));
    if (unit !== undefined) return [unit, words.slice(count).join(' ')];
  }
  return [undefined, text];
}

/** The factor of a unit before a number, as in `sqft: 1300`. */
function unitBefore(text: string, { units }: Quantity): number | undefined {
  const words = text.split(/[^\p{L}\p{N}€£$²]+/u);
  const last = words.findLast((word) => units.has(word));
  return last === undefined ? undefined : units.get(last);
}

/** Digits, with groups of three separated by one of the separators in use, or decimals. */
const NUMBER =
  /\d{1,3}(?:([ '’´`_\u00a0\u2009\u202f.,])\d{3})(?:\1\d{3})*(?:[.,]\d{1,2})?(?!\d)|\d+(?:[.,]\d+)?/;

/** The value of digits with separators; `null` if they are ambiguous. */
function readDigits(
  text: string,
  leastPlausible: number,
): [number, InterpretationKind | null] | null {
  // Three digits after a zero, or after more digits than a group has, are decimals.
  if (/^\d+([.,](\d{1,2}|\d{4,}))?$|^(0|\d{4,})[.,]\d{3}$/.test(text))
    return [Number(text.replace(',', '.')), text.includes(',') ? 'decimal_comma' : null];
  if (/^\d{1,3}\.\d{3}$/.test(text) && Number(text) >= leastPlausible) return null;
  const decimals = /^(.*\d{3})[.,](\d{1,2})$/.exec(text);
  const whole = (decimals?.[1] ?? text).replaceAll(/\D/g, '');
  return [Number(decimals === null ? whole : `${whole}.${decimals[2]}`), 'thousands_separator'];
}

export function readWhole(
  text: string,
  quantity: Quantity,
  round: (value: number) => number,
): Understood<number> {
  const { value, how } = readNumber(text, quantity);
  if (value === undefined) return UNREADABLE;
  if (Number.isInteger(value)) return how === undefined ? { value } : { value, how };
  return { value: round(value), how: how ?? 'rounded' };
}

/** Square metres as an integer; of a sum of areas, the first. */
export function readArea(text: string): Understood<number> {
  const { value, how } = readNumber(text, AREA);
  if (value === undefined) return UNREADABLE;
  return how === undefined ? { value: Math.round(value) } : { value: Math.round(value), how };
}

/** Bathrooms and toilets, each toilet as half a bathroom: 2.5 is two bathrooms and a toilet. */
export function readBaths(text: string): Understood<number> {
  const withToilet =
    /^(\d+)\s*(?:\D*\b)?\s*(?:[+&y,]|and)\s*1\s*(wc|toilet|aseo|cloakroom)s?\b/i.exec(text);
  if (withToilet !== null) return { value: Number(withToilet[1]) + 0.5, how: 'half_bath' };
  const { value, how } = readNumber(text, COUNT);
  if (value === undefined) return UNREADABLE;
  if (Number.isInteger(value)) return how === undefined ? { value } : { value, how };
  const whole = Math.floor(value);
  return value === whole + 0.5 ? { value, how: 'half_bath' } : { value: whole, how: 'rounded' };
}

/**
 * A price; `null` means on request, which Kyero writes as x. A price for another period, or of a
 * square metre, is unreadable.
 */
export function readPrice(text: string, frequency: Frequency): Understood<number | null> {
  if (/^x$/i.test(text)) return { value: null };
  const { value, how, rest = '' } = readNumber(text, frequency === 'sale' ? SALE_PRICE : AMOUNT);
  if (value !== undefined && value > 0) {
    if (!isFor(rest, frequency)) return UNREADABLE;
    return how === undefined ? { value } : { value, how };
  }
  const isOnRequest = value === 0 || ON_REQUEST.test(spelling(text)) || isPlaceholder(text);
  return isOnRequest ? { value: null, how: 'on_request' } : UNREADABLE;
}

/** Whether a price is for this period by the words with it: not if they name another. */
function isFor(words: string, frequency: Frequency): boolean {
  if (words === '') return true;
  const period = readLeadingPeriod(words);
  return period.value === undefined
    ? !YEAR.test(words)
    : period.value === frequency && !period.onOtherTerms;
}

/**
 * A yearly or monthly amount, from one that can name its period: `1200 € / year` of a monthly
 * amount is 100. An amount for another period, or of a square metre, is unreadable.
 */
export function readFee(text: string, per: 'month' | 'year'): Understood<number> {
  const { value, how, rest = '' } = readNumber(text, AMOUNT);
  if (value === undefined) return UNREADABLE;
  const period = YEAR.test(rest) ? 'year' : readLeadingPeriod(rest);
  if (period === 'year' || (period.value === 'month' && !period.onOtherTerms)) {
    const yearly = period === 'year' ? value : value * 12;
    const amount = per === 'year' ? yearly : yearly / 12;
    return { value: Math.round(amount * 100) / 100, how: 'unit' };
  }
  if (period.value !== undefined) return UNREADABLE;
  return how === undefined ? { value } : { value, how };
}

const YEAR =
  /^((per |a |por |al |pro |im |par |p )?(year|annum|ano|jahr|an|anno|jaar|ar|yr|a)|yearly|annual(ly)?|anual(mente)?|annuel|jahrlich|jaarlijks|arlig)$/;

const ON_REQUEST =
  /^(p ?o ?a|p ?o ?r|tba|tbc|ask|call|(price )?(on|upon) (request|application|demand|inquiry|enquiry)|(precio )?a? ?consult(ar|e).*|preis auf anfrage|auf anfrage|(prix )?(sur|a la) demande|(prijs )?op aanvraag|sob consulta)$/;
