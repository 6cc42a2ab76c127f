import type { ExecutionContext } from 'hono';
import { Hono } from 'hono';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { changes } from './changes/route.ts';
import { pages } from './console/route.tsx';
import { environmentsOf, FIRST } from './databases/environments.ts';
import { sweepDeliveries } from './db/deliveries.ts';
import { sweepSessions } from './db/sessions.ts';
import { sweepEvents } from './db/webhook-calls.ts';
import { PICTURES_PATH, servePicture } from './demo/pictures.ts';
import { docs } from './docs/route.ts';
import type { AppEnv, Env } from './env.ts';
import { sweepSnapshots } from './feed/invalidation/evict.ts';
import { handleFeed, isFeedRequest } from './feed/route.ts';
import { health } from './health/route.ts';
import { home } from './home/route.ts';
import { describeError, log, logUnexpected } from './lib/log.ts';
import type { EpochMilliseconds } from './lib/time.ts';
import { DependencyUnavailable, RETRY_AFTER_SECONDS } from './lib/unavailable.ts';
import { internalTokenError, oauth } from './oauth/route.ts';
import { allowed, methodNotAllowed as notAllowedResponse, ProblemError, problemResponse } from './problem.ts';
import { readerChanges } from './readers/changing.ts';
import { channels } from './readers/channels.ts';
import { propertyReaders } from './readers/deliveries.ts';
import { readerKeys } from './readers/keys.ts';
import { logLateReaders } from './readers/late-log.ts';
import { readers } from './readers/route.ts';
import { report } from './report/route.ts';
import { interfaceOf, logged, requestId } from './request-log.ts';
import { inItsDatabase } from './routing.ts';
import { schemas } from './schemas/route.ts';
import { consumeTasks } from './tasks/tasks.ts';
import { sweepHistory } from './units/history.ts';
import { unitReads } from './units/reading.ts';
import { unitWrites } from './units/updating.ts';
import { deliver, deliverAll } from './webhooks/deliver.ts';
import { webhooks } from './webhooks/route.ts';

/** How often the schedule in `wrangler.toml` runs. */
const SCHEDULE_MINUTES = 5;

/** The hour of the day, in UTC, in which the daily tasks run. */
const DAILY_HOUR = 3;

/** Every interface except the feed; each request has a log line. */
const routes = new Hono<AppEnv>();
routes.use(logged);
routes.use(methodNotAllowed({ app: routes, onMethodNotAllowed: (_, methods) => notAllowedResponse(allowed(methods)) }));
routes.route('/', pages);
routes.route('/', home);
routes.route('/', health);
routes.route('/', docs);
routes.route('/', schemas);
routes.route('/', oauth);
routes.route('/', changes);
routes.route('/', unitWrites);
routes.route('/', unitReads);
routes.route('/', report);
routes.route('/', readers);
routes.route('/', readerKeys);
routes.route('/', readerChanges);
routes.route('/', propertyReaders);
routes.route('/', channels);
routes.route('/', webhooks);
// wrangler replaces this by a constant, so a deployed script does not contain the pictures.
// biome-ignore lint/style/noRestrictedGlobals: esbuild replaces it.
if (process.env.NODE_ENV === 'development') routes.get(PICTURES_PATH, servePicture);
// The path is not repeated: it may contain a password, if the feed's URL was mistyped.
routes.notFound(() => problemResponse({ code: 'not_found', detail: 'Nothing is served at this path.' }));
routes.onError((error, c) => {
  if (error instanceof ProblemError) return problemResponse(error.problem, error.headers);
  const id = requestId(c);
  if (error instanceof DependencyUnavailable) {
    const requested = interfaceOf(c.req.path);
    log('error', 'dependency.unavailable', { requestId: id, interface: requested, error: error.message });
    const detail = requested === 'units' ? 'Retry later; updates are idempotent.' : 'Retry later.';
    return problemResponse({ code: 'unavailable', detail }, { 'Retry-After': String(RETRY_AFTER_SECONDS) });
  }
  logUnexpected(error, id);
  if (interfaceOf(c.req.path) === 'oauth') return internalTokenError(id);
  return problemResponse({ code: 'internal', detail: `Please quote request ${id}.` }, { 'X-Request-Id': id });
});

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
      ? [sweepSnapshots(env), sweepHistory(env), sweepDeliveries(env.DB), sweepSessions(env.DB), sweepEvents(env.DB)]
      : [];
    const tasks = await Promise.allSettled<unknown>([deliverAll(env, null), ...hourly, ...daily]);
    const failures = tasks.flatMap((task) => (task.status === 'rejected' ? describeError(task.reason) : []));
    if (failures.length > 0) throw new Error(failures.join('; '));
  },
};
