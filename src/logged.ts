import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { AppEnv } from './env.ts';
import { log } from './lib/log.ts';

/** The name of a request in the log, and in the `X-Request-Id` of an answer that has a line there. */
export function requestId<Env extends AppEnv>(c: Context<Env>): string {
  const known = c.get('requestId');
  if (known !== undefined) return known;
  isolate ??= crypto.randomUUID();
  const id = `${isolate}-${++requests}`;
  c.set('requestId', id);
  return id;
}

/** Made at the first request, since the platform gives no random bytes before. */
let isolate: string | undefined;
let requests = 0;

/**
 * Writes the line of a request into the log: never its query, which holds a password.
 *
 * @param started when the request came, in milliseconds since 1970-01-01 UTC
 */
export function logAnswer(c: Context<AppEnv>, answer: Response, started: number): void {
  const id = requestId(c);
  answer.headers.set('X-Request-Id', id);
  const { method } = c.req;
  // What was encoded, even twice, or stands behind a semicolon or an equals sign begins no query, but may have been meant to.
  const [path] = c.req.path.split(/%(25)*(3f|26|3b|3d)|[?&;=]/i);
  log('info', 'request', { requestId: id, method, path, status: answer.status, milliseconds: Date.now() - started });
}

/** One log line a request. */
export const logged = createMiddleware<AppEnv>(async (c, next) => {
  const started = Date.now();
  await next();
  logAnswer(c, c.res, started);
});
