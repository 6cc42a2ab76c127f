import { type SQL, type SQLWrapper, sql } from '#drizzle';
import { type ReaderKind, restrictionsFor } from '../../portfolio/restrictions.ts';
import { accounts, channels, propertyChannels } from '../schema.ts';

/**
 * How the parameter set of a channel's feed ends.
 *
 * A channel has a revision for each segment, which every change of its properties in that segment advances, of sales and of
 * rentals. In its feeds, they replace the account's: readers of a channel must not notice other changes.
 */
export function channelSuffix(channelId: number): string {
  return `&channel=${channelId}`;
}

/** The id of the channel of a parameter set, by its canonical name; `null` without one. */
export function channelIn(parameters: string): number | null {
  const [, id] = /&channel=(\d+)$/.exec(parameters) ?? [];
  return id === undefined ? null : Number(id);
}

/**
 * The revision on which a feed depends: its channel's or, without a channel, the account's.
 *
 * @param segment its number, or `null` for the revision of all segments; D1 binds numbers as REAL
 * @param accountId that of the row in `accounts` that the statement reads
 */
export function revisionIn(
  channelId: SQLWrapper | number | null,
  segment: SQLWrapper | number | null,
  ofAccount: SQLWrapper,
  accountId: SQLWrapper = accounts.id,
): SQL<number> {
  if (channelId === null) return sql`${ofAccount}`;
  const revision =
    segment === null ? sql`${channels.revision}` : sql`${channels.segments} ->> ('$.' || CAST(${segment} AS INTEGER))`;
  return sql`iif(${channelId} IS NULL, ${ofAccount},
    ifnull((SELECT ${revision} FROM ${channels}
             WHERE ${channels.accountId} = ${accountId} AND ${channels.id} = ${channelId}), 0))`;
}

/** Whether the property `p` is in a channel. */
export function isInChannel(channelId: number): SQL {
  const { accountId, sequenceNumber } = propertyChannels;
  return sql`EXISTS (SELECT 1 FROM ${propertyChannels}
    WHERE ${accountId} = p.account_id AND ${sequenceNumber} = p.sequence_number
      AND ${propertyChannels.channelId} = ${channelId})`;
}

/** Whether readers of a kind may have the property `p`. */
export function isAllowedFor(kind: ReaderKind | null | undefined): SQL {
  const restrictions = restrictionsFor(kind);
  if (restrictions.length === 0) return sql`1`;
  const absent = restrictions.map((name) => sql.raw(`NOT instr(p.restrictions, '${name}')`));
  return sql`(p.restrictions IS NULL OR ${sql.join(absent, sql` AND `)})`;
}

/**
 * Whether the row whose column `seen` is in scope was seen in some of these states, by readers of a channel and a kind: see
 * `states_seen`.
 */
export function wasSeen(states: number, channel: number | null, kind: ReaderKind | null): SQL {
  const audience = String(channel ?? 0);
  const seen = sql`seen ->> ${`$.${audience}`}`;
  const byKind =
    restrictionsFor(kind).length === 0 ? seen : sql`ifnull(seen ->> ${`$."${audience}/${kind}"`}, ${seen})`;
  return sql`ifnull(${byKind}, 0) & CAST(${states} AS INTEGER) <> 0`;
}

/** The part of a development has its id plus this number; parts of segments have lower numbers. */
export const FIRST_DEVELOPMENT_PART = 1_000_000_000;

/**
 * The revision of a development in a statement that reads `accounts`; 0 if the account no longer has it. In a channel, it is the
 * channel's revision plus the development's own, which units do not advance: those outside the channel must not show.
 */
export function developmentRevision(id: SQLWrapper | number, channelId: SQLWrapper | number | null): SQL<number> {
  const revision = (place: 0 | 1) =>
    sql<number>`ifnull(${accounts.developments} ->> ('$.' || CAST(${id} AS INTEGER) || '[${sql.raw(String(place))}]'), 0)`;
  if (channelId === null) return revision(0);
  return sql`iif(${channelId} IS NULL, ${revision(0)},
    ${revision(1)} + ${revisionIn(channelId, null, sql`0`)})`;
}

/**
 * The revision of a part of a feed in a statement that reads `accounts`: of a development or of a segment; NULL if the account has
 * no such segment.
 */
export function partRevision(part: SQLWrapper, channelId: SQLWrapper, kind: 'sale' | 'rental'): SQL<number | null> {
  const place = sql.raw(kind === 'sale' ? '[0]' : '[1]');
  const ofSegment = sql`${accounts.segments} ->> ('$.' || CAST(${part} AS INTEGER) || '${place}')`;
  const development = sql`(CAST(${part} AS INTEGER) - ${sql.raw(String(FIRST_DEVELOPMENT_PART))})`;
  return sql`iif(CAST(${part} AS INTEGER) >= ${sql.raw(String(FIRST_DEVELOPMENT_PART))},
    ${developmentRevision(development, channelId)},
    ${revisionIn(channelId, part, ofSegment)})`;
}
