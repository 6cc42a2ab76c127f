import type { Context } from 'hono';
import type { AppEnv } from '../env.ts';
import { problemResponse } from '../problem.ts';

/** Headers of every page and file: no frames, no guessed types, no referrer. */
const PAGE_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
};

/**
 * A file that the build has written, or its 304.
 *
 * @param path the file's path, which may differ from the request's
 * @param headers in addition to the file's own
 */
export async function serveAsset(
  { env, req }: Context<AppEnv>,
  path: string,
  headers: object = {},
): Promise<Response> {
  const tags = req.header('If-None-Match');
  const asked = {
    method: req.method,
    headers: tags === undefined ? {} : { 'If-None-Match': tags },
  };
  const found = await env.ASSETS.fetch(new URL(path, req.url), asked);
  if (found.status !== 200 && found.status !== 304) {
    return problemResponse({ code: 'not_found', detail: 'Nothing is served at this path.' });
  }
  const response = new Response(found.body, found);
  for (const [name, value] of Object.entries({ ...PAGE_HEADERS, ...headers }))
    response.headers.set(name, value);
  return response;
}
