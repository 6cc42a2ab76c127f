import type { Env } from '../env.ts';
import { log } from '../lib/log.ts';
import type { Task } from './tasks.ts';

/** How the keys of lost tasks begin; the bucket deletes them after some days. */
export const LOST_TASKS = 'lost-tasks/';
export const LOST_TASK_DAYS = 7;

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
    await FILES.put(`${LOST_TASKS}${id}.json`, JSON.stringify(body));
  }
}

/** How many tasks of each kind were lost lately, such as `3 backup`. */
export async function listLostTasks({ FILES }: Env): Promise<string[]> {
  const { objects } = await FILES.list({ prefix: LOST_TASKS });
  const kinds = objects.map(async ({ key }) => (await (await FILES.get(key))?.json<Task>())?.kind);
  const counts = Object.groupBy(await Promise.all(kinds), (kind) => kind ?? 'unknown');
  return Object.entries(counts).map(([kind, all]) => `${all.length} ${kind}`);
}
