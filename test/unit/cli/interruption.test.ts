import { expect, test } from 'vitest';
import { interruptible } from '../../../src/cli/command/interruption.ts';

const TARGET = { remote: false, persistTo: 'state' };

/** A command that prepares some statements before a signal ends it. */
async function messageAfter(...statements: string[]): Promise<string> {
  const DB = { prepare: (sql: string) => ({ sql }) };
  const { open, failure } = interruptible(async () => ({ env: { DB } as never, dispose: async () => {} }));
  const { env } = await open(TARGET);
  for (const sql of statements) expect(env.DB.prepare(sql)).toEqual({ sql });
  return failure('SIGINT').message;
}

test.each([
  ['that has opened no database', []],
  ['that has only read', ['SELECT updated_at, deleted FROM created', 'WITH a AS (SELECT 1) SELECT * FROM a']],
])('SIGINT to a command %s: nothing was changed', async (_, statements) => {
  expect(await messageAfter(...statements)).toBe('Interrupted by SIGINT. Nothing was changed.');
});

test.each(['INSERT INTO a VALUES (1)', 'update a set b = 1', 'WITH x AS (SELECT 1) DELETE FROM a', 'DROP TABLE a'])(
  'SIGINT to a command after %s: changes remain',
  async (statement) => {
    expect(await messageAfter('SELECT 1', statement)).toBe('Interrupted by SIGINT. Changes made before that remain.');
  },
);
