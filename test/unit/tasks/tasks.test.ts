import { readFileSync } from 'node:fs';
import { parse } from 'smol-toml';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Env } from '../../../src/env.ts';
import { consumeTasks, sendTask, type Task } from '../../../src/tasks/tasks.ts';

const env = {} as Env;

const NONE = {
  webhooks: async () => {},
  webhook: async () => {},
  import: async () => {},
  pictures: async () => {},
  checks: async () => {},
  periodic: async () => {},
  operation: async () => {},
  backup: async () => {},
};

/** A batch of messages, and what has been decided about each. */
function batchOf(...bodies: unknown[]) {
  const decisions: unknown[] = bodies.map(() => undefined);
  const messages = bodies.map((body, index) => ({
    body,
    attempts: 1,
    ack: () => {
      decisions[index] = 'acknowledged';
    },
    retry: (options: unknown) => {
      decisions[index] = options;
    },
  }));
  return { batch: { messages } as unknown as MessageBatch, decisions };
}

const task = (accountId: number): Task => ({ kind: 'webhooks', accountId });

describe('a batch', () => {
  afterEach(() => vi.restoreAllMocks());

  test('equal messages: executed once, and all acknowledged', async () => {
    const executed: Task[] = [];
    const { batch, decisions } = batchOf(task(1), task(2), task(1));
    await consumeTasks(batch, env, {
      ...NONE,
      webhooks: async (given) => void executed.push(given),
    });
    expect(executed).toEqual([task(1), task(2)]);
    expect(decisions).toEqual(Array(3).fill('acknowledged'));
  });

  test('a task that fails, or of an unknown kind: delivered again later and logged; the others are acknowledged', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { batch, decisions } = batchOf(task(1), { kind: 'unknown' }, task(2));
    await consumeTasks(batch, env, {
      ...NONE,
      webhooks: async ({ accountId }) => {
        if (accountId === 1) throw new Error('no database');
      },
    });
    expect(decisions).toEqual([{ delaySeconds: 10 }, { delaySeconds: 10 }, 'acknowledged']);
    const lines = logged.mock.calls.map(([line]) => JSON.parse(line));
    expect(lines).toEqual(
      expect.arrayContaining([
        { event: 'task.failed', kind: 'webhooks', error: 'Error: no database' },
        { event: 'task.failed', kind: 'unknown', error: expect.stringContaining('not a function') },
      ]),
    );
  });
});

test('a task that fails again and again: delivered again after twice the time, at most an hour', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const delays: unknown[] = [];
  for (let attempts = 1; attempts <= 15; attempts++) {
    const retry = ({ delaySeconds }: { delaySeconds: number }) => void delays.push(delaySeconds);
    const batch = { messages: [{ body: { kind: 'unknown' }, attempts, retry }] };
    await consumeTasks(batch as unknown as MessageBatch, env, NONE);
  }
  expect(delays.slice(0, 10)).toEqual([10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600]);
  expect(delays.slice(10)).toEqual(Array(5).fill(3600));
  vi.restoreAllMocks();
});

test('a queue that fails: asked again; if it fails again, logged, and the sender continues', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  const send = vi
    .fn()
    .mockRejectedValueOnce(new Error('overloaded'))
    .mockResolvedValueOnce(undefined);
  const TASKS = { send } as unknown as Queue;
  expect(await sendTask({ ...env, TASKS, LONG_TASKS: TASKS }, task(1))).toBe(true);
  send.mockRejectedValue(new Error('overloaded'));
  expect(await sendTask({ ...env, TASKS, LONG_TASKS: TASKS }, task(1))).toBe(false);
  expect(send).toHaveBeenCalledTimes(4);
  expect(logged.mock.calls.map(([line]) => JSON.parse(line))).toMatchObject([
    { event: 'task.not_sent', kind: 'webhooks' },
  ]);
});

test('an import, a backup or periodic tasks: in the queue of long tasks; what webhooks receive: in the other', async () => {
  const sent: unknown[] = [];
  const queue = (name: string) =>
    ({ send: async ({ kind }: Task) => void sent.push([kind, name]) }) as unknown as Queue;
  const tasks: Task[] = [
    task(1),
    { kind: 'webhook', id: 1 },
    { kind: 'import', accountId: 1 },
    { kind: 'periodic' },
    { kind: 'backup', accountId: 1, day: '2026-05-01', piece: 0 },
  ];
  for (const each of tasks)
    await sendTask({ ...env, TASKS: queue('short'), LONG_TASKS: queue('long') }, each);
  expect(sent).toEqual([
    ['webhooks', 'short'],
    ['webhook', 'short'],
    ['import', 'long'],
    ['periodic', 'long'],
    ['backup', 'long'],
  ]);
});

test('wrangler.toml: a long task has an invocation of its own, and calls of webhooks wait for no more than six connections', () => {
  type Settings = {
    queues: { consumers: { queue: string; max_batch_size: number; dead_letter_queue?: string }[] };
    env: { staging: Settings };
  };
  const settings = parse(readFileSync('wrangler.toml', 'utf8')) as unknown as Settings;
  for (const { queues } of [settings, settings.env.staging]) {
    const [short, long] = queues.consumers.map(({ max_batch_size }) => max_batch_size);
    expect([short! < 6, long]).toEqual([true, 1]);
    const [, given, lost] = queues.consumers;
    expect(given!.dead_letter_queue).toBe(lost!.queue);
  }
});
