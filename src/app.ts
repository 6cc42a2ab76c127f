import { Hono } from 'hono';
import type { AppEnv } from './env.ts';
import { describeError, log } from './lib/log.ts';
import { problem } from './lib/problem.ts';

/** The whole service: each face mounted, one log line a request, and the answers that no face gives. */
export const app = new Hono<AppEnv>();

app.use(async (c, next) => {
  const started = Date.now();
  const requestId = crypto.randomUUID();
  c.set('requestId', requestId);
  await next();
  c.header('X-Request-Id', requestId);
  log('info', 'request', {
    requestId,
    method: c.req.method,
    path: c.req.path,
    status: c.res.status,
    milliseconds: Date.now() - started,
  });
});

app.notFound((c) =>
  problem('not_found', 404, 'Nothing is served here', `Nothing is served at ${c.req.method} ${c.req.path}.`),
);

app.onError((error, c) => {
  log('error', 'unexpected', { requestId: c.get('requestId'), error: describeError(error) });
  return problem('internal', 500, 'Something failed on our side', `Please quote request ${c.get('requestId')}.`);
});
