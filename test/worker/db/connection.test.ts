import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { connect, retryIdempotent } from '../../../src/db/connection.ts';
import { type Use, watched } from '../../support/ask.ts';

/** A connection whose first operations fail with these messages, and the operations that it attempted. */
function failing(...messages: string[]) {
  const attempts: string[] = [];
  const before = ({ what }: Use) => {
    attempts.push(what);
    const message = messages.shift();
    if (message !== undefined) throw new Error(`D1_ERROR: ${message}`);
  };
  return { db: connect(watched(before).DB), attempts };
}

const LOST = 'Network connection lost.';
const READ = 'SELECT 7 AS value';
const WRITE = "INSERT INTO accounts (code, name, password) VALUES ('X', '', '')";

describe('a retryable error', () => {
  test.each([
    'D1 DB reset because its code was updated.',
    'Internal error while starting up D1 DB storage caused object to be reset.',
    LOST,
    'Internal error in D1 DB storage caused object to be reset.',
    'Cannot resolve D1 DB due to transient issue on remote node.',
    "Can't read from request stream because client disconnected.",
  ])('of a read: another attempt: %s', async (message) => {
    const { db, attempts } = failing(message);
    expect(await db.prepare(READ).first('value')).toBe(7);
    expect(attempts).toEqual([READ, READ]);
  });

  test.each<[string, (db: D1Database) => Promise<unknown>]>([
    ['first', (db) => db.prepare('SELECT ? AS value').bind(7).first()],
    ['all', async (db) => (await db.prepare('WITH t AS (SELECT 7 AS value) SELECT * FROM t').all()).results[0]],
    ['run', async (db) => (await db.prepare(READ).run()).results[0]],
    ['raw', async (db) => ({ value: (await db.prepare(READ).raw<[number]>())[0]![0] })],
    ['batch', async (db) => (await db.batch([db.prepare('SELECT 1'), db.prepare(READ)]))[1]!.results[0]],
  ])('twice, by %s: the result of the third attempt', async (_, read) => {
    const { db, attempts } = failing(LOST, LOST);
    expect(await read(db)).toEqual({ value: 7 });
    expect(attempts).toHaveLength(3);
  });

  test('three times: the error', async () => {
    const { db, attempts } = failing(LOST, LOST, LOST);
    await expect(db.prepare(READ).first()).rejects.toThrow(LOST);
    expect(attempts).toHaveLength(3);
  });

  test('of a write, or of a batch with a write: no other attempt', async () => {
    const { db, attempts } = failing(LOST, LOST);
    await expect(db.prepare(WRITE).run()).rejects.toThrow(LOST);
    await expect(db.batch([db.prepare(READ), db.prepare(WRITE)])).rejects.toThrow(LOST);
    expect(attempts).toEqual([WRITE, 'batch']);
  });

  test('of an idempotent write: another attempt', async () => {
    const { db, attempts } = failing(LOST);
    const write = vi.fn(() => db.prepare('UPDATE accounts SET disabled = 0').run());
    await retryIdempotent(write);
    expect([attempts.length, write.mock.calls]).toEqual([2, [[1], [2]]]);
  });
});

test.each([
  'D1 DB storage operation exceeded timeout which caused object to be reset.',
  'D1 DB is overloaded. Requests queued for too long.',
  'D1 DB is overloaded. Too many requests queued.',
  "D1 DB's isolate exceeded its memory limit and was reset.",
  'D1 DB exceeded its CPU time limit and was reset.',
  'near "SELCT": syntax error',
])('an error that is not retryable: no other attempt: %s', async (message) => {
  const { db, attempts } = failing(message);
  await expect(db.prepare(READ).first()).rejects.toThrow(message);
  expect(attempts).toEqual([READ]);
});

test('a missing table: an error that says what to run', async () => {
  await expect(connect(env.DB).prepare('SELECT * FROM missing').all()).rejects.toThrow('npm run setup');
});
