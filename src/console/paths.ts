/**
 * Paths of pages. Names are in the query: a unit can have any name, such as `.` or one with a slash.
 */
export function unitsPath(development: string, after?: string): string {
  return `/units?${query({ development, after })}`;
}

export function unitPath(development: string, name: string, more: Readonly<Record<string, string>> = {}): string {
  return `/unit?${query({ development, name, ...more })}`;
}

/** Values that are given, as a query. */
export function query(values: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return new URLSearchParams(given as [string, string][]).toString();
}

/** A same-origin path to continue to; otherwise `/`. */
export function localPath(text: unknown): string {
  return typeof text === 'string' && /^\/(?![/\\])[ -[\]-~]*$/.test(text) ? text : '/';
}
