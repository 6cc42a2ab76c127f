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
  /** Whether it was created, and somebody has worked on it since. */
  readonly isTouched: boolean;
}

/** Gives the fields that a change has changed back what they had, but for those that have been changed since. */
export function undoingOf({ before, after, now }: PastChange): Undoing {
  // What was created is withdrawn, unless somebody has worked on it.
  const target = before ?? { ...after, status: 'Withdrawn' as const };
  const isTouched =
    before === null && !isEqual({ ...now, updated_at: null }, { ...after, updated_at: null });
  const dated = { updated_at: now.updated_at };
  const fields = fieldsToUndo({ ...target, ...dated }, { ...after, ...dated }, now);
  const kept = isTouched ? [...fields.kept, ...fields.undone] : fields.kept;
  const undone = isTouched ? [] : fields.undone;
  return {
    patch: Object.fromEntries(undone.map((field) => [field, patchTo(now[field], target[field])])),
    undone: { ...now, ...Object.fromEntries(undone.map((field) => [field, target[field]])) },
    kept,
    isTouched,
  };
}

/**
 * The fields that a change has made of others and that can get back what they had, and those that have been changed since.
 *
 * @param target what they had
 * @param after what the change has made of them
 */
export function fieldsToUndo<Document extends object>(
  target: Document,
  after: Document,
  now: Document,
): { readonly undone: readonly (keyof Document)[]; readonly kept: readonly (keyof Document)[] } {
  const names = Object.keys({ ...target, ...after }) as (keyof Document)[];
  const changed = names.filter((name) => !isEqual(target[name], after[name]));
  const left = changed.filter((name) => !isEqual(now[name], target[name]));
  const isKept = (name: keyof Document) => !isEqual(now[name], after[name]);
  return { undone: left.filter((name) => !isKept(name)), kept: left.filter(isKept) };
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
