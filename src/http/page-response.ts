import type { Context } from 'hono';
import { ProblemError } from '../problem.ts';
import { type PageRequest, pageOf, pageQuery } from './page.ts';

/** The requested page of a list. */
export function readPage(c: Context): PageRequest {
  const result = pageQuery.safeParse(c.req.query());
  if (result.success) return result.data;
  const [{ path, message }] = result.error.issues as unknown as [{ path: string[]; message: string }];
  throw new ProblemError({ code: 'bad_parameter', detail: `${path} ${message}.` });
}

/** A page of a list, with a link to the next page if there is one. */
export function pageResponse<Entry>(
  c: Context,
  page: PageRequest,
  member: string,
  found: readonly Entry[],
  nameOf: (entry: Entry) => string,
): Response {
  const { entries, headers } = pageOf(c.req.url, page, found, nameOf);
  return c.json({ [member]: entries }, 200, headers);
}
