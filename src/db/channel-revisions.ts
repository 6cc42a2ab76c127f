import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { channels, propertyChannels } from './schema.ts';

/**
 * How the parameter set of a channel's feed ends.
 *
 * A channel has revisions of its own, and its feeds depend on these and on those of the account. Both only ever advance, so
 * their sum advances with either and names one state of both: it takes the place of the account's revision in cache keys,
 * ETags and the records of snapshots.
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
 * The revision of a channel, 0 without one: of a segment or, for `null`, of all its segments.
 *
 * @param segment its number; D1 binds numbers as REAL
 */
export function channelRevision(
  channelId: SQLWrapper | number | null,
  segment: SQLWrapper | number | null,
): SQL<number> {
  if (channelId === null) return sql`0`;
  const revision =
    segment === null ? sql`${channels.revision}` : sql`${channels.segments} ->> ('$.' || CAST(${segment} AS INTEGER))`;
  return sql`ifnull((SELECT ${revision} FROM ${channels} WHERE ${channels.id} = ${channelId}), 0)`;
}

/** Whether the property `p` is in a channel. */
export function isInChannel(channelId: number): SQL {
  const { accountId, sequenceNumber } = propertyChannels;
  return sql`EXISTS (SELECT 1 FROM ${propertyChannels}
    WHERE ${accountId} = p.account_id AND ${sequenceNumber} = p.sequence_number
      AND ${propertyChannels.channelId} = ${channelId})`;
}
