/**
 * Paths of pages. Names are in the query: a unit or a property can have any name, such as `.` or one with a slash.
 */
export function unitsPath(development: string, more: Query = {}): string {
  return withQuery('/units', { development, ...more });
}

export function unitPath(development: string, name: string): string {
  return withQuery('/unit', { development, name });
}

export function propertyPath(id: string): string {
  return withQuery('/property', { id });
}

export function picturesPath(id: string): string {
  return withQuery('/property/pictures', { id });
}

export function portalPath(name: string): string {
  return withQuery('/portal', { name });
}

/** How long a change can be undone. */
export const UNDO_DAYS = 30;

/** The page that undoes a change of a unit, by the version that it has led to. */
export function unitUndoPath(development: string, unit: string, version: number): string {
  return withQuery('/undo', { development, unit, change: String(version) });
}

/** The page that undoes what was changed together, or a change of a portal. */
export function undoPath(batch: string): string {
  const [, name, change] = /^portal:(.+):(\d+)$/.exec(batch) ?? [];
  return name === undefined
    ? withQuery('/undo', { batch })
    : withQuery('/portal/undo', { name, change });
}

/** What names a change of a portal where it can be undone. */
export function portalBatch(name: string, change: number): string {
  return `portal:${name}:${change}`;
}

/** The page that puts properties into what a portal gets, or takes them out. */
export function movePath(portal: string, isIn: boolean, ids: readonly string[]): string {
  const change = { kind: 'portal', portal, move: isIn ? 'in' : 'out' };
  return withQuery('/properties/change', change) + idsQuery(ids);
}

/** Identifiers as a further part of a query. */
export function idsQuery(ids: readonly string[]): string {
  return ids.map((id) => `&${new URLSearchParams({ id })}`).join('');
}

/** The values of a query; those that are undefined or empty are left out. */
export type Query = Readonly<Record<string, string | undefined>>;

/** A path with the values that are given as its query, if there are any. */
export function withQuery(path: string, values: Query): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given as [string, string][])}`;
}

/** A same-origin path to continue to; otherwise `/`. */
export function localPath(text: unknown): string {
  return typeof text === 'string' && /^\/(?![/\\])[ -[\]-~]*$/.test(text) ? text : '/';
}
