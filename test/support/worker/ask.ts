import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { gunzipSync } from 'node:zlib';
import { app } from '../../../src/app.ts';
import type { Env } from '../../../src/env.ts';
import type { Task } from '../../../src/tasks/tasks.ts';
import { here } from '../platform/here.ts';
import { Invocation } from '../platform/invocation.ts';
import type { Usage } from '../platform/usage.ts';

/** A response that has been read completely, after the request's background tasks have ended. */
export interface CompleteResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Decompressed. */
  readonly text: string;
  /** What the request and its background tasks have used. */
  readonly usage: Usage;
}

/**
 * Sends a request to the Worker in this isolate, within the limits of the deployed platform, and waits for its background
 * tasks.
 *
 * @param bindings the test's own bindings
 * @param invocation the request as the simulated platform sees it
 * @throws if the response's body is truncated
 */
export async function ask(
  url: string,
  init: RequestInit = {},
  bindings: Env = env,
  invocation = new Invocation(here),
): Promise<CompleteResponse> {
  const context = createExecutionContext();
  const request = new Request(new URL(url, 'https://feeds.example'), init);
  const response = await invocation.run(() =>
    app.fetch(request, invocation.bindings(bindings), context),
  );
  try {
    const { status, headers } = response;
    const bytes = new Uint8Array(await response.arrayBuffer());
    return {
      status,
      headers,
      bytes,
      get text() {
        return new TextDecoder().decode(
          headers.get('Content-Encoding') === 'gzip' ? gunzipSync(bytes) : bytes,
        );
      },
      usage: invocation.usage,
    };
  } finally {
    invocation.background.begin();
    await waitOnExecutionContext(context);
  }
}

/**
 * Runs the scheduled tasks in this isolate until each has reached all accounts, every step within the limits of the deployed
 * platform: the daily ones, too, or not.
 *
 * @throws the first failure, at the end
 */
export async function runSchedule(
  bindings: Env = env,
  tasks: 'daily' | 'hourly' = 'daily',
): Promise<void> {
  await env.DB.exec('DELETE FROM walks');
  const end = Number.MAX_SAFE_INTEGER;
  const skip = env.DB.prepare(`INSERT INTO walks VALUES ('housekeeping', ${end}, ${end})`);
  if (tasks === 'hourly') await skip.run();
  const incomplete = env.DB.prepare(
    `SELECT count(*) AS n FROM walks WHERE after_id < ${end} AND task <> 'webhooks'`,
  );
  const failures: unknown[] = [];
  let steps = 0;
  do {
    const invocation = new Invocation(here);
    const given = {
      ...invocation.bindings(bindings),
      ...(bindings.LONG_TASKS === env.LONG_TASKS && { LONG_TASKS: NO_BACKUPS }),
    };
    await invocation.run(() => app.scheduled(given)).catch((error) => failures.push(error));
  } while (++steps < 1_000 && (await incomplete.first<number>('n'))! > 0);
  if (failures.length > 0) throw failures[0];
}

/** The queue of long tasks, without backups: they would be written while later tests run. */
const NO_BACKUPS = {
  ...env.LONG_TASKS,
  send: async (task: Task, options?: QueueSendOptions) =>
    task.kind === 'backup' ? undefined : env.LONG_TASKS.send(task, options),
} as unknown as Queue;

/** One use of a binding: a D1 statement, or a KV operation with its key. */
export interface Use {
  readonly of: 'D1' | 'KV get' | 'KV put' | 'KV delete';
  /** The SQL, or the key; `batch` for several statements. */
  readonly what: string;
  /** The statements of a batch. */
  readonly statements?: readonly string[];
}

/**
 * The test's bindings with a hook before and after each use of D1 and KV. Either hook may delay the use, or fail it by
 * throwing.
 */
export function watched(
  before: (use: Use) => unknown,
  after: (use: Use) => unknown = () => {},
): typeof env {
  const watch =
    (use: Use, call: (...values: never[]) => unknown) =>
    async (...values: never[]) => {
      await before(use);
      const result = await call(...values);
      await after(use);
      return result;
    };
  const texts = new WeakMap<D1PreparedStatement, string>();
  const statement = (real: D1PreparedStatement, sql: string): D1PreparedStatement => {
    const proxy = new Proxy(real, {
      get(target, property) {
        const value = Reflect.get(target, property);
        if (typeof value !== 'function') return value;
        if (property === 'bind')
          return (...values: unknown[]) => statement(target.bind(...values), sql);
        return watch({ of: 'D1', what: sql }, value.bind(target));
      },
    });
    texts.set(proxy, sql);
    return proxy;
  };
  const DB = new Proxy(env.DB, {
    get(target, property) {
      const value = Reflect.get(target, property);
      if (property === 'prepare') return (sql: string) => statement(target.prepare(sql), sql);
      if (property === 'batch')
        return (batch: readonly D1PreparedStatement[]) => {
          const statements = batch.map((one) => texts.get(one) ?? '');
          return watch({ of: 'D1', what: 'batch', statements }, value.bind(target))(batch as never);
        };
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const SNAPSHOTS = new Proxy(env.SNAPSHOTS, {
    get(target, property) {
      const value = Reflect.get(target, property);
      if (
        property !== 'get' &&
        property !== 'getWithMetadata' &&
        property !== 'put' &&
        property !== 'delete'
      )
        return value;
      const of = `KV ${property === 'getWithMetadata' ? 'get' : property}` as const;
      return (key: string, ...values: never[]) =>
        watch({ of, what: key }, value.bind(target) as never)(...([key, ...values] as never[]));
    },
  });
  return { ...env, DB, SNAPSHOTS };
}

/** The test's bindings; some of their uses fail. */
export function failingWhen(isFailing: (use: Use) => boolean, message: string): typeof env {
  return watched((use) => {
    if (isFailing(use)) throw new Error(message);
  });
}
