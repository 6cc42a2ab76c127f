import { environmentsOf } from '../accounts/environments.ts';
import type { Env } from '../env.ts';
import { describeError, log } from '../lib/log.ts';
import { withTimeout } from '../lib/time/timeout.ts';

type Work =
  /** An account may have news for its webhooks. */
  | { readonly kind: 'webhooks'; readonly accountId: number }
  /** A webhook may have something to receive. */
  | { readonly kind: 'webhook'; readonly id: number }
  /** An account may have imports to continue. */
  | { readonly kind: 'import'; readonly accountId: number }
  /** An account may have pictures to copy. */
  | { readonly kind: 'pictures'; readonly accountId: number }
  /** An account may have pictures elsewhere that are to be checked. */
  | { readonly kind: 'checks'; readonly accountId: number }
  /** What the operator has started is to be continued. */
  | { readonly kind: 'operation'; readonly id: number }
  /** The periodic tasks of a database are due. */
  | { readonly kind: 'periodic' }
  /** A piece of an account's backup of a day (`YYYY-MM-DD`) is to be written. */
  | {
      readonly kind: 'backup';
      readonly accountId: number;
      readonly day: string;
      readonly piece: number;
    };

/**
 * Work that runs after a response, in the consumer of a queue. A message can arrive twice, late or never: handlers read from
 * the database what there is to do, and a schedule finds what a lost message left undone.
 *
 * `database` is the binding of the database that has what the task is about, unless it is the first one.
 */
export type Task = Work & { readonly database?: string };

/**
 * What executes the tasks of each kind; a task whose handler throws is delivered again. It is given
 * how often the task has been delivered: an invocation that takes too much CPU just ends.
 */
type Handlers = {
  readonly [Kind in Task['kind']]: (
    task: Extract<Task, { kind: Kind }>,
    env: Env,
    deliveries: number,
  ) => Promise<void>;
};

/** Tasks of these kinds have a queue of their own, where each is a batch: an invocation has the time and memory for one. */
const LONG: readonly Task['kind'][] = [
  'import',
  'pictures',
  'checks',
  'operation',
  'periodic',
  'backup',
];

/**
 * Seconds before a failed task is delivered again: doubled with each attempt, up to an hour. The
 * fifteen retries of a long task (`wrangler.toml`) take seven hours.
 */
const RETRY_DELAY_S = 5;
const MAX_RETRY_DELAY_S = 3_600;

/** Milliseconds after which a queue counts as failing. */
const SEND_TIMEOUT_MS = 10_000;

/**
 * Sends a task, about the database of this environment, to its queue, twice if need be: a queue fails now and then, and
 * responds at once when asked again. A queue that fails again is logged: the schedule finds the work later.
 *
 * @param delaySeconds seconds before it is delivered; at most 12 hours
 * @returns whether it was sent
 */
export async function sendTask(env: Env, task: Task, delaySeconds = 0): Promise<boolean> {
  const own = env.DATABASE === undefined ? {} : { database: env.DATABASE };
  const queue = env[LONG.includes(task.kind) ? 'LONG_TASKS' : 'TASKS'];
  const send = () =>
    withTimeout('The queue', queue.send({ ...task, ...own }, { delaySeconds }), SEND_TIMEOUT_MS);
  try {
    await send().catch(send);
    return true;
  } catch (error) {
    log('error', 'task.not_sent', { kind: task.kind, error: describeError(error) });
    return false;
  }
}

/** Executes the tasks of a batch at the same time, equal ones once, each in the environment of its database. */
export async function consumeTasks(
  batch: MessageBatch,
  env: Env,
  handlers: Handlers,
): Promise<void> {
  const equal = Map.groupBy(batch.messages, ({ body }) => JSON.stringify(body));
  await Promise.all(
    [...equal.values()].map(async (messages) => {
      const task = messages[0]!.body as Task;
      try {
        const own = task.database === undefined ? env : environmentsOf(env).get(task.database);
        if (own === undefined) throw new Error(`The database ${task.database} is not bound`);
        const handler = handlers[task.kind] as (...given: [Task, Env, number]) => Promise<void>;
        await handler(task, own, Math.max(...messages.map(({ attempts }) => attempts)));
        for (const message of messages) message.ack();
      } catch (error) {
        log('error', 'task.failed', { kind: task.kind, error: describeError(error) });
        for (const message of messages) {
          const delay = RETRY_DELAY_S * 2 ** message.attempts;
          message.retry({ delaySeconds: Math.min(delay, MAX_RETRY_DELAY_S) });
        }
      }
    }),
  );
}
