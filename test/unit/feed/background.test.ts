import { expect, test, vi } from 'vitest';
import { backgroundTasks } from '../../../src/feed/build/background.ts';

const MEGABYTE = 1024 * 1024;

/** Background tasks of a request, with the failures they report and the promises given to `waitUntil`. */
function start() {
  const reported: unknown[] = [];
  const waitedFor: Promise<void>[] = [];
  const tasks = backgroundTasks(
    (task) => void waitedFor.push(task),
    (failure) => void reported.push(failure),
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

test('tasks: run when the response is complete, after half a second at the latest', async () => {
  vi.useFakeTimers();
  const [sent, unsent] = [start().tasks, start().tasks];
  const done: string[] = [];
  sent.add(async () => void done.push('sent'));
  unsent.add(async () => void done.push('unsent'));
  sent.responseSent();
  await vi.advanceTimersByTimeAsync(490);
  expect(done).toEqual(['sent']);
  await vi.advanceTimersByTimeAsync(20);
  expect(done).toEqual(['sent', 'unsent']);
  vi.useRealTimers();
});

test('tasks that hold more than half the memory: run before the response is complete', async () => {
  vi.useFakeTimers();
  const { tasks, waitedFor } = start();
  const done: string[] = [];
  tasks.add(async () => void done.push('first'), 4 * MEGABYTE);
  await vi.advanceTimersByTimeAsync(20);
  expect(done).toEqual([]);
  tasks.add(async () => void done.push('second'), 4 * MEGABYTE);
  await vi.advanceTimersByTimeAsync(20);
  expect(done).toEqual(['first', 'second']);
  vi.useRealTimers();
  await Promise.all(waitedFor);
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

test('tasks of two requests that would hold 16 MB together: the second is skipped, and runs once the first is done', async () => {
  const { tasks, waitedFor } = start();
  const other = start();
  const done: string[] = [];
  const { promise: first, resolve: finish } = Promise.withResolvers<void>();
  tasks.add(() => first, 8 * MEGABYTE);
  other.tasks.add(async () => void done.push('second'), 8 * MEGABYTE);
  finish();
  await Promise.all(waitedFor);
  tasks.add(async () => void done.push('third'), 8 * MEGABYTE);
  await Promise.all(waitedFor);
  expect(done).toEqual(['third']);
});

test('a task that never ends: its memory counts for a minute', async () => {
  const { tasks, waitedFor } = start();
  const done: string[] = [];
  const clock = vi.spyOn(Date, 'now').mockReturnValue(1_000_000);
  tasks.add(() => new Promise(() => {}), 8 * MEGABYTE);
  clock.mockReturnValue(1_059_999);
  tasks.add(async () => void done.push('within the minute'), 8 * MEGABYTE);
  clock.mockReturnValue(1_060_000);
  tasks.add(async () => void done.push('after it'), 8 * MEGABYTE);
  clock.mockRestore();
  await waitedFor[1];
  expect([done, waitedFor.length]).toEqual([['after it'], 2]);
});
