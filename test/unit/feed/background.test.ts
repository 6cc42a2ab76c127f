import { expect, test, vi } from 'vitest';
import { BackgroundTasks } from '../../../src/feed/background.ts';

const MEGABYTE = 1024 * 1024;

/** Background tasks of a request, with the failures they report and the promises given to `waitUntil`. */
function start(): { tasks: BackgroundTasks; reported: unknown[]; waitedFor: Promise<void>[] } {
  const reported: unknown[] = [];
  const waitedFor: Promise<void>[] = [];
  const tasks = new BackgroundTasks(
    (task) => waitedFor.push(task),
    (failure) => reported.push(failure),
  );
  return { tasks, reported, waitedFor };
}

test('a task: starts after the synchronous work of the response, and extends the request', async () => {
  const { tasks, waitedFor } = start();
  const done: string[] = [];
  tasks.add(async () => void done.push('task'));
  await Promise.resolve();
  done.push('response');
  await Promise.all(waitedFor);
  expect(done).toEqual(['response', 'task']);
});

test('a task that fails: is reported, and the next one runs', async () => {
  const { tasks, reported, waitedFor } = start();
  const failure = new Error('KV is full');
  let done = false;
  tasks.add(() => Promise.reject(failure));
  tasks.add(async () => {
    done = true;
  });
  await Promise.all(waitedFor);
  expect(reported).toEqual([failure]);
  expect(done).toBe(true);
});

test('tasks of two requests that would hold 26 MB together: the second is skipped, and runs once the first is done', async () => {
  const { tasks, waitedFor } = start();
  const other = start();
  const done: string[] = [];
  let finish = () => {};
  const first = new Promise<void>((resolve) => {
    finish = resolve;
  });
  tasks.add(() => first, 13 * MEGABYTE);
  other.tasks.add(async () => void done.push('second'), 13 * MEGABYTE);
  finish();
  await Promise.all(waitedFor);
  tasks.add(async () => void done.push('third'), 13 * MEGABYTE);
  await Promise.all(waitedFor);
  expect(done).toEqual(['third']);
});

test('a task that never ends: its memory counts for a minute', async () => {
  const { tasks, waitedFor } = start();
  const done: string[] = [];
  const clock = vi.spyOn(Date, 'now').mockReturnValue(1_000_000);
  tasks.add(() => new Promise(() => {}), 13 * MEGABYTE);
  clock.mockReturnValue(1_059_999);
  tasks.add(async () => void done.push('within the minute'), 13 * MEGABYTE);
  clock.mockReturnValue(1_060_000);
  tasks.add(async () => void done.push('after it'), 13 * MEGABYTE);
  clock.mockRestore();
  await waitedFor[1];
  expect([done, waitedFor.length]).toEqual([['after it'], 2]);
});
