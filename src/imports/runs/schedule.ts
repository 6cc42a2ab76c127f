import { DAY_SECONDS, type EpochSeconds } from '../../lib/time/time.ts';
import { fromLocal, toLocal } from '../../lib/time/zones.ts';
import type { Every, Schedule } from './sources.ts';

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

const MINUTE = 60;
const PERIODS: Readonly<Record<Every, number>> = {
  hour: 60 * MINUTE,
  day: DAY_SECONDS,
  week: 7 * DAY_SECONDS,
};

/** The Monday at the beginning of the epoch, which began on a Thursday. */
const FIRST_MONDAY: EpochSeconds = 4 * DAY_SECONDS;

/** Seconds before a source that has failed once runs again: four times as long after each further failure, up to a day. */
const FIRST_RETRY_S = 5 * MINUTE;

/** The form of `at`: `03:30`, or `mon 03:30` for a week. */
export const SCHEDULED_AT = /^(?:(mon|tue|wed|thu|fri|sat|sun) )?([01]\d|2[0-3]):([0-5]\d)$/;

/** Whether a source can run at this time: only one that runs every week has a day. */
export function isTimeOf(every: Every, at: string): boolean {
  const parts = SCHEDULED_AT.exec(at);
  return parts !== null && (every === 'week') === (parts[1] !== undefined);
}

/**
 * When a source runs for the first time after `now`. The hour of `at` matters only for days and weeks, and is that of the clocks in
 * its time zone, which are put forward and back.
 */
export function nextRun({ every, at, timeZone }: Schedule, now: EpochSeconds): EpochSeconds {
  const [, day = 'mon', hours, minutes] = SCHEDULED_AT.exec(at)!;
  const days = (DAYS as readonly string[]).indexOf(day) * DAY_SECONDS;
  const first = FIRST_MONDAY + days + Number(hours) * 60 * MINUTE + Number(minutes) * MINUTE;
  const period = PERIODS[every];
  const local = toLocal(now, timeZone);
  const wait = period - ((((local - first) % period) + period) % period);
  const next = every === 'hour' ? now + wait : fromLocal(local + wait, timeZone);
  // A time that the clocks skip may have passed.
  return next > now ? next : now + wait;
}

/** When a source that has failed runs again. @param failures before this one */
export function retryAt(failures: number, now: EpochSeconds): EpochSeconds {
  return now + Math.min(FIRST_RETRY_S * 4 ** failures, DAY_SECONDS);
}
