import { expect, test } from 'vitest';
import { database, expectViolations, platform } from './fakes.ts';

expectViolations();

test('1,000 statements in one invocation are run, in whatever calls; one more is not', async () => {
  const { DB, invocation } = platform().invoke();
  await DB.batch(Array.from({ length: 998 }, () => DB.prepare('SELECT 1')));
  await DB.prepare('SELECT 1').first();
  await DB.prepare('SELECT 1').raw();
  expect(invocation.usage).toMatchObject({ roundTrips: 3, statements: 1_000 });
  await expect(DB.prepare('SELECT 1').run()).rejects.toThrow('1001 D1 statements');
});

test('each invocation has 1,000 of its own', async () => {
  const { invoke } = platform();
  for (const { DB } of [invoke(), invoke()]) {
    await DB.batch(Array.from({ length: 1_000 }, () => DB.prepare('SELECT 1')));
  }
});

test('1,000 operations of KV are done, one more is not', async () => {
  const { SNAPSHOTS, invocation } = platform().invoke();
  for (let key = 0; key < 998; key++) await SNAPSHOTS.put(`key ${key}`, 'x');
  await SNAPSHOTS.list();
  await SNAPSHOTS.get('key 1');
  expect(invocation.usage).toMatchObject({ kvWrites: 998, kvLists: 1, kvReads: 1 });
  await expect(SNAPSHOTS.delete('key 1')).rejects.toThrow('1001 KV operations');
});

test('rows are counted as D1 counts them, those of `raw` if asked to', async () => {
  const { invoke } = platform({ DB: database([{ a: 1 }]) });
  const { DB, invocation } = invoke();
  await DB.prepare('SELECT a').all();
  await DB.batch([DB.prepare('SELECT a'), DB.prepare('UPDATE a')]);
  expect(await DB.prepare('SELECT a').raw()).toEqual([[1]]);
  expect(invocation.usage).toMatchObject({ rowsRead: 9, rowsWritten: 6 });
  const counting = invoke(undefined, true);
  await counting.DB.prepare('SELECT a').raw();
  expect(counting.invocation.usage).toMatchObject({ roundTrips: 1, statements: 1, rowsRead: 3 });
});
