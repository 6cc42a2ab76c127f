import type { ExecutionContext } from 'hono';
import { Hono } from 'hono';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { requestId } from 'hono/request-id';
import { APIS } from './api/apis.ts';
import { continueImports } from './api/imports/run.ts';
import { deliver, deliverAll } from './api/webhooks/deliver.ts';
import { pages, unknownPath } from './console/route.tsx';
import { backUp } from './databases/backups/backup.ts';
import { environmentsOf, FIRST } from './databases/environments.ts';
import { PICTURES_PATH, servePicture } from './demo/pictures.ts';
import type { AppEnv, Env } from './env.ts';
import { errorResponse, methodResponse } from './failures.ts';
import { handleFeed, isFeedRequest } from './feed/route.ts';
import { runPeriodicTasks } from './periodic.ts';
import { logged } from './request-log.ts';
import { inItsDatabase } from './routing.ts';
import { consumeTasks, sendTask } from './tasks/tasks.ts';

/** Every interface except the feed; each request has a log line. */
const routes = new Hono<AppEnv>();
// Never the id that a client sends: it would be in the log.
routes.use(requestId({ headerName: '' }), logged);
routes.use(methodNotAllowed({ app: routes, onMethodNotAllowed: methodResponse }));
routes.route('/', pages);
for (const api of APIS) routes.route('/', api);
// wrangler replaces this with a constant, so a deployed script does not contain the pictures.
// biome-ignore lint/style/noRestrictedGlobals: esbuild replaces it.
if (process.env.NODE_ENV === 'development') routes.get(PICTURES_PATH, servePicture);
routes.notFound(unknownPath);
routes.onError(errorResponse);

/** The complete service. A feed has no router or middleware around it: they would cost a measurable part of a 304. */
export const app = {
  fetch(request: Request, bindings: Env, context: ExecutionContext): Response | Promise<Response> {
    const handle = (env: Env) =>
      isFeedRequest(request) ? handleFeed(request, env, context) : routes.fetch(request, env, context);
    const environments = environmentsOf(bindings);
    const first = environments.get(FIRST)!;
    return environments.size === 1 ? handle(first) : inItsDatabase(request, first, handle);
  },
  tasks: (batch: MessageBatch, bindings: Env): Promise<void> =>
    consumeTasks(batch, environmentsOf(bindings).get(FIRST)!, {
      webhooks: ({ accountId }, env) => deliverAll(env, [accountId]),
      webhook: ({ id }, env) => deliver(env, id),
      import: ({ accountId }, env) => continueImports(env, accountId),
      periodic: (_, env) => runPeriodicTasks(env, Date.now()),
      backup: (task, env) => backUp(env, task),
    }),
  /** Runs every five minutes: in each database, the next steps of the periodic tasks. */
  async scheduled(bindings: Env): Promise<void> {
    const environments = environmentsOf(bindings);
    if (environments.size === 1) return runPeriodicTasks(environments.get(FIRST)!, Date.now());
    // Each database has its own invocation, with the limits of one.
    for (const env of environments.values()) await sendTask(env, { kind: 'periodic' });
  },
};
