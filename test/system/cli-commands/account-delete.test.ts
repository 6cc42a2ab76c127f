import { expect, test } from 'vitest';
import { importsOf } from '../../../src/api/imports/files.ts';
import { pieceKey } from '../../../src/databases/backups/store.ts';
import type { Env } from '../../../src/env.ts';
import { property, store, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { runWith } from '../../support/processes/command-line.ts';
import { accountId, createAccount, feedStatus, operator, useOperator } from '../operator.ts';

useOperator(true);

const FILES = new Set<string>();

/** A bucket whose lists have two objects. */
const bucket = {
  async list({ prefix }: { prefix: string }) {
    const found = [...FILES].filter((key) => key.startsWith(prefix));
    return { objects: found.slice(0, 2).map((key) => ({ key })), truncated: found.length > 2 };
  },
  async delete(keys: string[]) {
    for (const key of keys) {
      FILES.delete(key);
      // An import that is under way stores its report.
      if (key.endsWith('/file')) FILES.add(key.replace(/file$/, 'report.json'));
    }
  },
};

function run(...args: string[]) {
  const { db: DB, snapshots: SNAPSHOTS } = operator.server;
  const env = { DB, SNAPSHOTS, FILES: bucket } as unknown as Env;
  return runWith(async () => ({ env, [Symbol.asyncDispose]: async () => {} }), ['account', ...args, '--json']);
}

/** How many rows each table has. */
async function rows(): Promise<Readonly<Record<string, number>>> {
  const { db } = operator.server;
  const tables = await db
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB '*sqlite_*' AND name NOT GLOB '_cf_*'",
    )
    .all<{ name: string }>();
  const counts: Record<string, number> = {};
  for (const { name } of tables.results) {
    counts[name] = (await db.prepare(`SELECT count(*) AS n FROM "${name}"`).first<number>('n'))!;
  }
  return counts;
}

/** The keys in KV and in the bucket. */
async function stored(): Promise<readonly string[]> {
  const { keys } = await operator.server.snapshots.list();
  return [...keys.map(({ name }) => name), ...FILES];
}

async function fill(code: string): Promise<void> {
  const password = await createAccount(code);
  const id = await accountId(code);
  await store(operator.server.db, id, [
    ...VOCABULARY,
    { kind: 'development', id: 'd', name: 'D' },
    { kind: 'unit', development: 'd', name: 'A', status: 1, price: 1, directions: [] },
    property('a', { unit: { development: 'd', name: 'A' } }),
    ...Array.from({ length: 250 }, (_, index) => property(`p${index}`)),
  ]);
  for (const command of ['client create', 'reader create portal', 'channel add coast --property a']) {
    expect((await operator.run([...command.split(' '), '--account', code])).exit).toBe(0);
  }
  await operator.run(['account', 'invite', code, '--name', 'Ana', '--origin', operator.server.url.origin]);
  await operator.server.db.prepare("INSERT INTO directory (account, database) VALUES (?, 'DB')").bind(code).run();
  const cached = (await stored()).length;
  expect(await feedStatus(code, password)).toBe(200);
  // The feed is cached after its response.
  await expect.poll(async () => (await stored()).length).toBeGreaterThan(cached);
  for (const piece of [0, 1, 2]) FILES.add(pieceKey(code, '2026-05-01', piece));
  FILES.add(`${importsOf(id)}1/file`);
}

test('account delete: refused until the account is disabled, and while it is moved; then nothing of it is left, and all of another one', async () => {
  await fill('KEPT');
  const before = [await rows(), await stored()];
  await fill('GONE');
  const refused = await run('delete', 'gone');
  expect([refused.exit, JSON.parse(refused.err).error.code]).toEqual([1, 'account_enabled']);
  await operator.run(['account', 'disable', 'gone']);
  const { db } = operator.server;
  const begin = "INSERT INTO moves (account_id, code, other, state) VALUES (?, 'GONE', 'DB_2', 'leaving')";
  await db
    .prepare(begin)
    .bind(await accountId('GONE'))
    .run();
  const moving = await run('delete', 'gone');
  expect([moving.exit, JSON.parse(moving.err).error.code]).toEqual([1, 'being_moved']);
  await db.prepare('DELETE FROM moves').run();
  const { exit, out } = await run('delete', 'gone');
  expect([exit, JSON.parse(out)]).toEqual([0, { code: 'GONE', deleted: true }]);
  expect([await rows(), await stored()]).toEqual(before);
  const again = await run('delete', 'gone');
  expect([again.exit, JSON.parse(again.err).error.code]).toEqual([1, 'no_account']);
});
