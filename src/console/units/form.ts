import type { Directions } from '../../api/units/schemas.ts';
import type { Unit, UnitHistoryEntry, UnitValues } from '../../db/units/units.ts';
import { formatPrice } from '../format.tsx';
import { COMPASS_POINTS, type Language } from '../texts/texts.ts';
import { readAmount } from './amount.ts';

/** The fields of the form that changes a unit, as somebody has filled them in. */
export interface TypedValues {
  readonly status: string;
  readonly price: string;
  /** Codes. */
  readonly directions: readonly string[];
}

/** What was sent. */
export interface UnitForm extends TypedValues {
  /** The version of the unit when the form was shown. */
  readonly version: string;
  /** Whether the values are those of the page that shows what was understood, and not as somebody has typed them. */
  readonly isReviewed: boolean;
  /** Whether the price was confirmed a second time. */
  readonly isSure: boolean;
  /** Whether somebody wants to go on typing. */
  readonly isEdited: boolean;
}

/** Why a price needs a second confirmation. */
export type Concern = 'priceBelowOne' | 'priceJump';

/** What is wrong with a price: names of texts. */
type PriceError = 'notNumber' | 'priceNegative';

/** What follows from a form, given the unit's current state. */
export type Decision =
  | { readonly kind: 'edit' | 'conflict' | 'unchanged' }
  | { readonly kind: 'invalid'; readonly price: PriceError }
  | { readonly kind: 'review'; readonly values: UnitValues; readonly concern: Concern | null }
  | { readonly kind: 'save'; readonly values: UnitValues };

/** A price that differs by more than this factor needs a second confirmation. */
const JUMP_FACTOR = 3;

/** The form of a unit; in one of several units, which has no directions, the unit's name is appended to the fields. */
export function readUnitForm(fields: URLSearchParams, ofSeveral?: Unit): UnitForm {
  const nameOf = (field: string) => (ofSeveral === undefined ? field : `${field}:${ofSeveral.name}`);
  const given = (field: string) => fields.get(nameOf(field)) ?? '';
  const isReviewed = fields.has('reviewed');
  return {
    status: given('status'),
    price: given('price'),
    directions: ofSeveral && !isReviewed ? codesOf(ofSeveral.directions) : fields.getAll(nameOf('directions')),
    version: given('version'),
    isReviewed,
    isSure: fields.has('sure'),
    isEdited: fields.has('edit'),
  };
}

/** The fields of a unit that nobody types in, as {@link readUnitForm} reads them. */
export function fieldsOf(
  { name, version }: Unit,
  { status, price, directions }: UnitValues,
  isOfSeveral: boolean,
): Record<string, string> {
  const fields = { status: String(status), price: String(price), directions, version: String(version) };
  if (!isOfSeveral) return fields;
  return { name, ...Object.fromEntries(Object.entries(fields).map(([field, value]) => [`${field}:${name}`, value])) };
}

/** What to do with a form: nothing is saved that was not shown as it was understood. */
export function decide(form: UnitForm, unit: Unit, language: Language): Decision {
  if (form.isEdited) return { kind: 'edit' };
  const read = form.isReviewed ? reviewedValues(form) : typedValues(form, unit, language);
  if ('invalid' in read) return { kind: 'invalid', price: read.invalid };
  const { values } = read;
  const { status, price, directions } = unit;
  if (status === values.status && price === values.price && directions === values.directions) {
    return { kind: 'unchanged' };
  }
  if (form.version !== String(unit.version)) return { kind: 'conflict' };
  const concern = concernOf(values.price, price);
  const isConfirmed = form.isReviewed && (concern === null || form.isSure);
  return isConfirmed ? { kind: 'save', values } : { kind: 'review', values, concern };
}

/** Why a new price needs a second confirmation; `null` if it does not. */
export function concernOf(price: number, before: number): Concern | null {
  if (price === before) return null;
  if (price < 1) return 'priceBelowOne';
  const isJump = before >= 1 && (price > before * JUMP_FACTOR || price * JUMP_FACTOR < before);
  return isJump ? 'priceJump' : null;
}

/** The values of a unit as its form shows them. */
export function shownValues({ status, price, directions }: UnitValues, language: Language): TypedValues {
  return { status: String(status), price: formatPrice(price, language), directions: codesOf(directions) };
}

/** What the form shows again: what was typed, whichever page it comes from. */
export function typedAgain(form: UnitForm, language: Language): TypedValues {
  const read = form.isReviewed ? reviewedValues(form) : null;
  return read !== null && 'values' in read ? shownValues(read.values, language) : form;
}

/** The codes of stored directions; nested lists are flattened. */
export function codesOf(directions: string): string[] {
  return (JSON.parse(directions) as Directions).flat();
}

/** The values before a change of a unit. */
export function valuesBefore({ fromStatus, fromPrice, fromDirections }: UnitHistoryEntry): UnitValues {
  return { status: fromStatus, price: fromPrice, directions: fromDirections };
}

/** The values after a change of a unit. */
export function valuesAfter({ toStatus, toPrice, toDirections }: UnitHistoryEntry): UnitValues {
  return { status: toStatus, price: toPrice, directions: toDirections };
}

type ReadValues = { readonly values: UnitValues } | { readonly invalid: PriceError };

/** The values of a form that nobody types in: a number as JavaScript writes it, and directions as JSON. */
function reviewedValues({ status, price, directions: [directions = ''] }: UnitForm): ReadValues {
  const amount = price === '' ? Number.NaN : Number(price);
  const list = parseList(directions);
  if (!Number.isFinite(amount) || list === null) return { invalid: 'notNumber' };
  return { values: { status: Number(status), price: amount, directions: JSON.stringify(list) } };
}

function typedValues({ status, price, directions }: UnitForm, unit: Unit, language: Language): ReadValues {
  // A stored price can have more digits than its text.
  const amount = price === formatPrice(unit.price, language) ? unit.price : readAmount(price);
  if (amount === null) return { invalid: 'notNumber' };
  if (amount < 0 && amount !== unit.price) return { invalid: 'priceNegative' };
  return { values: { status: Number(status), price: amount, directions: directionsOf(directions, unit.directions) } };
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

function parseList(text: string): unknown[] | null {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list : null;
  } catch {
    return null;
  }
}
