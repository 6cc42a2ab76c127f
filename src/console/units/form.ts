import { validate } from '../../api/validation.ts';
import type { CodedMessage } from '../../messages/messages.ts';
import { DEFAULT_CURRENCY } from '../../properties/documents.ts';
import { type Directions, type UnitStatus, unitUpdate } from '../../units/schemas.ts';
import { hasValues, type Unit, type UnitValues } from '../../units/units.ts';
import { pointOf } from '../../vocabulary/orientation.ts';
import { formatMoney, formatPrice } from '../format.ts';
import { LANGUAGE_CODES, type Language } from '../texts/language.ts';
import { COMPASS_POINTS, textOf } from '../texts/texts.ts';
import type { Guest } from '../visit.ts';

/** What is wrong at fields: the name of a text, or what the API says of it. */
export type FieldErrors = Readonly<
  Partial<Record<keyof UnitValues, 'notNumber' | 'priceNegative' | CodedMessage>>
>;

/** Why a price needs a second confirmation. */
export type Concern = 'priceBelowOne' | 'priceJump';

/** What follows from a form, given the unit's current state. */
export type Decision =
  | { readonly kind: 'conflict' | 'unchanged' }
  | { readonly kind: 'invalid'; readonly errors: FieldErrors }
  | {
      readonly kind: 'review' | 'save';
      readonly values: UnitValues;
      readonly concern: Concern | null;
    };

/** A price that differs by more than this factor needs a second confirmation. */
export const JUMP_FACTOR = 3;

/** The form of a unit; in one of several units, which has no directions, the unit's name is appended to the fields. */
export function readUnitForm(fields: URLSearchParams, unit: Unit) {
  const isOfSeveral = fields.has('name');
  const given = (field: string) => fields.get(isOfSeveral ? `${field}:${unit.name}` : field) ?? '';
  return {
    status: given('status'),
    price: given('price'),
    directions: isOfSeveral ? codesOf(unit.directions) : fields.getAll('directions'),
    /** The unit's version when the form was shown. */
    version: given('version'),
    /** Whether a row of several is as it was shown. */
    isLeft:
      isOfSeveral &&
      given('shown') === shownText({ status: given('status'), price: given('price') }),
  };
}

/** What a row of several units shows, which tells later whether it was typed into. */
export function shownText({
  status,
  price,
}: {
  readonly status: string;
  readonly price: string;
}): string {
  return `${status} ${price}`;
}

type TypedValues = Readonly<ReturnType<typeof readUnitForm>>;

/**
 * What to do with a form: nothing is saved that was not shown as it was understood.
 *
 * @param isReviewed whether it comes from the page that shows what was understood
 * @param isSure whether prices were confirmed a second time
 */
export function decide(
  typed: TypedValues,
  unit: Unit,
  isReviewed: boolean,
  isSure: boolean,
): Decision {
  // What somebody else has changed since, this form does not change back.
  if (typed.isLeft) return { kind: 'unchanged' };
  // A stored price can have more digits than its text.
  const isShown = LANGUAGE_CODES.some(
    (language) => typed.price === formatPrice(unit.price, language),
  );
  const price = isShown ? unit.price : readAmount(typed.price);
  if (price === null) return { kind: 'invalid', errors: { price: 'notNumber' } };
  if (price < 0 && price !== unit.price)
    return { kind: 'invalid', errors: { price: 'priceNegative' } };
  const values = {
    status: Number(typed.status),
    price,
    directions: directionsOf(typed.directions, unit.directions),
  };
  if (hasValues(unit, values)) return { kind: 'unchanged' };
  if (typed.version !== String(unit.version)) return { kind: 'conflict' };
  const errors = errorsOf(unit, values);
  if (errors !== null) return { kind: 'invalid', errors };
  const concern = concernOf(price, unit.price);
  return { kind: isReviewed && (concern === null || isSure) ? 'save' : 'review', values, concern };
}

function errorsOf({ name }: Unit, { status, price, directions }: UnitValues): FieldErrors | null {
  const body = {
    UntName: name,
    UntStatus: status,
    UntPrice: price,
    UntDirections: JSON.parse(directions),
  };
  const update = validate(unitUpdate, body);
  if (!('errors' in update)) return null;
  // A pointer names a field of the API, such as `/UntPrice`.
  const fieldOf = (pointer: string) => pointer.split('/')[1]!.replace('Unt', '').toLowerCase();
  return Object.fromEntries(update.errors.map((error) => [fieldOf(error.pointer), error]));
}

/** Why a new price needs a second confirmation; `null` if it does not. */
export function concernOf(price: number, before: number): Concern | null {
  if (price === before) return null;
  if (price < 1) return 'priceBelowOne';
  const isJump = before >= 1 && (price > before * JUMP_FACTOR || price * JUMP_FACTOR < before);
  return isJump ? 'priceJump' : null;
}

/** A unit as its form shows it. */
export function shownValues(
  { status, price, directions, version }: Unit,
  language: Language,
): TypedValues {
  const shown = {
    status: String(status),
    price: formatPrice(price, language),
    directions: codesOf(directions),
  };
  return { ...shown, version: String(version), isLeft: true };
}

/** The values of a unit that can be changed, in the order in which they are shown. */
export const UNIT_FIELDS = ['status', 'price', 'directions'] as const;

