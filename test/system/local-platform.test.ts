import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Platform } from '../../src/cli/command/command.ts';
import { openLocalPlatform } from '../../src/cli/platform/local.ts';

let directory: string;
let platform: Platform;
let db: D1Database;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lindero-platform-'));
  platform = await openLocalPlatform(join(import.meta.dirname, '../../wrangler.toml'), directory);
  db = platform.env.DB;
});

afterAll(async () => {
  await platform.dispose();
  await rm(directory, { recursive: true });
});

beforeEach(async () => {
  await db.batch([
    db.prepare('DROP TABLE IF EXISTS entries'),
    db.prepare('CREATE TABLE entries (id INTEGER PRIMARY KEY, number INTEGER UNIQUE, text TEXT) STRICT'),
  ]);
});

function add(number: number, text = ''): Promise<unknown> {
  return db.batch([db.prepare('INSERT INTO entries (number, text) VALUES (?1, ?2)').bind(number, text)]);
}

async function numbers(): Promise<unknown[]> {
  const { results } = await db.prepare('SELECT number FROM entries ORDER BY id').all<{ number: number }>();
  return results.map(({ number }) => number);
}

describe('batches called at the same time', () => {
  test('large and small ones: run in the order of the calls', async () => {
    const order = Array.from({ length: 60 }, (_, number) => number);
    await Promise.all(order.map((number) => add(number, 'x'.repeat(number % 3 === 0 ? 1_500_000 : 10))));
    expect(await numbers()).toEqual(order);
  });

  test('one fails: those called after it fail as well, the next one does not', async () => {
    const calls = await Promise.allSettled([add(1), add(1), add(2), add(3)]);
    expect(calls.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
    await add(4);
    expect(await numbers()).toEqual([1, 4]);
  });
});

describe('a text', () => {
  test.each<[string, string]>([
    ['long, with other alphabets, quotes and a byte order mark', `\uFEFF${'Київ "€" \'😀\\'.repeat(500)}`],
  ])('%s: stored as it is, by a numbered parameter and by another', async (_, text) => {
    await db.batch([
      db.prepare('INSERT INTO entries (number, text) VALUES (?2, ?1)').bind(text, 1),
      db.prepare('INSERT INTO entries (number, text) VALUES (?, ?)').bind(2, text),
    ]);
    const { results } = await db.prepare('SELECT number, text FROM entries ORDER BY id').all();
    expect(results).toEqual([
      { number: 1, text },
      { number: 2, text },
    ]);
  });
});
