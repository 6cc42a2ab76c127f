import type * as z from 'zod';
import { type FeedDeliveries, listDeliveries } from '../../db/readers/deliveries.ts';
import { listReaders, type Reader } from '../../db/readers/readers.ts';
import { type EpochSeconds, isoTime, isoTimeOrNull } from '../../lib/time/time.ts';
import { policyIn } from '../../portfolio/policy.ts';
import { MAX_READERS } from '../deliveries/holding.ts';
import { isLate } from './late.ts';
import type { readerFeed, reader as readerSchema } from './schemas.ts';

/** A reader in responses and in the output of commands. */
export type ReaderView = z.output<typeof readerSchema>;

/** Readers with a summary of what they were given. */
export async function readerViews(
  db: D1Database,
  accountId: number,
  found: readonly Reader[],
  now: EpochSeconds,
): Promise<ReaderView[]> {
  const names = found.map(({ name }) => name);
  const deliveries = names.length === 0 ? [] : await listDeliveries(db, accountId, names);
  return found.map((reader) =>
    readerView(
      reader,
      deliveries.filter((entry) => entry.reader === reader.name),
      now,
    ),
  );
}

/** The readers of an account that are late. */
export async function lateReaders(db: D1Database, accountId: number, now: number): Promise<ReaderView[]> {
  const found = await listReaders(db, accountId, null, MAX_READERS);
  return (await readerViews(db, accountId, found, now)).filter(({ late }) => late);
}

/** @param feeds what the reader was given, the feed visited last first */
export function readerView(reader: Reader, feeds: readonly FeedDeliveries[], now: number): ReaderView {
  const { name, preset, fixed, channel, disabled, createdAt, keys, keysExpireAt } = reader;
  const { withhold, place, kind } = policyIn(reader.policy);
  const [last] = feeds;
  const delivered = feeds.flatMap(({ delivery }) => (delivery === null ? [] : [delivery.at]));
  return {
    name,
    preset,
    fixed,
    channel,
    withhold: [...withhold],
    place,
    kind,
    disabled,
    created_at: isoTime(createdAt),
    keys,
    old_keys_expire_at: isoTimeOrNull(keysExpireAt),
    last_visit_at: isoTimeOrNull(last?.visitedAt ?? null),
    last_delivery_at: isoTimeOrNull(delivered.length === 0 ? null : Math.max(...delivered)),
    usual_interval: last?.usualInterval == null ? null : Math.round(last.usualInterval),
    late: !disabled && last !== undefined && isLate(last, now),
  };
}

/** What a reader was given of one feed. */
export function feedView({ feed, delivery, visitedAt, days }: FeedDeliveries): z.output<typeof readerFeed> {
  return {
    feed,
    last_delivery:
      delivery === null
        ? null
        : {
            at: isoTime(delivery.at),
            sale_revision: delivery.saleRevision,
            rental_revision: delivery.rentalRevision,
            status: delivery.status,
            bytes: delivery.bytes,
            origin: delivery.origin,
            confirmed_at: isoTimeOrNull(delivery.confirmedAt),
          },
    last_visit_at: isoTime(visitedAt),
    days: Object.entries(days)
      .sort(([a], [b]) => (a < b ? 1 : -1))
      .map(([date, [full, notModified]]) => ({ date, full, not_modified: notModified })),
  };
}
