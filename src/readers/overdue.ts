import type { Env } from '../env.ts';
import { log } from '../lib/log.ts';
import { type EpochSeconds, isoTime } from '../lib/time/time.ts';
import { sendTask } from '../tasks/tasks.ts';
import {
  DELIVERY_RECORDED_EVERY_SECONDS,
  type FeedDeliveries,
  listLastSeen,
  recordOverdue,
} from './deliveries.ts';

/** Writes that an interval must have been learned from, and the number of usual intervals after which a reader is overdue. */
const MIN_INTERVALS = 3;
const OVERDUE_AFTER = 3;

/** When a reader last requested a feed, and how often it usually does, learned from a number of writes. */
type Rhythm = Pick<FeedDeliveries, 'lastSeenAt' | 'usualInterval' | 'intervals'>;

/**
 * Whether a reader is overdue: three of its usual intervals have passed without a request. A request may be recorded ten
 * minutes late.
 */
export function isOverdue(
  { lastSeenAt, usualInterval, intervals }: Rhythm,
  now: EpochSeconds,
): boolean {
  if (usualInterval === null || intervals < MIN_INTERVALS) return false;
  return now - lastSeenAt > OVERDUE_AFTER * usualInterval + DELIVERY_RECORDED_EVERY_SECONDS;
}

/** Logs each reader of these accounts that is overdue, and tells the account's webhooks, once until it requests a feed again. */
export async function logOverdueReaders(
  env: Env,
  accountIds: readonly number[],
  now: EpochSeconds,
): Promise<void> {
  const seen = await listLastSeen(env.DB, accountIds);
  const overdue = seen.filter((reader) => !reader.isOverdueLogged && isOverdue(reader, now));
  if (overdue.length === 0) return;
  const ids = overdue.map(({ readerId }) => readerId);
  await recordOverdue(env.DB, ids);
  for (const { account, reader, lastSeenAt, usualInterval } of overdue) {
    log('warn', 'reader.overdue', {
      account,
      reader,
      lastSeen: isoTime(lastSeenAt),
      usualInterval,
    });
  }
  const accounts = new Set(overdue.map(({ accountId }) => accountId));
  await Promise.all(
    [...accounts].map((accountId) => sendTask(env, { kind: 'webhooks', accountId })),
  );
}
