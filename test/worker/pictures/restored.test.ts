import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { deleteCopy } from '../../../src/accounts/moves.ts';
import { continueImport } from '../../../src/imports/runs/run.ts';
import { isoDate } from '../../../src/lib/time/time.ts';
import { backUp } from '../../../src/operator/backups/backup.ts';
import { copyRows } from '../../../src/operator/move/copy.ts';
import { readTables } from '../../../src/operator/move/tables.ts';
import { advanceIncarnation } from '../../../src/operator/restored.ts';
import { continueOperation } from '../../../src/operator/run.ts';
import { sweepPictures } from '../../../src/pictures/sweep.ts';
import { withTasks } from '../../support/accounts/webhooks.ts';
import { call } from '../../support/worker/api.ts';
import { ask } from '../../support/worker/ask.ts';
import { databases, prepareThree } from '../databases/three.ts';
import {
  add,
  filesOf,
  jpeg,
  openPhotographed,
  originalsOf,
  type Photographed,
} from './pictures.ts';

const DAY = 86_400;
const [first, second] = databases as unknown as [(typeof databases)[0], (typeof databases)[0]];
const operator = {
  Authorization: `Bearer ${env.OPERATOR_KEY}`,
  'Content-Type': 'application/json',
};
let own: Photographed;
let code: string;
let accountId: number;
let accounts = 0;

beforeAll(prepareThree);

beforeEach(async () => {
  code = `RESTORE${accounts++}`;
  own = await openPhotographed(code);
  accountId = own.agency.accountId;
});

async function addOne(): Promise<string> {
  const { body } = await add(own, 'P1', await jpeg(90, 60));
  return body.pictures[0].url;
}

const removeAll = () =>
  call('PATCH', '/v1/properties/P1', { pictures: [] }, { ...own.headers, ...JSON_TYPE });
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Lets days pass, as far as the database knows. */
async function pass(days: number): Promise<void> {
  await env.DB.batch(
    [
      'UPDATE pictures SET received_at = received_at - ?1, unnamed_since = unnamed_since - ?1',
      'UPDATE property_history SET changed_at = changed_at - ?1',
    ].map((statement) => env.DB.prepare(statement).bind(days * DAY)),
  );
}

const sweep = () => sweepPictures(env, [accountId]);

const backup = () =>
  backUp(withTasks().env, {
    kind: 'backup',
    accountId,
    day: isoDate(Date.now() / 1_000),
    piece: 0,
  });

/** Restores the last backup, as the operator does. */
async function restoreBackup(): Promise<void> {
  const { status } = await call('POST', `/v1/operator/accounts/${code}/restore`, {}, operator);
  expect(status).toBe(202);
  while ((await continueImport(env, accountId)) !== null);
}

/** Replaces all that a database has of the account, as a restore to an earlier time does. */
async function copy(source: D1Database, target: D1Database): Promise<void> {
  while (!(await deleteCopy(target, accountId)));
  await copyRows({ accountId, tables: await readTables(source), source, target });
}

const isServed = async (url: string) => (await ask(url)).status === 200;

async function named(): Promise<string[]> {
  const { body } = await call('GET', '/v1/properties/P1/pictures', undefined, own.headers);
  return body.pictures.map(({ url }: { url: string }) => url);
}

test('a backup of thirty days ago, whose picture was removed since: it is served, and stays', async () => {
  const url = await addOne();
  await backup();
  await removeAll();
  await sweep();
  await pass(30);
  await sweep();
  await restoreBackup();
  expect([await named(), await isServed(url)]).toEqual([[url], true]);
  await sweep();
  await pass(40);
  await sweep();
  expect([await isServed(url), (await filesOf(code)).length]).toEqual([true, 2]);
});

test('a database of before a picture, and a backup of after it: the picture is served and stays; sending it again is no error', async () => {
  await copy(first.db, second.db);
  const url = await addOne();
  await backup();
  await copy(second.db, first.db);
  await advanceIncarnation(first, [first]);
  expect(await named()).toEqual([]);
  await restoreBackup();
  for (const days of [40, 0]) {
    await sweep();
    await pass(days);
  }
  expect([await named(), await isServed(url)]).toEqual([[url], true]);
  expect((await add(own, 'P1', await jpeg(90, 60))).status).toBe(201);
  expect([await named(), await isServed(url)]).toEqual([[url], true]);
});

test('a database of when a picture had been unnamed for a month, and a backup that names it: it stays', async () => {
  const url = await addOne();
  await removeAll();
  await sweep();
  await pass(40);
  await copy(first.db, second.db);
  await addOne();
  await backup();
  await copy(second.db, first.db);
  await advanceIncarnation(first, [first]);
  await sweep();
  await restoreBackup();
  await sweep();
  expect([await named(), await isServed(url)]).toEqual([[url], true]);
});

test('a database of when a property had just named a picture again that was due, before the operator says that it is restored: it stays', async () => {
  const url = await addOne();
  await removeAll();
  await sweep();
  await pass(30);
  const { status } = await call(
    'PATCH',
    '/v1/properties/P1',
    { pictures: [url] },
    { ...own.headers, ...JSON_TYPE },
  );
  expect(status).toBe(200);
  await copy(first.db, second.db);
  await removeAll();
  await copy(second.db, first.db);
  // As long as time travel reaches, and longer.
  for (const days of [2, 40]) {
    await pass(days);
    await sweep();
  }
  await advanceIncarnation(first, [first]);
  await sweep();
  const files = await filesOf(code);
  expect([await named(), await isServed(url), files.length]).toEqual([[url], true, 2]);
});

test('a database of when a picture was unnamed for a month, restored while the sweep deletes its files: what names it then is a 503, or has the files', async () => {
  await addOne();
  await removeAll();
  await sweep();
  await pass(40);
  await copy(first.db, second.db);
  const isDeleting = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const FILES = new Proxy(env.FILES, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== 'delete') return typeof value === 'function' ? value.bind(target) : value;
      return async (keys: string[]) => {
        isDeleting.resolve();
        await goOn.promise;
        return target.delete(keys);
      };
    },
  });
  const sweeping = sweepPictures({ ...env, FILES }, [accountId]);
  await isDeleting.promise;
  expect((await add(own, 'P1', await jpeg(90, 60))).status).toBe(503);
  goOn.resolve();
  await sweeping;
  await copy(second.db, first.db);
  const url = await addOne();
  await sweep();
  expect([await named(), await isServed(url)]).toEqual([[url], true]);
});

test('an account is deleted: its pictures and originals are deleted, and those of another one stay', async () => {
  const other = await openPhotographed(`${code}B`);
  await add(other, 'P1', await jpeg(90, 60));
  const url = await addOne();
  const path = `/v1/operator/accounts/${code}`;
  await call('PATCH', path, { disabled: true }, operator);
  const { env: bindings } = withTasks();
  const { body } = await call('DELETE', path, undefined, operator, bindings);
  const isUnder = async () => {
    const found = await call('GET', `/v1/operator/operations/${body.id}`, undefined, operator);
    return !['finished', 'failed'].includes(found.body.state);
  };
  while (await isUnder()) await continueOperation(bindings, body.id, 0);
  expect([await filesOf(code), await originalsOf(code)]).toEqual([[], 0]);
  expect([(await filesOf(`${code}B`)).length, await originalsOf(`${code}B`)]).toEqual([2, 1]);
  await caches.default.delete(url);
  expect(await isServed(url)).toBe(false);
});
