import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Env } from '../../../src/env.ts';
import { consumeTasks, sendTask, type Task } from '../../../src/tasks/tasks.ts';

const env = {} as Env;

const NONE = {
  webhooks: async () => {},
  webhook: async () => {},
  import: async () => {},
  periodic: async () => {},
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
    await consumeTasks(batch, env, { ...NONE, webhooks: async (given) => void executed.push(given) });
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

test('a queue that fails: logged, and the sender continues', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  await sendTask({ TASKS: { send: async () => Promise.reject(new Error('overloaded')) } as unknown as Queue }, task(1));
  expect(logged.mock.calls.map(([line]) => JSON.parse(line))).toMatchObject([
    { event: 'task.not_sent', kind: 'webhooks' },
  ]);
});
