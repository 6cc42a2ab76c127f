import { Buffer } from 'node:buffer';
import { sha256Hex } from '../lib/secrets/secrets.ts';
import { type Policy, policyText } from '../readers/policy.ts';
import { FILTERS } from '../readers/selection.ts';
import type { Audience, ChangeState, Position } from './changes.ts';

/** A position in the changes that a caller sees. Callers get it as an opaque text, which never expires. */
export interface Cursor extends Position {
  /** The time line of the database when it was issued. */
  readonly incarnation: number;
  /** What the caller sees, from {@link propertiesScope} or {@link unitsScope}. */
  readonly scope: string;
}

/**
 * Names which properties a caller sees, and what of them: a cursor is valid only for its account,
 * channel, selection and policy. A reader who may now see more or less has to read everything again.
 */
export function propertiesScope({ accountId, listing, channel }: Audience): string {
  const { category, policy } = listing;
  const filters = FILTERS.map((name) => Number(listing[name])).join('');
  const digest = policy === undefined ? '' : sha256Hex(policyOf(policy)).slice(0, 8);
  return ['p', accountId, channel ?? '', category, filters, digest].join('-');
}

/** A policy without the single properties that are in or out: each of them is a change of its own when it becomes one. */
function policyOf({ selection, ...policy }: Policy): string {
  if (selection == null) return policyText(policy);
  const { include: _, exclude: __, ...rules } = selection;
  return `${policyText({ ...policy, selection: rules })} by rules`;
}

/** Names whose units a caller sees. */
export function unitsScope(accountId: number): string {
  return `u-${accountId}`;
}

/** The text of a cursor: letters, digits, `-` and `_`. */
export function encodeCursor({ incarnation, number, loadedAt, scope }: Cursor): string {
  return Buffer.from([incarnation, number, loadedAt, scope].join('.')).toString('base64url');
}

/** The cursor that a text encodes; `null` if it encodes none. */
export function decodeCursor(text: string): Cursor | null {
  const parts = /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})\.([pu][\w-]*)$/.exec(
    Buffer.from(text, 'base64url').toString(),
  );
  if (parts === null || text.length > 200) return null;
  const [, incarnation, number, loadedAt, scope] = parts as unknown as string[];
  return {
    incarnation: Number(incarnation),
    number: Number(number),
    loadedAt: Number(loadedAt),
    scope: scope!,
  };
}

/**
 * Why a cursor is no longer valid, or `null` if it is: the database has been restored to an earlier state, or what the caller
 * may see has changed since the cursor was issued.
 */
export function expiry(cursor: Cursor, state: ChangeState, scope: string): string | null {
  if (cursor.incarnation !== state.incarnation || cursor.number > state.number) {
    return 'The database has been restored to an earlier state.';
  }
  return cursor.scope === scope
    ? null
    : 'The cursor was given out for another account, channel or selection.';
}
