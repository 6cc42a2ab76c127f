import { readChangeState } from '../../db/news/changes.ts';
import type { EpochMilliseconds } from '../../lib/time/time.ts';

/** The longest time for which a response is held, in seconds. */
export const MAX_WAIT_SECONDS = 30;

/** Milliseconds between two reads of an account's number by an isolate. */
const INTERVAL_MS = 1_000;

/** The numbers that this isolate has read last, by account, with the time of the read in milliseconds. */
const latest = new Map<number, { number: number; readAt: number }>();

/** The seconds for which a caller prefers to wait (`Prefer: wait=30`, RFC 7240 section 4.3); 0 without a preference. */
export function preferredWait(prefer: string | undefined): number {
  const [, seconds] = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,9})"?(?:$|[,;\s])/i.exec(prefer ?? '') ?? [];
  return Math.min(Number(seconds ?? 0), MAX_WAIT_SECONDS);
}

/**
 * Waits until an account has changed after a number. However many callers wait, an isolate reads the number once a second.
 *
 * @param since when the caller knew this number
 * @param end when to stop waiting
 * @returns whether it has changed in time
 */
export async function changedBefore(
  db: D1Database,
  accountId: number,
  number: number,
  since: EpochMilliseconds,
  end: EpochMilliseconds,
): Promise<boolean> {
  for (;;) {
    const now = Date.now();
    const known = latest.get(accountId);
    if (known !== undefined && known.readAt > since && known.number > number) return true;
    if (now >= end) return false;
    if (known === undefined || now - known.readAt >= INTERVAL_MS) {
      // The time comes first, so that other callers do not read as well in the meantime.
      latest.set(accountId, { number: known?.number ?? 0, readAt: now });
      const state = await readChangeState(db, accountId);
      latest.set(accountId, { number: state?.number ?? 0, readAt: now });
      if ((state?.number ?? 0) > number) return true;
    }
    await scheduler.wait(Math.min(INTERVAL_MS, Math.max(end - Date.now(), 1)));
  }
}
