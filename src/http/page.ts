import { Buffer } from 'node:buffer';
import * as z from 'zod';
import { integerParameter } from './schemas.ts';

export const DEFAULT_LIMIT = 100;
export const MAX_LIMIT = 500;

/** The query of a list: how many entries, and after which name. */
export const pageQuery = z.object({
  limit: integerParameter(1, MAX_LIMIT, DEFAULT_LIMIT).meta({ description: 'Entries of a page.' }),
  cursor: z
    .string()
    .transform((cursor, context): string => {
      const name = Buffer.from(cursor, 'base64url').toString();
      if (encodeCursor(name) !== cursor) context.addIssue('must be taken from a Link header');
      return name;
    })
    .nullable()
    .default(null)
    .meta({ description: 'From the `Link` header of the page before.' }),
});

/** A requested page of a list. */
export type PageRequest = z.output<typeof pageQuery>;

/** For responses that must not be cached. */
export const NOT_CACHED = { 'Cache-Control': 'no-store' };

/** For responses that a cache must revalidate. */
export const REVALIDATED = { 'Cache-Control': 'private, no-cache' };

/** The Link header (RFC 8288) to the next page. The URL is relative, because a proxy may use another origin. */
export function nextLink(requestUrl: string, last: string): string {
  const { pathname, searchParams } = new URL(requestUrl);
  searchParams.set('cursor', encodeCursor(last));
  return `<${pathname}?${searchParams}>; rel="next"`;
}

function encodeCursor(name: string): string {
  return Buffer.from(name).toString('base64url');
}
