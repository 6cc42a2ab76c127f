import type { Context } from 'hono';
import { problemResponse } from '../problem.ts';
import { nextLink, type PageRequest, parsePageRequest } from './page.ts';

/** The requested page of a list, or an error response. */
export function readPage(c: Context): PageRequest | Response {
  const page = parsePageRequest(new URL(c.req.url).searchParams);
  return 'error' in page ? problemResponse({ code: 'bad_parameter', detail: page.error }) : page;
}

/**
 * A page of a list, with a link to the next page if there is one.
 *
 * @param found the entries of the page, and one more if another page follows
 */
export function pageResponse<Entry>(
  c: Context,
  { limit }: PageRequest,
  member: string,
  found: readonly Entry[],
  nameOf: (entry: Entry) => string,
): Response {
  const entries = found.slice(0, limit);
  const link = found.length > limit ? { Link: nextLink(c.req.url, nameOf(entries.at(-1)!)) } : {};
  return c.json({ [member]: entries }, 200, { ...REVALIDATED, ...link });
}

/** For responses that a cache must revalidate. */
export const REVALIDATED = { 'Cache-Control': 'private, no-cache' };
