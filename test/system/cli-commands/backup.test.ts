import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { pieceKey } from '../../../src/operator/backups/store.ts';
import { property, store, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { accountId, createAccount, operator, useOperator } from '../operator.ts';

useOperator();

const DAY = '2026-05-01';
const KEY = pieceKey('KEPT', DAY, 0);

let file: Buffer;

beforeAll(async () => {
  await createAccount('KEPT');
  await store(operator.server.db, await accountId('KEPT'), [
    ...VOCABULARY,
    property('a'),
    property('b'),
  ]);
  file = gzipSync((await operator.run(['export', '--account', 'kept'])).out);
  await operator.server.files.put(KEY, file, { customMetadata: { next: '', documents: '17' } });
});

/** Runs a command on the account. */
function backup(...args: string[]) {
  return operator.run(['backup', ...args, '--account', 'kept']);
}

test('list: the day with its size', async () => {
  const { out } = await backup('list');
  expect(out).toMatch(
    new RegExp(`^ACCOUNT +DAY +BYTES +DOCUMENTS\nKEPT +${DAY} +${file.length} +17\n$`),
  );
});

test('restore after a property was removed: it is there again, and the text says what was written', async () => {
  await operator.server.db.prepare("DELETE FROM properties WHERE identifier = 'a'").run();
  const { exit, out } = await backup('restore', '--yes');
  expect([exit, out]).toEqual([
    0,
    expect.stringMatching(/^2 properties read: 1 written, 1 unchanged/m),
  ]);
});

test('restore when another property has the id with -LT now: exit code 3, and the property that is not restored', async () => {
  await operator.server.db.prepare("DELETE FROM properties WHERE identifier = 'a'").run();
  await store(operator.server.db, await accountId('KEPT'), [property('a-LT')]);
  const { exit, out } = await backup('restore', '--yes', '--day', DAY);
  expect([exit, out]).toEqual([
    3,
    expect.stringMatching(/^Rejected: .*\ba\b.*conflicts with property a-LT/m),
  ]);
});

test('restore of a day without a backup: exit code 1', async () => {
  const { exit, err } = await backup('restore', '--yes', '--day', '2026-05-02');
  expect([exit, err]).toEqual([1, 'KEPT has no complete backup of 2026-05-02.\n']);
});
