import type * as z from 'zod';
import { shown } from '../../api/schemas.ts';
import { type EpochSeconds, isoTime } from '../../lib/time/time.ts';
import { type FeedDeliveries, listDeliveries } from '../deliveries.ts';
import { isOverdue } from '../overdue.ts';
import { policyIn } from '../policy.ts';
import { listReaders, type Reader } from '../readers.ts';
import { NO_FEED, type RecordedVisit } from '../visits.ts';
import { MAX_READERS } from './delivered-state.ts';
import { lastDelivery, reader, readerFeed, visit } from './schemas.ts';

/** A reader in responses and in the output of commands. */
type ReaderView = z.output<typeof reader>;

/** Readers with a summary of what they were given. */
export async function readerViews(
  db: D1Database,
  accountId: number,
  found: readonly Reader[],
  now: EpochSeconds,
): Promise<ReaderView[]> {
  const names = found.map(({ name }) => name);
  const deliveries = names.length === 0 ? [] : await listDeliveries(db, accountId, names);
  const feedsOf = Map.groupBy(deliveries, ({ reader }) => reader);
  return found.map((one) => readerView(one, feedsOf.get(one.name) ?? [], now));
}

/** The readers of an account that are overdue. */
export async function overdueReaders(
  db: D1Database,
  accountId: number,
  now: EpochSeconds,
): Promise<ReaderView[]> {
  const found = await listReaders(db, accountId, null, MAX_READERS);
  return (await readerViews(db, accountId, found, now)).filter(({ overdue }) => overdue);
}

/** @param feeds what the reader was given, the most recently requested feed first */
export function readerView(
  stored: Reader,
  feeds: readonly FeedDeliveries[],
  now: number,
): ReaderView {
  const [last] = feeds;
  const delivered = feeds.flatMap(({ delivery }) => (delivery === null ? [] : [delivery.at]));
  return shown(reader, {
    ...stored,
    selection: null,
    ...policyIn(stored.policy),
    oldKeysExpireAt: stored.keysExpireAt,
    lastSeenAt: last?.lastSeenAt ?? null,
    lastDeliveryAt: delivered.length === 0 ? null : Math.max(...delivered),
    usualInterval: last?.usualInterval == null ? null : Math.round(last.usualInterval),
    overdue: !stored.disabled && last !== undefined && isOverdue(last, now),
  });
}

/** What a reader was given of one feed. */
export function feedView({
  feed,
  delivery,
  lastSeenAt,
  days,
}: FeedDeliveries): z.output<typeof readerFeed> {
  return shown(readerFeed, {
    feed,
    lastDelivery: delivery && shown(lastDelivery, { ...delivery, at: isoTime(delivery.at) }),
    lastSeenAt,
    days: Object.entries(days)
      .sort(([a], [b]) => (a < b ? 1 : -1))
      .map(([date, [full, notModified]]) => ({ date, full, not_modified: notModified })),
  });
}

/** Requests of a reader that got the same answer. */
export function visitView({
  at,
  until,
  count,
  feed,
  ...others
}: RecordedVisit): z.output<typeof visit> {
  return shown(visit, {
    ...others,
    at: isoTime(at),
    until: isoTime(until),
    requests: count,
    feed: feed === NO_FEED ? null : feed,
  });
}
