import type { ExecutionContext } from 'hono';
import { Hono } from 'hono';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { APIS } from './apis.ts';
import { pages } from './console/route.tsx';
import { environmentsOf, FIRST } from './databases/environments.ts';
import { sweepDeliveries } from './db/deliveries.ts';
import { sweepSessions } from './db/sessions.ts';
import { sweepEvents } from './db/webhook-calls.ts';
import { PICTURES_PATH, servePicture } from './demo/pictures.ts';
import type { AppEnv, Env } from './env.ts';
import { errorResponse, methodResponse } from './failures.ts';
import { sweepSnapshots } from './feed/invalidation/evict.ts';
import { handleFeed, isFeedRequest } from './feed/route.ts';
import { runSchedule, sweepOldImports } from './imports/manage.ts';
import { continueImports } from './imports/run.ts';
import { describeError } from './lib/log.ts';
import type { EpochMilliseconds } from './lib/time.ts';
import { problemResponse } from './problem.ts';
import { logLateReaders } from './readers/late-log.ts';
import { logged } from './request-log.ts';
import { inItsDatabase } from './routing.ts';
import { docs } from './service/docs.ts';
import { consumeTasks } from './tasks/tasks.ts';
import { sweepHistory } from './units/history.ts';
import { deliver, deliverAll } from './webhooks/deliver.ts';

/** How often the schedule in `wrangler.toml` runs. */
const SCHEDULE_MINUTES = 5;

/** The hour of the day, in UTC, in which the daily tasks run. */
const DAILY_HOUR = 3;

/** Every interface except the feed; each request has a log line. */
const routes = new Hono<AppEnv>();
routes.use(logged);
routes.use(methodNotAllowed({ app: routes, onMethodNotAllowed: methodResponse }));
routes.route('/', pages);
routes.route('/', docs);
for (const api of APIS) routes.route('/', api);
// wrangler replaces this by a constant, so a deployed script does not contain the pictures.
// biome-ignore lint/style/noRestrictedGlobals: esbuild replaces it.
if (process.env.NODE_ENV === 'development') routes.get(PICTURES_PATH, servePicture);
// The path is not repeated: it may contain a password, if the feed's URL was mistyped.
routes.notFound(() => problemResponse({ code: 'not_found', detail: 'Nothing is served at this path.' }));
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
  /** Executes a batch of the queue. */
  tasks: (batch: MessageBatch, bindings: Env): Promise<void> =>
    consumeTasks(batch, environmentsOf(bindings).get(FIRST)!, {
      webhooks: ({ accountId }, env) => deliverAll(env, accountId),
      webhook: ({ id }, env) => deliver(env, id),
      import: ({ accountId }, env) => continueImports(env, accountId),
    }),
  /**
   * Runs every five minutes, and does then what is due: some of it once an hour, and some once a day.
   *
   * @param scheduledTime when it was to run
   */
  async scheduled(bindings: Env, scheduledTime: EpochMilliseconds): Promise<void> {
    const env = environmentsOf(bindings).get(FIRST)!;
    const time = new Date(scheduledTime);
    const isHourly = time.getUTCMinutes() < SCHEDULE_MINUTES;
    const hourly = isHourly ? [logLateReaders(env, Math.floor(Date.now() / 1_000))] : [];
    const isDaily = isHourly && time.getUTCHours() === DAILY_HOUR;
    const daily = isDaily
      ? [
          sweepSnapshots(env),
          sweepHistory(env),
          sweepDeliveries(env.DB),
          sweepSessions(env.DB),
          sweepEvents(env.DB),
          sweepOldImports(env),
        ]
      : [];
    const tasks = await Promise.allSettled<unknown>([
      deliverAll(env, null),
      runSchedule(env, Date.now()),
      ...hourly,
      ...daily,
    ]);
    const failures = tasks.flatMap((task) => (task.status === 'rejected' ? describeError(task.reason) : []));
    if (failures.length > 0) throw new Error(failures.join('; '));
  },
};