/** Values of a unit in words. */
export type UnitState = Readonly<Record<(typeof UNIT_FIELDS)[number], string>>;

/**
 * Values of a unit in words.
 *
 * @param currency that of its listing; without one, the currency that its listing would have
 */
export function stateOf(
  { status, price, directions }: UnitValues,
  currency: string | undefined,
  { common, language }: Guest,
): UnitState {
  return {
    status: common.unitStatuses[status as UnitStatus] ?? String(status),
    price: formatMoney(price, currency ?? DEFAULT_CURRENCY, language),
    directions: codesOf(directions)
      .map((code) => textOf(common.compass, code))
      .join(', '),
  };
}

/** The price of a unit, which feeds show as on request below 1. */
export function priceText(
  price: number,
  currency: string | undefined,
  { common, language }: Guest,
): string {
  return price < 1 ? common.onRequest : formatMoney(price, currency ?? DEFAULT_CURRENCY, language);
}

/** The codes of stored directions; nested lists are flattened. */
export function codesOf(directions: string): string[] {
  return (JSON.parse(directions) as Directions).flat().map(pointOf);
}

/** Chosen directions in the order of the compass; those that were not changed keep their order and nesting. */
function directionsOf(chosen: readonly string[], stored: string): string {
  const before = codesOf(stored);
  const codes = new Set(chosen);
  if (codes.size === new Set(before).size && before.every((code) => codes.has(code))) return stored;
  const points: readonly string[] = COMPASS_POINTS;
  const others = [...codes].filter((code) => !points.includes(code));
  return JSON.stringify([...points.filter((point) => codes.has(point)), ...others]);
}

/** What the bar of the board does with the units that are ticked. */
interface BulkChange {
  /** Empty to leave them. */
  readonly status: string;
  readonly by: PriceWay | '';
  readonly amount: number;
}

/** The ways in which a price is changed, of which none is chosen by default. */
export const PRICE_WAYS = ['lowerPercent', 'raisePercent', 'lower', 'raise', 'set'] as const;

export type PriceWay = (typeof PRICE_WAYS)[number];

/** A price after a change, rounded to a step. */
export function newPrice(before: number, by: PriceWay, amount: number, step: number): number {
  const price = {
    lowerPercent: before * (1 - amount / 100),
    raisePercent: before * (1 + amount / 100),
    lower: before - amount,
    raise: before + amount,
    set: amount,
  }[by];
  return Math.round(price / step) * step;
}

/** What the bar of the board says; `null` if its amount is none. */
export function readBulk(fields: URLSearchParams): BulkChange | null {
  const by = PRICE_WAYS.find((way) => way === fields.get('by')) ?? '';
  const amount = by === '' ? 0 : readAmount(fields.get('amount') ?? '');
  if (amount === null || amount < 0) return null;
  return { status: fields.get('status') ?? '', by, amount };
}

/** The price of a unit after a change. */
export function priceAfter({ price }: Pick<Unit, 'price'>, { by, amount }: BulkChange): number {
  return by === '' ? price : newPrice(price, by, amount, 1);
}

/** The form of several units with a change of all of them, as the table would send it. */
export function formOf(
  units: readonly Unit[],
  change: BulkChange,
  language: Language,
): URLSearchParams {
  const fields = new URLSearchParams();
  for (const unit of units) {
    const shown = shownValues(unit, language);
    const price = priceAfter(unit, change);
    fields.append('name', unit.name);
    fields.set(`version:${unit.name}`, shown.version);
    fields.set(`shown:${unit.name}`, shownText(shown));
    fields.set(`status:${unit.name}`, change.status || shown.status);
    fields.set(`price:${unit.name}`, formatPrice(price, language));
  }
  return fields;
}

const GROUPED_BY: readonly (readonly [form: RegExp, separator: string])[] = [
  [/^[1-9]\d{0,2}(,\d{3})+(\.\d{1,6})?$/, ','],
  [/^[1-9]\d{0,2}(\.\d{3})+(,\d{1,6})?$/, '.'],
  [/^[1-9]\d{0,2}( \d{3})+([.,]\d{1,6})?$/, ' '],
];
const UNGROUPED = /^\d{1,15}([.,]\d{1,6})?$/;
const MILLIONS = /\s?(M|mill\.?|millones)$/;

/**
 * The amount that somebody has typed, in English or Spanish: `345,000`, `345.000`, `345 000`, `345.000,50 €`, `1,25 M`. A comma or a
 * full stop before exactly three digits groups them, since prices have two decimals if any.
 *
 * @returns `null` if the text is not an amount; a negative one is an amount
 */
export function readAmount(text: string): number | null {
  const bare = text
    .replaceAll(/[\s'’]+/g, ' ')
    .replaceAll(/€|\bEUR\b/gi, '')
    .trim();
  const unsigned = bare.replace(/^[-−]\s?/, '');
  const figures = unsigned.replace(MILLIONS, '');
  const isMillions = figures !== unsigned;
  const [, separator] = (!isMillions && GROUPED_BY.find(([form]) => form.test(figures))) || [];
  if (separator === undefined && !UNGROUPED.test(figures)) return null;
  const plain = figures.replaceAll(separator ?? '', '').replace(',', '.');
  const amount = Number(isMillions ? `${plain}e6` : plain);
  if (amount >= 1e15) return null;
  return unsigned === bare ? amount : -amount;
}
