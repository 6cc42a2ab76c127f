/** Seconds since 1970-01-01 UTC. */
export type EpochSeconds = number;

/** Milliseconds since 1970-01-01 UTC. */
export type EpochMilliseconds = number;

/** A time in whole seconds as ISO 8601: `2026-05-01T09:30:00Z`. */
export function isoTime(seconds: EpochSeconds): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}
