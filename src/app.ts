import { type Context, Hono } from 'hono';
import { getPath } from 'hono/utils/url';
import { demoPictures } from './demo/pictures.ts';
import type { AppEnv } from './env.ts';
import { FEED_SCRIPT, feed } from './feed/route.ts';
import { sweepSnapshots } from './feed/snapshots.ts';
import { describeError, log } from './lib/log.ts';
import { logged, requestId } from './logged.ts';
import { oauth } from './oauth/route.ts';
import { problemResponse } from './problem.ts';
import { schemas } from './schemas/route.ts';
import { units } from './units/route.ts';

/** The routes beside the feed: each of their requests has a line in the log. */
const others = new Hono<AppEnv>();
others.use(logged);
others.route('/', schemas);
others.route('/', oauth);
others.route('/', units);
others.route('/', demoPictures);
others.notFound((c) =>
  problemResponse({ code: 'not_found', detail: `Nothing is served at ${c.req.method} ${c.req.path}.` }),
);
others.onError(failed);

/** The whole service. A feed has one handler and nothing around it: a 304 is so quick that a middleware shows. */
export const app = new Hono<AppEnv>({ getPath: routedPath });
app.route('/', feed);
app.notFound((c) => others.fetch(c.req.raw, c.env, c.executionCtx));
app.onError(failed);

function failed(error: Error, c: Context<AppEnv>): Response {
  log('error', 'unexpected', { requestId: requestId(c), error: describeError(error) });
  return problemResponse({ code: 'internal', detail: `Please quote request ${requestId(c)}.` });
}

/** What is done once a day. */
export const housekeep = sweepSnapshots;

/** The path that a request is routed by: the feed script is found in every directory and in any letter case. */
function routedPath(request: Request): string {
  const path = getPath(request);
  const script = path.slice(path.lastIndexOf('/'));
  return script.toLowerCase() === FEED_SCRIPT.toLowerCase() ? FEED_SCRIPT : path;
}
