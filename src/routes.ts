import { Hono } from 'hono';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { requestId } from 'hono/request-id';
import { APIS } from './apis.ts';
import { pages, unknownPath } from './console/route.tsx';
import { PICTURES_PATH, servePicture } from './demo/pictures.ts';
import type { AppEnv } from './env.ts';
import { errorResponse, methodResponse } from './failures.ts';
import { nowInSeconds } from './lib/time/time.ts';
import { hasOperatorKey } from './oauth/operator-key.ts';
import { requireOperator } from './operator/access.ts';
import { openDemo } from './operator/demo/agency.ts';
import { logged } from './request-log.ts';

/** Every interface except the feed; each request has a log line. */
export const routes = new Hono<AppEnv>();
// Never the id that a client sends: it would be in the log.
routes.use(requestId({ headerName: '' }), logged);
// A service without the operator's key has no routes for operators, whatever the method.
routes.use('/v1/operator/*', (c, next) => (hasOperatorKey(c.env) ? next() : unknownPath(c)));
routes.use(methodNotAllowed({ app: routes, onMethodNotAllowed: methodResponse }));
routes.route('/', pages);
for (const api of APIS) routes.route('/', api);
// wrangler replaces this with a constant, so a deployed script does not contain the pictures.
// biome-ignore lint/style/noRestrictedGlobals: esbuild replaces it.
if (process.env.NODE_ENV === 'development') {
  routes.get(PICTURES_PATH, servePicture);
  routes.post('/v1/operator/demo', requireOperator, async (c) => {
    return c.json({ created: await openDemo(c.env.DB, nowInSeconds()) });
  });
  routes.post('/v1/operator/demo/events', requireOperator, async (c) => {
    const { writeEvents } = await import('./operator/demo/life.ts');
    return c.json({ written: await writeEvents(c.env) });
  });
}
routes.notFound(unknownPath);
routes.onError(errorResponse);
