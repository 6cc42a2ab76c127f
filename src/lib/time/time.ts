/** Seconds since 1970-01-01 UTC. */
export type EpochSeconds = number;

/** Milliseconds since 1970-01-01 UTC. */
export type EpochMilliseconds = number;

export const DAY_SECONDS = 86_400;

/** A time in whole seconds as ISO 8601: `2026-05-01T09:30:00Z`. */
export function isoTime(seconds: EpochSeconds): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}

/** The day of a time in UTC: `2026-05-01`. */
export function isoDate(seconds: EpochSeconds): string {
  return isoTime(seconds).slice(0, 10);
}

/** The current time in whole seconds. */
export function nowInSeconds(): EpochSeconds {
  return Math.floor(Date.now() / 1_000);
}

/**
 * Whether less than `milliseconds` has elapsed since `since`. False if the clock was set back, since the elapsed time is
 * then unknown.
 */
export function isWithin(milliseconds: number, since: EpochMilliseconds, now: EpochMilliseconds): boolean {
  return now >= since && now - since < milliseconds;
}
