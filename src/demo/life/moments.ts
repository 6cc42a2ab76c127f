import { DAY_SECONDS, type EpochSeconds, isoDate, toSeconds } from '../../lib/time/time.ts';
import { EVENTS } from './events.ts';
import type { DemoPortal, Moment } from './types.ts';

/** The last fetch is at least this long ago, so that a real request of the portal is another one. */
const LAST_FETCH_SECONDS = 1_200;

/** How many minutes later than usual a portal comes, from one fetch to the next. */
const DELAYS = [0, 4, 1, 7, 2, 5, 3];

/** When something happened, if it is now `now`. */
export function timeOf({ daysAgo, at }: Moment, now: EpochSeconds): EpochSeconds {
  return toSeconds(`${isoDate(now - daysAgo * DAY_SECONDS)}T${at}:00Z`);
}

/** When the first event was. What the portfolio's file says of times is moved before it. */
export function beginning(now: EpochSeconds): EpochSeconds {
  return timeOf(EVENTS[0]!, now);
}

/** A portal's fetch of its feed. */
export interface Fetch {
  readonly portal: DemoPortal;
  readonly time: EpochSeconds;
}

/** The fetches of a portal since it was connected. */
export function fetchesOf(portal: DemoPortal, now: EpochSeconds): Fetch[] {
  const { at, everyHours, stoppedDaysAgo } = portal.fetches;
  const connection = EVENTS.find(
    (event) => event.kind === 'connect' && event.portal === portal.name,
  );
  if (connection === undefined) return [];
  const connected = timeOf(connection, now);
  const end =
    stoppedDaysAgo === undefined
      ? now - LAST_FETCH_SECONDS
      : timeOf({ daysAgo: stoppedDaysAgo, at: '23:59' }, now);
  const first = timeOf({ daysAgo: connection.daysAgo, at }, now);
  const step = everyHours * 3_600;
  const times = Array.from({ length: Math.ceil((end - first) / step) + 1 }, (_, index) => {
    return first + index * step + DELAYS[index % DELAYS.length]! * 60;
  });
  return times.filter((time) => time > connected && time <= end).map((time) => ({ portal, time }));
}
