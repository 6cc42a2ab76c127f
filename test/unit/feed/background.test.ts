import { expect, test, vi } from 'vitest';
import { BackgroundTasks } from '../../../src/feed/background.ts';

const MEGABYTE = 1024 * 1024;

/** A backlog, with what it reports and what it has outlive the answer. */
function backlogOf(): { backlog: BackgroundTasks; reported: unknown[]; outliving: Promise<void>[] } {
  const reported: unknown[] = [];
  const outliving: Promise<void>[] = [];
  const backlog = new BackgroundTasks(
    (task) => outliving.push(task),
    (failure) => reported.push(failure),
  );
  return { backlog, reported, outliving };
}

test('a task → is begun after what the answer does next, and outlives it', async () => {
  const { backlog, outliving } = backlogOf();
  const done: string[] = [];
  backlog.add(async () => void done.push('task'));
  await Promise.resolve();
  done.push('answer');
  await Promise.all(outliving);
  expect(done).toEqual(['answer', 'task']);
});

test('a task that fails → is reported, and the next is done', async () => {
  const { backlog, reported, outliving } = backlogOf();
  const failure = new Error('KV is full');
  let done = false;
  backlog.add(() => Promise.reject(failure));
  backlog.add(async () => {
    done = true;
  });
  await Promise.all(outliving);
  expect(reported).toEqual([failure]);
  expect(done).toBe(true);
});

test('tasks of two requests that would hold 26 MB together: the second is skipped, and runs once the first is done', async () => {
  const { backlog, outliving } = backlogOf();
  const other = backlogOf();
  const done: string[] = [];
  let letGo = () => {};
  const first = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  backlog.add(() => first, 13 * MEGABYTE);
  other.backlog.add(async () => void done.push('second'), 13 * MEGABYTE);
  letGo();
  await Promise.all(outliving);
  backlog.add(async () => void done.push('third'), 13 * MEGABYTE);
  await Promise.all(outliving);
  expect(done).toEqual(['third']);
});

test('a task that never ends counts for a minute', async () => {
  const { backlog, outliving } = backlogOf();
  const done: string[] = [];
  const clock = vi.spyOn(Date, 'now').mockReturnValue(1_000_000);
  backlog.add(() => new Promise(() => {}), 13 * MEGABYTE);
  clock.mockReturnValue(1_059_999);
  backlog.add(async () => void done.push('within the minute'), 13 * MEGABYTE);
  clock.mockReturnValue(1_060_000);
  backlog.add(async () => void done.push('after it'), 13 * MEGABYTE);
  clock.mockRestore();
  await outliving[1];
  expect([done, outliving.length]).toEqual([['after it'], 2]);
});
