import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { getPath } from 'hono/utils/url';
import type { AppEnv } from './env.ts';
import { log } from './lib/log.ts';

/** A request's id in the log, and in the `X-Request-Id` of its response. */
export function newRequestId(): string {
  return crypto.randomUUID();
}

/** The id of a request that a route handles. */
export function requestId<Env extends AppEnv>(c: Context<Env>): string {
  const known = c.get('requestId');
  if (known !== undefined) return known;
  const id = newRequestId();
  c.set('requestId', id);
  return id;
}

/**
 * Writes the log line of a request, never with its query, which contains a password, and gives the response its id.
 *
 * @param startedAt when the request came, in milliseconds since 1970-01-01 UTC
 */
export function logResponse(request: Request, response: Response, id: string, startedAt: number): void {
  response.headers.set('X-Request-Id', id);
  const { method } = request;
  // Encoded, even twice, or after a semicolon or an equals sign, text may still have been meant as a query.
  const [path] = getPath(request).split(/%(25)*(3f|26|3b|3d)|[?&;=]/i);
  log('info', 'request', {
    requestId: id,
    method,
    path,
    status: response.status,
    milliseconds: Date.now() - startedAt,
  });
}

/** One log line per request. */
export const logged = createMiddleware<AppEnv>(async (c, next) => {
  const startedAt = Date.now();
  await next();
  logResponse(c.req.raw, c.res, requestId(c), startedAt);
});
