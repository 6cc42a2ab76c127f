import {
  type InterpretationKind,
  isPlaceholder,
  spelling,
  UNREADABLE,
  type Understood,
} from './interpretation.ts';
import UNITS from './units.json' with { type: 'json' };
import type { Frequency } from './words.ts';

/** What a number measures: it decides whether three digits after a dot are decimals. */
interface Quantity {
  /** The plausible minimum: 1.200 means 1200 if 1.2 is less than it. */
  readonly leastPlausible: number;
  /** Units next to the number, by their spelling, with their factors. */
  readonly units: ReadonlyMap<string, number>;
}

/** Units by their {@link spelling}, with their factors. */
const unitsOf = (of: Readonly<Record<string, readonly string[]>>) =>
  new Map(
    Object.entries(of).flatMap(([factor, names]) =>
      names.map((name) => [name, Number(factor)] as const),
    ),
  );

/** A sale price, with the minimum that is plausible in any currency. */
export const SALE_PRICE: Quantity = { leastPlausible: 1_000, units: unitsOf(UNITS.amount) };

export const AMOUNT: Quantity = { ...SALE_PRICE, leastPlausible: 10 };

const AREA: Quantity = { leastPlausible: 10, units: unitsOf(UNITS.area) };

/** A count of bedrooms or bathrooms: words next to it only repeat the node's name. */
export const COUNT: Quantity = { leastPlausible: 1, units: new Map() };

/** Decimals, and the exponent with which some programs write large and small numbers. */
export const PLAIN_NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,2})?$/i;

/** A number in a text, in plain decimals or another spelling; the first one of several. */
export function readNumber(text: string, quantity: Quantity): Understood<number> {
  if (PLAIN_NUMBER.test(text) && !/^[+-]?\d{1,3}\.\d{3}$/.test(text))
    return { value: Number(text) };
  const match = NUMBER.exec(text);
  if (match === null) return UNREADABLE;
  const [before, after] = [text.slice(0, match.index), text.slice(match.index + match[0].length)];
  const [left, right] = [spelling(before), spelling(after)];
  const unit = quantity.units.get(right) ?? (right === '' ? quantity.units.get(left) : undefined);
  const digits = readDigits(match[0].trim(), quantity.leastPlausible / (unit ?? 1));
  // Digits after a further separator belong to the number: 12,50,000 is not 12.5.
  if (digits === null || before.endsWith('-') || /^[.,'’´`_]\d/.test(after)) return UNREADABLE;
  const [value, how] = digits;
  if (unit !== undefined && (left === '' || quantity.units.has(left))) {
    return { value: value * unit, how: unit === 1 && how !== null ? how : 'unit' };
  }
  if (left === '' && right === '') return how === null ? { value } : { value, how };
  const scale = /^[km](?![\p{L}\d])/u.exec(right)?.[0];
  if (scale !== undefined && quantity !== AREA && quantity !== COUNT) {
    return { value: value * (scale === 'k' ? 1e3 : 1e6), how: 'unit' };
  }
  return { value, how: 'first_number' };
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
  const read = readNumber(text, quantity);
  if (read.value === undefined || Number.isInteger(read.value)) return read;
  return { value: round(read.value), how: read.how ?? 'rounded' };
}

/** Square metres as an integer; of a sum of areas, the first. */
export function readArea(text: string): Understood<number> {
  const read = readNumber(text, AREA);
  return read.value === undefined ? read : { ...read, value: Math.round(read.value) };
}

/** Bathrooms and toilets, each toilet as half a bathroom: 2.5 is two bathrooms and a toilet. */
export function readBaths(text: string): Understood<number> {
  const withToilet =
    /^(\d+)\s*(?:\D*\b)?\s*(?:[+&y,]|and)\s*1\s*(wc|toilet|aseo|cloakroom)s?\b/i.exec(text);
  if (withToilet !== null) return { value: Number(withToilet[1]) + 0.5, how: 'half_bath' };
  const read = readNumber(text, COUNT);
  if (read.value === undefined || Number.isInteger(read.value)) return read;
  const whole = Math.floor(read.value);
  return read.value === whole + 0.5
    ? { value: read.value, how: 'half_bath' }
    : { value: whole, how: 'rounded' };
}

/** A price; `null` means on request, which Kyero writes as x. */
export function readPrice(text: string, frequency: Frequency): Understood<number | null> {
  if (/^x$/i.test(text)) return { value: null };
  const read = readNumber(text, frequency === 'sale' ? SALE_PRICE : AMOUNT);
  if (read.value !== undefined && read.value > 0) return read;
  const isOnRequest = read.value === 0 || ON_REQUEST.test(spelling(text)) || isPlaceholder(text);
  return isOnRequest ? { value: null, how: 'on_request' } : UNREADABLE;
}

const ON_REQUEST =
  /^(p ?o ?a|p ?o ?r|tba|tbc|ask|call|(price )?(on|upon) (request|application|demand|inquiry|enquiry)|(precio )?a? ?consult(ar|e).*|preis auf anfrage|auf anfrage|(prix )?(sur|a la) demande|(prijs )?op aanvraag|sob consulta)$/;
