import type { ExecutionContext } from 'hono';
import { environmentsOf, FIRST } from './accounts/environments.ts';
import type { Env } from './env.ts';
import { handleFeed, isFeedRequest } from './feed/route.ts';
import { lazy } from './lib/lazy.ts';
import { silently } from './lib/log.ts';
import { hasSecretInPath } from './request-log.ts';
import { inItsDatabase } from './routing.ts';
import { isOfLostTasks, recordLostTasks } from './tasks/lost-tasks.ts';
import { consumeTasks, sendTask } from './tasks/tasks.ts';

const routes = lazy(async () => (await import('./routes.ts')).routes);

function respond(
  request: Request,
  bindings: Env,
  context: ExecutionContext,
): Response | Promise<Response> {
  const handle = (env: Env) =>
    isFeedRequest(request)
      ? handleFeed(request, env, context)
      : routes().then((all) => all.fetch(request, env, context));
  const environments = environmentsOf(bindings);
  const first = environments.get(FIRST)!;
  return environments.size === 1 ? handle(first) : inItsDatabase(request, first, handle);
}

/**
 * The complete service. A feed has no router, middleware or promise around it: they would cost a measurable part of a 304.
 * Everything else is evaluated when it is first needed, so that an isolate that only serves feeds starts sooner.
 */
export const app = {
  fetch(request: Request, bindings: Env, context: ExecutionContext): Response | Promise<Response> {
    const serve = () => respond(request, bindings, context);
    return hasSecretInPath(request) ? silently(serve) : serve();
  },
  tasks(batch: MessageBatch, bindings: Env): Promise<void> {
    const first = environmentsOf(bindings).get(FIRST)!;
    if (isOfLostTasks(batch)) return recordLostTasks(batch, first);
    return consumeTasks(batch, first, {
      webhooks: async ({ accountId }, env) =>
        (await import('./changes/webhooks/deliver.ts')).deliverAll(env, [accountId]),
      webhook: async ({ id }, env) =>
        (await import('./changes/webhooks/deliver.ts')).deliver(env, id),
      import: async ({ accountId }, env, deliveries) =>
        (await import('./imports/runs/run.ts')).continueImports(env, accountId, deliveries),
      pictures: async ({ accountId }, env) =>
        (await import('./pictures/copy.ts')).copyPictures(env, accountId),
      checks: async ({ accountId }, env) =>
        (await import('./pictures/check.ts')).checkPictures(env, accountId),
      operation: async ({ id }, env) =>
        (await import('./operator/run.ts')).continueOperation(env, id),
      periodic: async (_, env) =>
        (await import('./schedule/periodic.ts')).runPeriodicTasks(env, Date.now()),
      backup: async (task, env) => (await import('./operator/backups/backup.ts')).backUp(env, task),
    });
  },
  /** Runs every five minutes: in each database, the next steps of the periodic tasks. */
  async scheduled(bindings: Env): Promise<void> {
    const environments = environmentsOf(bindings);
    if (environments.size === 1) {
      return (await import('./schedule/periodic.ts')).runPeriodicTasks(
        environments.get(FIRST)!,
        Date.now(),
      );
    }
    // Each database has its own invocation, with the limits of one.
    for (const env of environments.values()) await sendTask(env, { kind: 'periodic' });
  },
};
