import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { oneByOne, retryWhileLocked } from '../../../src/cli/platform/database.ts';

/** Returns these results one after the other. */
function returning(...results: readonly (Error | unknown[])[]) {
  const left = [...results];
  const runBatch = retryWhileLocked(async <Row>() => {
    const result = left.shift();
    if (result instanceof Error) throw result;
    return result as D1Result<Row>[];
  });
  return { runBatch, left };
}

describe('a batch of the local database', () => {
  test.each(['D1_ERROR: database is locked: SQLITE_BUSY', 'Error: internal error; reference = x'])(
    'locked by another process: retried: %s',
    async (message) => {
      const { runBatch } = returning(new Error(message), new Error(message), ['written']);
      expect(await runBatch([])).toEqual(['written']);
    },
  );

  test('that fails for another reason: not retried', async () => {
    const failure = new Error('D1_ERROR: UNIQUE constraint failed');
    const { runBatch, left } = returning(failure, ['written']);
    await expect(runBatch([])).rejects.toBe(failure);
    expect(left).toHaveLength(1);
  });
});

describe('batches one by one', () => {
  test('called at the same time, the first ones slower: run in the order of the calls', async () => {
    const done: string[] = [];
    const run = oneByOne(async ([statement]) => {
      await setTimeout(10 - 4 * done.length);
      done.push(statement!.statement);
      return [];
    });
    await Promise.all(['a', 'b', 'c'].map((statement) => run([{ statement, params: [] }])));
    expect(done).toEqual(['a', 'b', 'c']);
  });

  test('one fails: those called after it fail as well, the next one does not', async () => {
    const run = oneByOne(async ([statement]) => {
      if (statement!.statement === 'b') throw new Error('b');
      return [];
    });
    const call = (statement: string) => run([{ statement, params: [] }]);
    const calls = await Promise.allSettled(['a', 'b', 'c', 'd'].map(call));
    expect(calls.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
    expect(await call('e')).toEqual([]);
  });
});
