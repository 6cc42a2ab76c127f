/** Seconds since 1970-01-01 UTC. */
export type EpochSeconds = number;

/** Milliseconds since 1970-01-01 UTC. */
export type EpochMilliseconds = number;

export const DAY_SECONDS = 86_400;

/** A time in whole seconds as ISO 8601: `2026-05-01T09:30:00Z`. */
export function isoTime(seconds: EpochSeconds): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}

/** A time in ISO 8601 as seconds, such as those of {@link isoTime}; `null` for no time. */
export function toSeconds(time: string): EpochSeconds;
export function toSeconds(time: string | null): EpochSeconds | null;
export function toSeconds(time: string | null): EpochSeconds | null {
  return time === null ? null : Date.parse(time) / 1_000;
}

/** The day of a time in UTC: `2026-05-01`. */
export function isoDate(seconds: EpochSeconds): string {
  return isoTime(seconds).slice(0, 10);
}

/** The date a number of days before another one; both have the form of {@link isoDate}. */
export function daysBefore(day: string, days: number): string {
  return isoDate(toSeconds(day) - days * DAY_SECONDS);
}

/** The current time in whole seconds. */
export function nowInSeconds(): EpochSeconds {
  return Math.floor(Date.now() / 1_000);
}

/**
 * Whether less than `milliseconds` has elapsed since `since`. False if the clock was set back, since the elapsed time is
 * then unknown.
 */
export function isWithin(
  milliseconds: number,
  since: EpochMilliseconds,
  now: EpochMilliseconds,
): boolean {
  return now >= since && now - since < milliseconds;
}
