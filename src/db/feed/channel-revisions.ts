import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { channels, propertyChannels } from '../schema.ts';

/**
 * How the parameter set of a channel's feed ends.
 *
 * A channel has a revision for each segment, which every change of its properties in that segment advances, of sales and of
 * rentals. In its feeds these take the place of the account's: readers of a channel must not notice other changes.
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
 * The revision on which a feed depends: that of its channel or, without one, of the account. It is that of a segment or, for
 * `null`, of all segments.
 *
 * @param segment its number; D1 binds numbers as REAL
 */
export function revisionIn(
  channelId: SQLWrapper | number | null,
  segment: SQLWrapper | number | null,
  ofAccount: SQLWrapper,
): SQL<number> {
  if (channelId === null) return sql`${ofAccount}`;
  const revision =
    segment === null ? sql`${channels.revision}` : sql`${channels.segments} ->> ('$.' || CAST(${segment} AS INTEGER))`;
  return sql`iif(${channelId} IS NULL, ${ofAccount},
    ifnull((SELECT ${revision} FROM ${channels} WHERE ${channels.id} = ${channelId}), 0))`;
}

/** Whether the property `p` is in a channel. */
export function isInChannel(channelId: number): SQL {
  const { accountId, sequenceNumber } = propertyChannels;
  return sql`EXISTS (SELECT 1 FROM ${propertyChannels}
    WHERE ${accountId} = p.account_id AND ${sequenceNumber} = p.sequence_number
      AND ${propertyChannels.channelId} = ${channelId})`;
}
