import type { Env } from '../env.ts';
import { log } from '../lib/log.ts';
import { DAY_SECONDS } from '../lib/time/time.ts';
import type { Task } from './tasks.ts';

const PREFIX = 'lost-tasks/';

/** Days for which lost tasks are reported. */
const REPORTED_DAYS = 7;

/**
 * Whether a batch comes from the queue of messages that the platform has given up: `wrangler.toml`
 * names it.
 */
export function isOfLostTasks({ queue }: MessageBatch): boolean {
  return queue.endsWith('-dead-tasks');
}

/** Logs the tasks of a batch, and keeps them for {@link listLostTasks}. */
export async function recordLostTasks({ messages }: MessageBatch, { FILES }: Env): Promise<void> {
  for (const { id, body } of messages) {
    log('error', 'task.lost', { task: body });
    await FILES.put(`${PREFIX}${id}.json`, JSON.stringify(body));
  }
}

/**
 * How many tasks of each kind were lost lately, such as `3 backup`. Deletes what is no longer
 * reported.
 */
export async function listLostTasks({ FILES }: Env): Promise<string[]> {
  const { objects } = await FILES.list({ prefix: PREFIX });
  const since = Date.now() - REPORTED_DAYS * DAY_SECONDS * 1_000;
  const [recent, old] = [true, false].map((isRecent) =>
    objects.filter(({ uploaded }) => uploaded.getTime() >= since === isRecent),
  );
  if (old!.length > 0) await FILES.delete(old!.map(({ key }) => key));
  const kinds = recent!.map(async ({ key }) => (await (await FILES.get(key))?.json<Task>())?.kind);
  const counts = Object.groupBy(await Promise.all(kinds), (kind) => kind ?? 'unknown');
  return Object.entries(counts).map(([kind, all]) => `${all.length} ${kind}`);
}
