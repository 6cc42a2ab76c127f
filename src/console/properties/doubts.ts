import type { Understood } from '../../properties/api/schemas.ts';
import type { PropertyDocument } from '../../properties/documents.ts';
import { type Compared, readNeighbours } from '../../properties/store/neighbours.ts';
import { formatArea, formatMoney } from '../format.ts';
import { textsOf } from '../texts/texts.ts';
import { JUMP_FACTOR } from '../units/form.ts';
import type { Guest, Visitor } from '../visit.ts';
import { FIELDS } from './fields.ts';
import { valueAt } from './form.ts';

/** A number that has to be confirmed before it is saved, next to the one that it is very different from, or below. */
export interface NumberDoubt {
  readonly field: string;
  readonly why: 'jump' | 'unlike' | 'belowMinimum';
  readonly value: number;
  readonly usual: number;
}

/** What has to be confirmed before it is saved: that a number, or a new name, is right. */
export type Doubt =
  | NumberDoubt
  | { readonly field: string; readonly why: 'newName'; readonly name: string };

/** A property before a change, unless it is new, and with it. */
export interface Changed {
  readonly before: PropertyDocument | undefined;
  readonly after: PropertyDocument;
}

/** A number that differs from those of other properties of the same type and town by more than this factor is asked about. */
const UNLIKE_FACTOR = 10;

/** The prices and areas of a property. */
const NUMBERS = FIELDS.filter(({ kind }) => kind === 'price' || kind === 'area');

/** What to ask about the prices and areas that changes state, by the identifiers of the properties. */
export async function doubtsAbout(
  { db, account }: Pick<Visitor, 'db' | 'account'>,
  changes: readonly Changed[],
): Promise<ReadonlyMap<string, readonly NumberDoubt[]>> {
  const stated = changes.filter(({ before, after }) =>
    NUMBERS.some(({ pointer }) => isNew(before, after, pointer)),
  );
  const neighbours = await readNeighbours(
    db,
    account.id,
    stated.map(({ after }) => after),
  );
  const near = Map.groupBy(neighbours, placeOf);
  return new Map(
    stated.map((change) => [
      change.after.id,
      numberDoubts(change, near.get(placeOf(change.after)) ?? []),
    ]),
  );
}

function placeOf({ type, town }: Pick<Compared, 'type' | 'town'>): string {
  return JSON.stringify([type, town]);
}

/**
 * What to ask about the prices and areas of a property: they differ much from the last ones, or from those of its neighbours, or the
 * vendor accepts no less.
 *
 * @param near properties of the same type and town, itself among them
 */
export function numberDoubts({ before, after }: Changed, near: readonly Compared[]): NumberDoubt[] {
  const others = near.filter(({ id }) => id !== after.id);
  return NUMBERS.filter(({ pointer }) => isNew(before, after, pointer)).flatMap(
    ({ name: field, pointer }): NumberDoubt[] => {
      const value = numberAt(after, pointer)!;
      const last = numberAt(before, pointer);
      const minimum = field === 'price' ? (after.offers.sale?.minimum_price ?? 0) : 0;
      if (value < minimum) return [{ field, why: 'belowMinimum', value, usual: minimum }];
      if (last !== null && differs(value, last, JUMP_FACTOR))
        return [{ field, why: 'jump', value, usual: last }];
      const known = others.flatMap((one) => numberAt(one, pointer) ?? []);
      const usual = known.toSorted((a, b) => a - b)[Math.floor(known.length / 2)];
      const isUnlike = usual !== undefined && differs(value, usual, UNLIKE_FACTOR);
      return isUnlike ? [{ field, why: 'unlike', value, usual }] : [];
    },
  );
}

/** What is asked about a number, as a sentence. */
export function doubtText(
  { field, why, ...numbers }: NumberDoubt,
  currency: string,
  { language }: Pick<Guest, 'language'>,
): string {
  const isArea = NUMBERS.some(({ name, kind }) => name === field && kind === 'area');
  const [value, usual] = [numbers.value, numbers.usual].map((one) =>
    isArea ? formatArea(one, language) : formatMoney(one, currency, language),
  );
  const { doubts } = textsOf({ language }, 'properties').form;
  return doubts[why]({ value: value!, usual: usual! });
}

/** What to ask about names of types and features that would be new. */
export function nameDoubts(understood: readonly Understood[]): Doubt[] {
  return understood
    .filter(({ unknown }) => unknown)
    .map(({ kind, name }) => {
      return { field: kind === 'type' ? 'type' : 'features', why: 'newName', name };
    });
}

function isNew(before: PropertyDocument | undefined, after: PropertyDocument, pointer: string) {
  const value = numberAt(after, pointer);
  return value !== null && value !== numberAt(before, pointer);
}

/** A price or an area; `null` without one, which 0 means as well. */
function numberAt(document: object | undefined, pointer: string): number | null {
  return document === undefined ? null : (valueAt(document, pointer) as number | null) || null;
}

function differs(a: number, b: number, factor: number): boolean {
  return a > b * factor || a * factor < b;
}
