import type { Understood } from '../../properties/api/schemas.ts';
import type { PropertyDocument } from '../../properties/documents.ts';
import { JUMP_FACTOR } from '../units/form.ts';
import { FIELDS } from './fields.ts';
import { valueAt } from './form.ts';

/** What has to be confirmed before it is saved: that a number, or a new name, is right. */
export type Doubt = { readonly field: string } & (
  | { readonly why: 'jump' | 'unlike'; readonly value: number; readonly usual: number }
  | { readonly why: 'newName'; readonly name: string }
);

/** What doubts look at of another property. */
export type Compared = Pick<PropertyDocument, 'offers' | 'built_area' | 'plot_area'>;

/** A number that differs from those of other properties of the same type and town by more than this factor is asked about. */
const UNLIKE_FACTOR = 10;

/** The prices and areas of a property. */
const NUMBERS = FIELDS.filter(({ kind }) => kind === 'price' || kind === 'area');

/** Whether a price or an area differs, or what its usual values depend on. */
export function isCompared(before: PropertyDocument | undefined, after: PropertyDocument): boolean {
  return NUMBERS.some(({ pointer }) => isNew(before, after, pointer));
}

/**
 * What to ask about a property before it is saved.
 *
 * @param neighbours other properties of the same type and town
 * @param understood what its names of types and features were understood as
 */
export function doubtsOf(
  before: PropertyDocument | undefined,
  after: PropertyDocument,
  neighbours: readonly Compared[],
  understood: readonly Understood[],
): Doubt[] {
  const names = understood
    .filter(({ unknown }) => unknown)
    .map(({ kind, name }): Doubt => {
      return { field: kind === 'type' ? 'type' : 'features', why: 'newName', name };
    });
  const numbers = NUMBERS.filter(({ pointer }) => isNew(before, after, pointer)).flatMap(
    ({ name: field, pointer }): Doubt[] => {
      const value = numberAt(after, pointer)!;
      const last = numberAt(before, pointer);
      if (last !== null && differs(value, last, JUMP_FACTOR))
        return [{ field, why: 'jump', value, usual: last }];
      const others = neighbours.flatMap((one) => numberAt(one, pointer) ?? []);
      const usual = others.toSorted((a, b) => a - b)[Math.floor(others.length / 2)];
      const isUnlike = usual !== undefined && differs(value, usual, UNLIKE_FACTOR);
      return isUnlike ? [{ field, why: 'unlike', value, usual }] : [];
    },
  );
  return [...names, ...numbers];
}

function isNew(before: PropertyDocument | undefined, after: PropertyDocument, pointer: string) {
  const value = numberAt(after, pointer);
  return value !== null && value !== numberAt(before, pointer);
}

/** A price or an area; `null` without one, which 0 means as well. */
function numberAt(document: Partial<Compared> | undefined, pointer: string): number | null {
  return document === undefined ? null : (valueAt(document, pointer) as number | null) || null;
}

function differs(a: number, b: number, factor: number): boolean {
  return a > b * factor || a * factor < b;
}
