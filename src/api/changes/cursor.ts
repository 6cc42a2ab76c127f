import { Buffer } from 'node:buffer';
import type { ChangeState, Position } from '../../db/news/changes.ts';

/** A position in the changes that a caller sees. Callers get it as an opaque text, which never expires. */
export interface Cursor extends Position {
  /** The time line of the database when it was issued. */
  readonly incarnation: number;
  /** What the caller sees, from {@link scopeOf}. */
  readonly scope: string;
}

/** Names what a caller sees: a cursor is valid only for its account, channel, selection and policy. */
export function scopeOf(kind: 'properties' | 'units', ...parts: readonly (number | null)[]): string {
  return [kind[0], ...parts.map((part) => part ?? '')].join('-');
}

/** The text of a cursor: letters, digits, `-` and `_`. */
export function encodeCursor({ incarnation, number, loadedAt, scope }: Cursor): string {
  return Buffer.from([incarnation, number, loadedAt, scope].join('.')).toString('base64url');
}

/** The cursor that a text encodes; `null` if it encodes none. */
export function decodeCursor(text: string): Cursor | null {
  const parts = /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})\.([pu][\d-]*)$/.exec(Buffer.from(text, 'base64url').toString());
  if (parts === null || text.length > 200) return null;
  const [, incarnation, number, loadedAt, scope] = parts as unknown as string[];
  return { incarnation: Number(incarnation), number: Number(number), loadedAt: Number(loadedAt), scope: scope! };
}

/**
 * Why a cursor is no longer valid, or `null` if it is: the database has been restored to an earlier state, or what the caller
 * may see has changed since the cursor was issued.
 */
export function expiry(cursor: Cursor, state: ChangeState, scope: string): string | null {
  if (cursor.incarnation !== state.incarnation || cursor.number > state.number) {
    return 'The database has been restored to an earlier state.';
  }
  return cursor.scope === scope ? null : 'The cursor was given out for another account, channel or selection.';
}
