import { describe, expect, test } from 'vitest';
import { retryWhileLocked } from '../../../src/cli/database.ts';

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
