import { expect, test } from 'vitest';
import { retryWhileLocked } from '../../../src/cli/platform/database.ts';

/** A batch that returns these results one after the other, and how many are left. */
function returning(...results: readonly (Error | unknown[])[]) {
  const left = [...results];
  const runBatch = retryWhileLocked(async <Row>() => {
    const result = left.shift();
    if (result instanceof Error) throw result;
    return result as D1Result<Row>[];
  }, 0);
  return { runBatch, left };
}

const BUSY = 'D1_ERROR: database is locked: SQLITE_BUSY';
const INTERNAL = 'Error: internal error; reference = x';

test.each([BUSY, INTERNAL])('a batch on a database that another process locks: retried: %s', async (message) => {
  const { runBatch } = returning(new Error(message), new Error(message), ['written']);
  expect(await runBatch([])).toEqual(['written']);
});

test.each([
  [BUSY, 'database_busy'],
  [INTERNAL, 'database_unusable'],
])('a batch that fails with %s again and again: %s', async (message, code) => {
  const { runBatch } = returning(...Array.from({ length: 20 }, () => new Error(message)), ['written']);
  await expect(runBatch([])).rejects.toMatchObject({ code });
});

test('a batch that fails for another reason: not retried', async () => {
  const failure = new Error('D1_ERROR: UNIQUE constraint failed');
  const { runBatch, left } = returning(failure, ['written']);
  await expect(runBatch([])).rejects.toBe(failure);
  expect(left).toHaveLength(1);
});
