import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import { environmentsOf } from '../../../src/accounts/environments.ts';
import { app } from '../../../src/app.ts';
import { runSchedule, sweepOldImports } from '../../../src/imports/runs/manage.ts';
import { putSource } from '../../../src/imports/runs/sources.ts';
import { type Move, moveAccount, planMove } from '../../../src/operator/move/move.ts';
import { nextAccounts } from '../../../src/schedule/account-sweep.ts';
import { openAccount } from '../../support/accounts/open-account.ts';
import { withTasks } from '../../support/accounts/webhooks.ts';
import { databases, prepareThree, three } from './three.ts';

const DAILY = { task: 'daily', accounts: 5, period: 86_400 };

beforeEach(async () => {
  await prepareThree();
  await env.DB.exec('DELETE FROM walks');
});

test('a walk gives each account once, in steps of bounded size, and begins again after its period', async () => {
  const ids: number[] = [];
  for (let account = 0; account < 12; account++)
    ids.push(await openAccount(env.DB, `WALK${account}`));
  const now = 1_800_000_000;
  const steps: (readonly number[])[] = [];
  for (let step = 0; step < 5; step++)
    steps.push(await nextAccounts(env.DB, DAILY, now + step * 300));
  expect(steps).toEqual([ids.slice(0, 5), ids.slice(5, 10), ids.slice(10), [], []]);
  expect(await nextAccounts(env.DB, DAILY, now + 86_399)).toEqual([]);
  expect(await nextAccounts(env.DB, DAILY, now + 86_400)).toEqual(ids.slice(0, 5));
});

test('a step reads as many rows for 2,000 accounts as for 20', async () => {
  const rowsRead = async () => {
    let rows = 0;
    const counting = new Proxy(env.DB, {
      get: (db, name) =>
        name !== 'prepare' ? Reflect.get(db, name) : (sql: string) => counted(db.prepare(sql)),
    });
    const counted = (statement: D1PreparedStatement): D1PreparedStatement =>
      ({
        bind: (...values: unknown[]) => counted(statement.bind(...values)),
        all: async () => {
          const result = await statement.all();
          rows += result.meta.rows_read;
          return result;
        },
        run: () => statement.run(),
      }) as unknown as D1PreparedStatement;
    await env.DB.exec('DELETE FROM walks');
    await nextAccounts(counting, DAILY, 1_800_000_000);
    await nextAccounts(counting, DAILY, 1_800_000_300);
    return rows;
  };
  const add = (count: number, prefix: string) =>
    env.DB.prepare(
      `INSERT INTO accounts (code, name, password)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
       SELECT '${prefix}' || i, 'x', '$pbkdf2-sha256$i=1$x$x' FROM n`,
    ).run();
  await add(20, 'FEW');
  const few = await rowsRead();
  await add(1_980, 'MANY');
  expect(await rowsRead()).toBe(few);
});

test('the daily work of one run: that of ten accounts, so that 2,000 have a backup every day', async () => {
  for (let account = 0; account < 12; account++) await openAccount(env.DB, `DAILY${account}`);
  const { env: bindings, tasks } = withTasks();
  await app.scheduled(bindings);
  expect(tasks.filter(({ task }) => task.kind === 'backup')).toHaveLength(10);
});

test('an account that has left for another database, or arrives from one, is not in a walk', async () => {
  const ids = [
    await openAccount(env.DB, 'STAYS'),
    await openAccount(env.DB, 'LEFT'),
    await openAccount(env.DB, 'ARRIVES'),
  ];
  const move = env.DB.prepare(
    "INSERT INTO moves (account_id, code, other, state) VALUES (?, 'X', 'DB_2', ?)",
  );
  await env.DB.batch([move.bind(ids[1], 'left'), move.bind(ids[2], 'arriving')]);
  expect(await nextAccounts(env.DB, DAILY, 1_800_000_000)).toEqual([ids[0]]);
});

test('the schedule of three databases: a message for each, and each message does the work of its database', async () => {
  const accounts = await Promise.all(databases.map(({ db }) => openAccount(db, 'EACH')));
  const { env: bindings, tasks } = withTasks(three);
  await app.scheduled(bindings);
  expect(tasks.map(({ task }) => task)).toEqual([
    { kind: 'periodic' },
    { kind: 'periodic', database: 'DB_2' },
    { kind: 'periodic', database: 'DB_3' },
  ]);
  for (const { task } of tasks.splice(0)) {
    const message = { body: task, attempts: 1, ack: () => {}, retry: () => expect.unreachable() };
    await app.tasks({ queue: '', messages: [message] } as unknown as MessageBatch, bindings);
  }
  const backups = tasks.flatMap(({ task }) =>
    task.kind === 'backup' ? [[task.database ?? 'DB', task.accountId]] : [],
  );
  expect(backups).toEqual(databases.map(({ name }, index) => [name, accounts[index]]));
});

test('an account that is being moved, or has been, does not keep sources of others from running, nor old imports from being deleted', async () => {
  const [first, second] = databases as unknown as [Move['from'], Move['to']];
  const { env: bindings, tasks } = withTasks(three);
  const settings = {
    format: null,
    every: 'day',
    at: '03:00',
    strict: false,
    channel: null,
    maxWithdrawn: 20,
    timeZone: 'UTC',
    copyPictures: false,
    origin: '',
  } as const;
  const url = { sealed: 'sealed', shown: 'https://crm.example.com/feed.xml' };
  const openSource = async (db: D1Database, code: string) => {
    const accountId = await openAccount(db, code);
    await putSource(db, { accountId, name: 'crm' }, { ...settings, enabled: true }, url, 0);
    return accountId;
  };
  const moved = await openSource(first.db, 'MOVED');
  await first.db.exec(
    `INSERT INTO imports (account_id, state, options, ended_at) VALUES (${moved}, 'finished', '{}', 1)`,
  );
  const others = [await openSource(first.db, 'HERE'), await openSource(second.db, 'THERE')];
  /** The accounts in each database whose sources the schedule starts, all of which are due. */
  const started = async () => {
    const accounts: number[][] = [];
    for (const { name, db } of [first, second]) {
      const bound = environmentsOf(bindings).get(name)!;
      await runSchedule(bound, Date.now());
      const active = await db
        .prepare("SELECT account_id FROM imports WHERE state = 'fetching'")
        .raw<[number]>();
      accounts.push(active.flat());
      await db.exec(
        `UPDATE imports SET state = 'cancelled', ended_at = 1 WHERE account_id IN (${others})`,
      );
      await sweepOldImports(bound);
      await db.exec(`UPDATE sources SET next_run_at = 0 WHERE account_id IN (${others})`);
    }
    return accounts;
  };
  const move = async () => (await planMove(databases, 'MOVED', second))!;
  const killed = moveAccount(await move(), {
    graceMs: 0,
    onStep: (step) => {
      if (step === 'switching') throw new Error('killed');
    },
  });
  await expect(killed).rejects.toThrow('killed');
  expect(await started()).toEqual([[others[0]], [others[1]]]);
  expect(tasks.map(({ task }) => task)).toEqual(
    [{ accountId: others[0] }, { accountId: others[1], database: 'DB_2' }].map((task) => ({
      kind: 'import',
      ...task,
    })),
  );
  await moveAccount(await move(), { graceMs: 0 });
  expect(await started()).toEqual([[others[0]], [moved, others[1]]]);
  const old = await Promise.all(
    [first, second].map(({ db }) =>
      db.prepare('SELECT account_id FROM imports WHERE ended_at = 1').raw(),
    ),
  );
  expect(old).toEqual([[[moved]], []]);
});
