import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { pieceKey } from '../../../src/databases/backups/store.ts';
import type { Env } from '../../../src/env.ts';
import { property, store, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { runWith } from '../../support/processes/command-line.ts';
import { accountId, createAccount, operator, useOperator } from '../operator.ts';

useOperator();

const DAY = '2026-05-01';
const KEY = pieceKey('KEPT', DAY, 0);

let file: Buffer;

beforeAll(async () => {
  await createAccount('KEPT');
  await store(operator.server.db, await accountId('KEPT'), [...VOCABULARY, property('a'), property('b')]);
  file = gzipSync((await operator.run(['export', '--account', 'kept'])).out);
});

/** Runs a command with a bucket that has the backup of one day. */
function backup(...args: string[]) {
  const customMetadata = { next: '', documents: '17' };
  const files = {
    list: async () => ({ objects: [{ key: KEY, size: file.length, customMetadata }], truncated: false }),
    get: async (key: string) => (key === KEY ? new Response(file) : null),
  };
  const env = { DB: operator.server.db, SNAPSHOTS: operator.server.snapshots, FILES: files } as unknown as Env;
  return runWith(
    async () => ({ env, [Symbol.asyncDispose]: async () => {} }),
    ['backup', ...args, '--account', 'kept'],
  );
}

test('list: the day with its size', async () => {
  const { out } = await backup('list');
  expect(out).toMatch(new RegExp(`^ACCOUNT +DAY +BYTES +DOCUMENTS\nKEPT +${DAY} +${file.length} +17\n$`));
});

test('restore after a property was removed: it is there again, and the text says what was written', async () => {
  await operator.server.db.prepare("DELETE FROM properties WHERE identifier = 'a'").run();
  const { exit, out } = await backup('restore');
  expect([exit, out]).toEqual([
    0,
    expect.stringMatching(/^Backup of 2026-05-01: 17 documents\.\n(.*\n)*2 properties read: 1 written, 1 unchanged/),
  ]);
});

test('restore when another property has the id with -LT now: exit code 3, and the property that is not restored', async () => {
  await operator.server.db.prepare("DELETE FROM properties WHERE identifier = 'a'").run();
  await store(operator.server.db, await accountId('KEPT'), [property('a-LT')]);
  const { exit, out } = await backup('restore', '--day', DAY);
  expect([exit, out]).toEqual([3, expect.stringMatching(/^Rejected: .*\ba\b.*conflicts with property a-LT/m)]);
});

test('restore of a day without a backup: exit code 1', async () => {
  const { exit, err } = await backup('restore', '--day', '2026-05-02');
  expect([exit, err]).toEqual([1, 'Account KEPT has no complete backup of 2026-05-02.\n']);
});

test('restore while the account is being moved: exit code 1 with the reason, and nothing is restored', async () => {
  const { db } = operator.server;
  const id = await accountId('KEPT');
  await store(db, id, [property('b', { ref: 'LATER' })]);
  await db.prepare('UPDATE accounts SET frozen = 1 WHERE id = ?').bind(id).run();
  const { exit, err } = await backup('restore');
  expect([exit, err]).toEqual([1, expect.stringContaining('the account is being moved')]);
  const read = db.prepare("SELECT reference FROM properties WHERE account_id = ? AND identifier = 'b'").bind(id);
  expect(await read.first('reference')).toBe('LATER');
});
