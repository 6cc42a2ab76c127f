import { isEqual } from '../lib/bytes/equal.ts';
import type { PropertyDocument } from './documents.ts';

/** A change of a property: what it was before, what the change has made of it, and what it is now. */
export interface PastChange {
  /** `null` if the change created it. */
  readonly before: PropertyDocument | null;
  readonly after: PropertyDocument;
  readonly now: PropertyDocument;
}

/** What undoing a change does. */
export interface Undoing {
  /** A JSON Merge Patch (RFC 7396) of the property as it is now; empty if nothing is left to undo. */
  readonly patch: Readonly<Record<string, unknown>>;
  /** The property with it. */
  readonly undone: PropertyDocument;
  /** The fields that stay as they are, because somebody has changed them since. */
  readonly kept: readonly (keyof PropertyDocument)[];
}

/** Gives the fields that a change has changed back what they had, but for those that have been changed since. */
export function undoingOf({ before, after, now }: PastChange): Undoing {
  // What was created is withdrawn, unless somebody has worked on it.
  const target = before ?? { ...after, status: 'Withdrawn' as const };
  const fields = (Object.keys(after) as (keyof PropertyDocument)[]).filter(
    (field) => field !== 'updated_at' && !isEqual(target[field], after[field]),
  );
  const left = fields.filter((field) => !isEqual(now[field], target[field]));
  const isTouched =
    before === null && !isEqual({ ...now, updated_at: null }, { ...after, updated_at: null });
  const kept = left.filter((field) => isTouched || !isEqual(now[field], after[field]));
  const undone = left.filter((field) => !kept.includes(field));
  return {
    patch: Object.fromEntries(undone.map((field) => [field, patchTo(now[field], target[field])])),
    undone: { ...now, ...Object.fromEntries(undone.map((field) => [field, target[field]])) },
    kept,
  };
}

/** The merge patch that makes one value of another. */
function patchTo(from: unknown, to: unknown): unknown {
  if (!isObject(from) || !isObject(to)) return to;
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  const differing = names.filter((name) => !isEqual(from[name], to[name]));
  return Object.fromEntries(
    differing.map((name) => [name, name in to ? patchTo(from[name], to[name]) : null]),
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
