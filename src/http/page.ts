import { Buffer } from 'node:buffer';
/** A requested page of a list. */
export interface PageRequest {
  /** The name after which the page starts; `null` for the first page. */
  readonly after: string | null;
  readonly limit: number;
}

export const DEFAULT_LIMIT = 100;
export const MAX_LIMIT = 500;

/** The page requested by `limit` and `cursor`, or why one of them is invalid. */
export function parsePageRequest(query: URLSearchParams): PageRequest | { readonly error: string } {
  const limit = query.get('limit') ?? String(DEFAULT_LIMIT);
  if (!/^[1-9]\d{0,2}$/.test(limit) || Number(limit) > MAX_LIMIT) {
    return { error: `limit must be an integer from 1 to ${MAX_LIMIT}.` };
  }
  const cursor = query.get('cursor');
  const after = cursor === null ? null : decodeCursor(cursor);
  if (after === undefined) return { error: 'cursor must be taken from a Link header.' };
  return { after, limit: Number(limit) };
}

/**
 * The Link header (RFC 8288) to the next page. The URL is relative, because a proxy may use another origin.
 *
 * @param last the last name of this page
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
