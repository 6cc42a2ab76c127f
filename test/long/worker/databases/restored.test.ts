import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { deleteCopy } from '../../../../src/accounts/moves.ts';
import { entriesOf } from '../../../../src/operator/databases.ts';
import { copyRows } from '../../../../src/operator/move/copy.ts';
import { moveAccount, planMove, stateOf } from '../../../../src/operator/move/move.ts';
import { readTables } from '../../../../src/operator/move/tables.ts';
import { advanceIncarnation } from '../../../../src/operator/restored.ts';
import { updateUnits } from '../../../../src/units/unit-updates.ts';
import { createAgency, DEVELOPMENT } from '../../../support/accounts/agency.ts';
import { ask } from '../../../support/worker/ask.ts';
import { databases, prepareThree } from '../../../worker/databases/three.ts';

const [first, second] = databases as unknown as [(typeof databases)[0], (typeof databases)[0]];

beforeAll(async () => {
  await prepareThree();
});

afterEach(() => {
  vi.useRealTimers();
});

test('an older copy of the database is restored under a running service: nobody gets a 304 or a snapshot of what was undone', async () => {
  const { code, accountId } = await createAgency(
    first.db,
    'RESTORED',
    ['A-1'],
    ['units:read', 'properties:read'],
  );
  const setPrice = (price: number) =>
    updateUnits(
      first.db,
      { accountId, development: DEVELOPMENT },
      [{ name: 'A-1', values: { status: 1, price, directions: '[]' } }],
      { kind: 'operator' },
    );
  const feed = async (headers: Record<string, string> = {}) => {
    vi.setSystemTime(Date.now() + 1_001);
    const response = await ask(`/CreateXMLFeedV3.asp?U=OWNPROPERTIES@${code}&P=demo`, { headers });
    const [, price] = /<price>(\d+)<\/price>/.exec(response.text) ?? [];
    return { status: response.status, price: Number(price), etag: response.headers.get('ETag')! };
  };
  const tables = await readTables(first.db);
  const copy = async (source: D1Database, target: D1Database) => {
    while (!(await deleteCopy(target, accountId)));
    await copyRows({ accountId, tables, source, target });
  };
  const version = () =>
    first.db
      .prepare('SELECT version FROM units WHERE account_id = ?')
      .bind(accountId)
      .first('version');
  const revision = () =>
    first.db.prepare('SELECT changes FROM accounts WHERE id = ?').bind(accountId).first('changes');

  await setPrice(100);
  const before = await feed();
  await copy(first.db, second.db);
  await setPrice(200);
  const undone = await feed();
  expect(await feed()).toEqual(undone);
  const undoneState = [await version(), await revision()];

  await copy(second.db, first.db);
  const incarnation = await advanceIncarnation(first, [first]);
  const restored = await feed({ 'If-None-Match': undone.etag });
  expect([restored.status, restored.price]).toEqual([200, 100]);
  expect([before.etag, undone.etag]).not.toContain(restored.etag);
  // A revision that was given out before: without the incarnation, the ETag and the cache key could be the same again.
  await setPrice(300);
  expect(((await revision()) as number) - (undoneState[1] as number)).toBeLessThanOrEqual(1);
  const changed = await feed({ 'If-None-Match': `${undone.etag}, ${before.etag}` });
  expect([changed.status, changed.price]).toEqual([200, 300]);
  const later = new Date(Date.now() - 1_000).toUTCString();
  expect((await feed({ 'If-Modified-Since': later })).price).toBe(300);
  expect(await version()).toBeGreaterThan(undoneState[0] as number);
  expect(await advanceIncarnation(first, [first])).toBeGreaterThan(incarnation);
});

test('another database is restored: its ids are beyond those that it gave out before, and the directory is computed again', async () => {
  const { code, accountId } = await createAgency(second.db, 'ELSEWHERE', ['A-1']);
  await advanceIncarnation(second, databases);
  const created = await createAgency(second.db, 'LATER', ['A-1']);
  expect(created.accountId - accountId).toBeGreaterThan(2 ** 35);
  const listed = first.db.prepare('SELECT database FROM directory WHERE account = ?').bind(code);
  expect(await listed.first('database')).toBe('DB_2');
});

test('a database is restored to a time before an account was moved away: the account stays where it is now', async () => {
  const { code, accountId } = await createAgency(first.db, 'AWAY', ['A-1']);
  await moveAccount((await planMove(databases, code, second))!, { graceMs: 0 });
  // What the first database was before the move.
  await first.db.exec('DELETE FROM moves');
  await first.db.exec('DELETE FROM directory');
  await first.db
    .prepare('UPDATE accounts SET disabled = 0, frozen = 0 WHERE id = ?')
    .bind(accountId)
    .run();
  await advanceIncarnation(first, databases);
  const living = (await entriesOf(databases)).filter(({ account }) => account === code);
  expect(living).toMatchObject([{ database: 'DB_2' }]);
  expect(await stateOf(first.db, accountId)).toBe('left');
  expect((await planMove(databases, code, second))!.isSwitched).toBe(true);
});

test('a database is restored to the middle of a move, or soon after one: its accounts can be changed, and moved again', async () => {
  const { code, accountId } = await createAgency(first.db, 'MIDWAY', ['A-1']);
  const move = async (to: typeof first, until?: string) =>
    moveAccount((await planMove(databases, code, to))!, {
      graceMs: 0,
      onStep: (step) => {
        if (step === until) throw new Error('killed');
      },
    });
  const change = (db: D1Database) =>
    db.prepare('UPDATE properties SET change = 0 WHERE account_id = ?').bind(accountId).run();
  await expect(move(second, 'switching')).rejects.toThrow('killed');
  await expect(change(first.db)).rejects.toThrow('being moved');
  await advanceIncarnation(second, databases);
  await advanceIncarnation(first, databases);
  await change(first.db);
  await move(second);
  await advanceIncarnation(first, databases);
  await change(second.db);
  expect((await planMove(databases, code, second))!.isSwitched).toBe(true);
});
