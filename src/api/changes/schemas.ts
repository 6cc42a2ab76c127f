import { Buffer } from 'node:buffer';
import * as z from 'zod';
import type { ChangeState, Position } from '../../db/news/changes.ts';
import { DEFAULT_LIMIT, integerParameter, MAX_LIMIT, namedObject, optionalHeaders, time } from '../../http/schemas.ts';
import { unit } from '../units/schemas.ts';

/** A position in the changes that a caller sees. It is given out as an opaque text, and never expires. */
export interface Cursor extends Position {
  /** The time line of the database on which it was given out. */
  readonly incarnation: number;
  /** What the caller sees, from {@link scopeOf}. */
  readonly scope: string;
}

/** Names what a caller sees: a cursor of one account, channel or selection is none of another. */
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
 * Why a cursor no longer leads anywhere, or `null` if it does: the database has been restored to an earlier state, or the
 * caller sees something else than when it was given out.
 */
export function expiry(cursor: Cursor, state: ChangeState, scope: string): string | null {
  if (cursor.incarnation !== state.incarnation || cursor.number > state.number) {
    return 'The database has been restored to an earlier state.';
  }
  return cursor.scope === scope ? null : 'It was given for another account, channel or selection.';
}

/** The query of a request for changes: from where on, and how many. */
export const changesQuery = z.object({
  limit: integerParameter(1, MAX_LIMIT, DEFAULT_LIMIT).describe('Changes of a response.'),
  after: z
    .string()
    .transform((text, context): Cursor => {
      const cursor = decodeCursor(text);
      if (cursor !== null) return cursor;
      context.addIssue('must be the `next` of an earlier response');
      return z.NEVER;
    })
    .nullable()
    .default(null)
    .describe('The `next` of the last response. Without it, everything that is listed.'),
});

/** The longest time for which a response is held. */
export const MAX_WAIT_SECONDS = 30;

/** The header that asks for a long poll. */
export const preferHeader = optionalHeaders({
  Prefer: {
    description: `\`wait=30\` (RFC 7240): a response without a change is held for up to ${MAX_WAIT_SECONDS} seconds, until there is one.`,
  },
});

/** What to do about a cursor that has expired. */
export const BEGIN_AGAIN = 'Begin again without after: the first load contains everything that is listed.';

const number = z.int().describe('Advances with every change of the account.');

function page<Change extends z.ZodType>(id: string, change: Change) {
  return namedObject(id, {
    changes: z.array(change).describe('In the order of the changes, each property or unit once.'),
    next: z.string().describe('`after` of the next request. It does not expire.'),
    has_more: z.boolean().describe('Whether more changes follow at once.'),
    as_of: time,
  });
}

export const propertyChanges = page(
  'PropertyChanges',
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('changed'),
      id: z.string(),
      number,
      property: z
        .looseObject({})
        .describe('The property as it is now, as `lindero export` writes it. A reader gets what feeds show.'),
    }),
    z.object({ kind: z.literal('removed'), id: z.string(), number }),
  ]),
);

export const unitChanges = page(
  'UnitChanges',
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('changed'), number, unit }),
    z.object({ kind: z.literal('removed'), number, development_id: z.string(), UntName: z.string() }),
  ]),
);
