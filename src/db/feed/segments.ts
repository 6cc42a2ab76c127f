import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { accounts, channels } from '../schema.ts';
import { revisionIn } from './channel-revisions.ts';
import type { Revisions } from './feed-properties.ts';

/** The number of the part of a development is its id and this; those of segments are lower. */
export const FIRST_DEVELOPMENT_PART = 1_000_000_000;

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

/**
 * The revision of a development in a statement that reads `accounts`; 0 if the account no longer has it. In a channel, it is
 * that of the channel and the development itself, whichever of its units changes outside: both only increase.
 */
export function developmentRevision(id: SQLWrapper | number, channelId: SQLWrapper | number | null): SQL<number> {
  const revision = (place: 0 | 1) =>
    sql<number>`ifnull(${accounts.developments} ->> ('$.' || CAST(${id} AS INTEGER) || '[${sql.raw(String(place))}]'), 0)`;
  if (channelId === null) return revision(0);
  return sql`iif(${channelId} IS NULL, ${revision(0)},
    ${revision(1)} + ifnull((SELECT ${channels.revision} FROM ${channels} WHERE ${channels.id} = ${channelId}), 0))`;
}

/** The revision of a part of a feed: of a segment or a development, in a statement that reads `accounts`. */
export function partRevision(
  part: SQLWrapper,
  channelId: SQLWrapper,
  kind: Exclude<keyof Revisions, 'incarnation'>,
): SQL<number | null> {
  const development = sql`(CAST(${part} AS INTEGER) - ${sql.raw(String(FIRST_DEVELOPMENT_PART))})`;
  return sql`iif(CAST(${part} AS INTEGER) >= ${sql.raw(String(FIRST_DEVELOPMENT_PART))},
    ${developmentRevision(development, channelId)},
    ${revisionIn(channelId, part, segmentRevision(part, kind))})`;
}
