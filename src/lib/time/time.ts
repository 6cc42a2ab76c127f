/** Seconds since 1970-01-01 UTC. */
export type EpochSeconds = number;

/** Milliseconds since 1970-01-01 UTC. */
export type EpochMilliseconds = number;

/** A time in whole seconds as ISO 8601: `2026-05-01T09:30:00Z`. */
export function isoTime(seconds: EpochSeconds): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}

/** The same of a time that may not have come. */
export function isoTimeOrNull(seconds: EpochSeconds | null): string | null {
  return seconds === null ? null : isoTime(seconds);
}

/** The current time in whole seconds. */
export function nowInSeconds(): EpochSeconds {
  return Math.floor(Date.now() / 1_000);
}
