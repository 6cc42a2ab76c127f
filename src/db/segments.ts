import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Revisions } from './feed-properties.ts';
import { accounts } from './schema.ts';

/**
 * A revision of a segment of an account, in a statement that reads `accounts`; NULL if the account has no such segment.
 *
 * @param segment its number; D1 binds numbers as REAL
 */
export function segmentRevision(
  segment: SQLWrapper | number,
  kind: Exclude<keyof Revisions, 'incarnation'>,
): SQL<number | null> {
  const place = sql.raw(kind === 'sale' ? '[0]' : '[1]');
  return sql`${accounts.segments} ->> ('$.' || CAST(${segment} AS INTEGER) || '${place}')`;
}
