import type { Directions } from '../../api/units/schemas.ts';
import { hasValues, type Unit, type UnitHistoryEntry, type UnitValues } from '../../db/units/units.ts';
import { formatPrice } from '../format.tsx';
import { COMPASS_POINTS, LANGUAGE_NAMES, type Language } from '../texts/texts.ts';
import { readAmount } from './amount.ts';

/** The fields of the form that changes a unit, as somebody has filled them in. */
export interface TypedValues {
  readonly status: string;
  readonly price: string;
  /** Codes. */
  readonly directions: readonly string[];
}

/** What was sent. */
interface UnitForm extends TypedValues {
  /** The version of the unit when the form was shown. */
  readonly version: string;
  /** Whether it comes from the page that shows what was understood. */
  readonly isReviewed: boolean;
  /** Whether the price was confirmed a second time. */
  readonly isSure: boolean;
}

/** Why a price needs a second confirmation. */
export type Concern = 'priceBelowOne' | 'priceJump';

/** What follows from a form, given the unit's current state; errors are names of texts. */
export type Decision =
  | { readonly kind: 'conflict' | 'unchanged' }
  | { readonly kind: 'invalid'; readonly price: 'notNumber' | 'priceNegative' }
  | { readonly kind: 'review'; readonly values: UnitValues; readonly concern: Concern | null }
  | { readonly kind: 'save'; readonly values: UnitValues };

/** A price that differs by more than this factor needs a second confirmation. */
const JUMP_FACTOR = 3;

/** The form of a unit; in one of several units, which has no directions, the unit's name is appended to the fields. */
export function readUnitForm(fields: URLSearchParams, ofSeveral?: Unit): UnitForm {
  const nameOf = (field: string) => (ofSeveral === undefined ? field : `${field}:${ofSeveral.name}`);
  const given = (field: string) => fields.get(nameOf(field)) ?? '';
  return {
    status: given('status'),
    price: given('price'),
    directions: ofSeveral === undefined ? fields.getAll('directions') : codesOf(ofSeveral.directions),
    version: given('version'),
    isReviewed: fields.has('reviewed'),
    isSure: fields.has('sure'),
  };
}

/** What to do with a form: nothing is saved that was not shown as it was understood. */
export function decide(form: UnitForm, unit: Unit): Decision {
  // A stored price can have more digits than its text.
  const isShown = (Object.keys(LANGUAGE_NAMES) as Language[]).some(
    (language) => form.price === formatPrice(unit.price, language),
  );
  const price = isShown ? unit.price : readAmount(form.price);
  if (price === null) return { kind: 'invalid', price: 'notNumber' };
  if (price < 0 && price !== unit.price) return { kind: 'invalid', price: 'priceNegative' };
  const values = { status: Number(form.status), price, directions: directionsOf(form.directions, unit.directions) };
  if (hasValues(unit, values)) return { kind: 'unchanged' };
  if (form.version !== String(unit.version)) return { kind: 'conflict' };
  const concern = concernOf(price, unit.price);
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

/** Chosen directions in the order of the compass; those that were not changed keep their order and nesting. */
function directionsOf(chosen: readonly string[], stored: string): string {
  const before = codesOf(stored);
  const codes = new Set(chosen);
  if (codes.size === new Set(before).size && before.every((code) => codes.has(code))) return stored;
  const points: readonly string[] = COMPASS_POINTS;
  const others = [...codes].filter((code) => !points.includes(code));
  return JSON.stringify([...points.filter((point) => codes.has(point)), ...others]);
}
