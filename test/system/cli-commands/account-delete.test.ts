import { expect, test } from 'vitest';
import { importsOf } from '../../../src/imports/runs/files.ts';
import { pieceKey } from '../../../src/operator/backups/store.ts';
import { property, store, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { accountId, createAccount, feedStatus, operator, useOperator } from '../operator.ts';

useOperator(true);

function run(...args: string[]) {
  return operator.run(['account', ...args, '--json']);
}

/** How many rows each table has. */
async function rows(): Promise<Readonly<Record<string, number>>> {
  const { db } = operator.server;
  const tables = await db
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB '*sqlite_*' AND name NOT GLOB '_cf_*' AND name <> 'operations'",
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
  const { snapshots, files } = operator.server;
  const [{ keys }, { objects }] = [await snapshots.list(), await files.list()];
  return [...keys.map(({ name }) => name), ...objects.map(({ key }) => key)];
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
  for (const command of [
    'client create',
    'reader create portal',
    'channel add coast --property a',
  ]) {
    expect((await operator.run([...command.split(' '), '--account', code])).exit).toBe(0);
  }
  await operator.run(['account', 'invite', code, '--name', 'Ana']);
  await operator.server.db
    .prepare("INSERT INTO directory (account, database) VALUES (?, 'DB')")
    .bind(code)
    .run();
  const cached = (await stored()).length;
  expect(await feedStatus(code, password)).toBe(200);
  // The feed is cached after its response.
  await expect.poll(async () => (await stored()).length).toBeGreaterThan(cached);
  for (const piece of [0, 1, 2])
    await operator.server.files.put(pieceKey(code, '2026-05-01', piece), 'x');
  await operator.server.files.put(`${importsOf(id)}1/file`, 'x');
}

test('account delete: refused until the account is disabled, and while it is moved; then nothing of it is left, and all of another one', async () => {
  await fill('KEPT');
  const before = [await rows(), await stored()];
  await fill('GONE');
  const unconfirmed = await run('delete', 'gone');
  expect([unconfirmed.exit, JSON.parse(unconfirmed.err).error.code]).toEqual([2, 'usage']);
  const refused = await run('delete', 'gone', '--yes');
  expect([refused.exit, JSON.parse(refused.err).error.code]).toEqual([1, 'account_enabled']);
  await operator.run(['account', 'disable', 'gone']);
  const { db } = operator.server;
  const begin =
    "INSERT INTO moves (account_id, code, other, state) VALUES (?, 'GONE', 'DB_2', 'leaving')";
  await db
    .prepare(begin)
    .bind(await accountId('GONE'))
    .run();
  const moving = await run('delete', 'gone', '--yes');
  expect([moving.exit, JSON.parse(moving.err).error.code]).toEqual([1, 'account_moving']);
  await db.prepare('DELETE FROM moves').run();
  const { exit, out } = await run('delete', 'gone', '--yes');
  expect([exit, JSON.parse(out)]).toEqual([0, { code: 'GONE', deleted: true }]);
  expect([await rows(), await stored()]).toEqual(before);
  const again = await run('delete', 'gone', '--yes');
  expect([again.exit, JSON.parse(again.err).error.code]).toEqual([1, 'account_not_found']);
});
