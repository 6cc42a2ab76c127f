/**
 * Paths of pages. Names are in the query: a unit or a property can have any name, such as `.` or one with a slash.
 */
export function unitsPath(development: string, more: Readonly<Record<string, string | undefined>> = {}): string {
  return `/units?${query({ development, ...more })}`;
}

export function unitPath(development: string, name: string): string {
  return `/unit?${query({ development, name })}`;
}

export function propertyPath(id: string): string {
  return `/property?${query({ id })}`;
}

export function portalPath(name: string): string {
  return `/portal?${query({ name })}`;
}

/** Values that are given, as a query. */
export function query(values: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  return new URLSearchParams(given as [string, string][]).toString();
}

/** A path with a query, if there is one. */
export function withQuery(path: string, values: Readonly<Record<string, string | undefined>>): string {
  const text = query(values);
  return text === '' ? path : `${path}?${text}`;
}

/** A same-origin path to continue to; otherwise `/`. */
export function localPath(text: unknown): string {
  return typeof text === 'string' && /^\/(?![/\\])[ -[\]-~]*$/.test(text) ? text : '/';
}
