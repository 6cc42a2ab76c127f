import { describe, expect, test } from 'vitest';
import { sharedWithServer } from '../../../src/cli/database.ts';

/** A database that answers batches one after the other so. */
function answering(...answers: readonly (Error | unknown[])[]) {
  const left = [...answers];
  const batch = async () => {
    const answer = left.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { db: sharedWithServer({ batch } as unknown as D1Database), left };
}

describe('a batch of the local database', () => {
  test.each(['D1_ERROR: database is locked: SQLITE_BUSY', 'Error: internal error; reference = x'])(
    'that meets the lock of another process is tried again: %s',
    async (message) => {
      const { db } = answering(new Error(message), new Error(message), ['written']);
      expect(await db.batch([])).toEqual(['written']);
    },
  );

  test('that fails otherwise is not', async () => {
    const failure = new Error('D1_ERROR: UNIQUE constraint failed');
    const { db, left } = answering(failure, ['written']);
    await expect(db.batch([])).rejects.toBe(failure);
    expect(left).toHaveLength(1);
  });
});
