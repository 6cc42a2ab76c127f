/** A time in whole seconds since 1970-01-01 UTC as ISO 8601: `2026-05-01T09:30:00Z`. */
export function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}
