/** Which part of a list is asked for. */
export interface PageRequest {
  /** The name that the page begins behind; `null` for the first page. */
  readonly after: string | null;
  readonly limit: number;
}

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;

/** Reads `limit` and `cursor` of a query, or says what is wrong with one of them. */
export function readPageRequest(query: URLSearchParams): PageRequest | { readonly wrong: string } {
  const limit = query.get('limit') ?? String(DEFAULT_LIMIT);
  if (!/^[1-9]\d{0,2}$/.test(limit) || Number(limit) > MAX_LIMIT) {
    return { wrong: `limit must be a whole number from 1 to ${MAX_LIMIT}.` };
  }
  const cursor = query.get('cursor');
  const after = cursor === null ? null : decodeCursor(cursor);
  if (after === undefined) return { wrong: 'cursor must be one that a Link header gave.' };
  return { after, limit: Number(limit) };
}

/**
 * The Link header (RFC 8288) of a page that another one follows: relative, since a proxy may serve it at another origin.
 *
 * @param last the name that the page ends with
 */
export function nextLink(requestUrl: string, last: string): string {
  const { pathname, searchParams } = new URL(requestUrl);
  searchParams.set('cursor', encodeCursor(last));
  return `<${pathname}?${searchParams}>; rel="next"`;
}

function encodeCursor(name: string): string {
  return Buffer.from(name).toString('base64url');
}

function decodeCursor(cursor: string): string | undefined {
  const name = Buffer.from(cursor, 'base64url').toString();
  return encodeCursor(name) === cursor ? name : undefined;
}
