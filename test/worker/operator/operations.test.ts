import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Env } from '../../../src/env.ts';
import { continueOperation as continueIn, resumeOperations } from '../../../src/operator/run.ts';
import { type Agency, createAgency, DEVELOPMENT } from '../../support/accounts/agency.ts';
import { withTasks } from '../../support/accounts/webhooks.ts';
import { ask } from '../../support/worker/ask.ts';
import { databases, prepareThree, three } from '../databases/three.ts';

const headers = { Authorization: `Bearer ${env.OPERATOR_KEY}`, 'Content-Type': 'application/json' };

let agency: Agency;
let code: string;
let opened = 0;

beforeAll(async () => {
  await prepareThree();
});

beforeEach(async () => {
  code = `WORKED-${++opened}`;
  agency = await createAgency(env.DB, code, ['A-1'], ['units:read', 'units:write']);
});

/** A request of the operator, the tasks that it sends, and its response. */
async function operate(method: string, path: string, body?: object, bindings: Env = three) {
  const { env: own, tasks } = withTasks(bindings);
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const { status, text, headers: received } = await ask(path, init, own);
  return {
    status,
    body: text === '' ? null : JSON.parse(text),
    location: received.get('Location'),
    sent: tasks.map(({ task }) => task),
  };
}

/** Starts the move of the account to another database. */
const move = (to: string) => operate('POST', `/v1/operator/accounts/${code}/move`, { to });

/** Continues an operation, without a wait for requests under way, of which there are none. */
const continueOperation = (bindings: Env, id: number) => continueIn(bindings, id, 0);

/** Does what the messages say until no more are sent, and returns the operation. */
async function finished(location: string) {
  const id = Number(location.split('/').at(-1));
  for (let rounds = 0; rounds < 50; rounds++) {
    await continueOperation(three, id);
    const { body } = await operate('GET', location);
    if (body.state === 'finished' || body.state === 'failed') return body;
  }
  throw new Error('The operation does not end');
}

test('a move: 202 with its place, once however often it is started; then the account is in the other database', async () => {
  const started = await move('DB_2');
  expect(started).toMatchObject({
    status: 202,
    body: { kind: 'move', state: 'waiting', database: 'DB_2' },
  });
  expect(started.sent).toContainEqual({ kind: 'operation', id: started.body.id });
  const again = await move('db_2');
  expect(again.location).toBe(started.location);
  expect(await finished(started.location!)).toMatchObject({
    state: 'finished',
    detail: 'moved to DB_2',
  });
  const { body } = await operate('GET', `/v1/operator/accounts/${code}`);
  expect(body.database).toBe('DB_2');
  expect((await move('DB_9')).status).toBe(404);
});

test('two messages of one operation at once: one works, the other does nothing', async () => {
  const { location, body } = await move('DB_3');
  await Promise.all([continueOperation(three, body.id), continueOperation(three, body.id)]);
  expect((await operate('GET', location!)).body).toMatchObject({
    state: 'finished',
    detail: 'moved to DB_3',
  });
});

test('an isolate that ended in the middle: the schedule sends the message again, once the lease has run out', async () => {
  const { location, body } = await move('DB_2');
  const left =
    "UPDATE operations SET state = 'running', leased_until = unixepoch() + ? WHERE id = ?";
  await env.DB.prepare(left).bind(60, body.id).run();
  const { env: own, tasks } = withTasks(env);
  const sent = () => tasks.map(({ task }) => task);
  await resumeOperations(own);
  expect(sent()).not.toContainEqual({ kind: 'operation', id: body.id });
  await env.DB.prepare(left).bind(-1, body.id).run();
  await resumeOperations(own);
  expect(sent()).toContainEqual({ kind: 'operation', id: body.id });
  expect(await finished(location!)).toMatchObject({ state: 'finished' });
});

test('a database that fails: the operation stays open, and the message comes again', async () => {
  const { location, body } = await move('DB_2');
  const failing = {
    ...three,
    DB_2: {
      prepare: () => {
        throw new Error('D1_ERROR: gone');
      },
    },
  } as unknown as Env;
  await expect(continueOperation(failing, body.id)).rejects.toThrow();
  expect(await finished(location!)).toMatchObject({ state: 'finished', detail: 'moved to DB_2' });
});

test('DELETE of an enabled account: 409; of a disabled one: everything is gone, in several messages if need be', async () => {
  expect((await operate('DELETE', `/v1/operator/accounts/${code}`)).body.code).toBe(
    'account_enabled',
  );
  await operate('PATCH', `/v1/operator/accounts/${code}`, { disabled: true });
  const insert = `INSERT INTO unit_history (unit_id, version, account_id, actor, from_status, to_status, from_price, to_price,
      from_directions, to_directions)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
    SELECT u.id, i + 10, u.account_id, 'account', 1, 1, 1, 1, '[]', '[]' FROM n, units u WHERE u.account_id = ?`;
  await env.DB.prepare(insert).bind(agency.accountId).run();
  const { location, status } = await operate('DELETE', `/v1/operator/accounts/${code}`);
  expect(status).toBe(202);
  expect(await finished(location!)).toMatchObject({ state: 'finished', detail: 'deleted' });
  expect((await operate('GET', `/v1/operator/accounts/${code}`)).status).toBe(404);
  for (const table of ['units', 'unit_history', 'clients']) {
    const left = env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE account_id = ?`).bind(
      agency.accountId,
    );
    expect(await left.first('n')).toBe(0);
  }
});

test('an account that is being deleted: 409 for every change, since part of it is gone', async () => {
  await operate('PATCH', `/v1/operator/accounts/${code}`, { disabled: true });
  const { location } = await operate('DELETE', `/v1/operator/accounts/${code}`);
  const changes = [
    await operate('PATCH', `/v1/operator/accounts/${code}`, { disabled: false }),
    await move('DB_2'),
    await operate('POST', `/v1/operator/accounts/${code}/restore`, {}),
  ];
  expect(changes.map(({ status, body }) => [status, body.code])).toEqual(
    Array(3).fill([409, 'account_deleting']),
  );
  expect(await finished(location!)).toMatchObject({ state: 'finished' });
});

test('an account that has moved, and is deleted: nothing of it is left in either database, and its code is free', async () => {
  const moved = await move('DB_2');
  await finished(moved.location!);
  await operate('PATCH', `/v1/operator/accounts/${code}`, { disabled: true });
  const { location } = await operate('DELETE', `/v1/operator/accounts/${code}`);
  expect(await finished(location!)).toMatchObject({ state: 'finished' });
  expect((await operate('GET', `/v1/operator/accounts/${code}`)).status).toBe(404);
  for (const { db } of databases) {
    expect(await db.prepare('SELECT 1 FROM accounts WHERE code = ?').bind(code).first()).toBeNull();
  }
  expect((await operate('POST', '/v1/operator/accounts', { code })).status).toBe(201);
});

test('a code of which only the copy is left that a move left behind: it can be used again', async () => {
  const moved = await move('DB_2');
  await finished(moved.location!);
  expect((await operate('POST', '/v1/operator/accounts', { code })).body.code).toBe(
    'account_in_use',
  );
  // As after a restore of this database to a time before the move.
  await databases[1]!.db.prepare('DELETE FROM accounts WHERE code = ?').bind(code).run();
  expect((await operate('POST', '/v1/operator/accounts', { code })).status).toBe(201);
  expect((await operate('GET', `/v1/operator/accounts/${code}`)).body.name).toBe(code);
});

test('an account that has moved: the operator works on it where it is now', async () => {
  const path = `/v1/developments/${DEVELOPMENT}/units/A-1?account=${code}`;
  expect((await operate('GET', path)).body.UntPrice).not.toBe(999);
  const moved = await move('DB_3');
  await finished(moved.location!);
  const body = { UntName: 'A-1', UntStatus: 1, UntPrice: 999, UntDirections: [] };
  const update = `/v1/developments/${DEVELOPMENT}/units/update-by-name?account=${code}`;
  expect((await operate('POST', update, body)).status).toBe(200);
  expect((await operate('GET', path)).body.UntPrice).toBe(999);
});

test('a move that was interrupted, and is undone: it does not happen later', async () => {
  const { location, body } = await move('DB_2');
  await env.DB.prepare("UPDATE operations SET state = 'running', leased_until = 0 WHERE id = ?")
    .bind(body.id)
    .run();
  const undone = await operate('POST', `/v1/operator/accounts/${code}/move`, {
    to: 'DB_2',
    undo: true,
  });
  expect(await finished(undone.location!)).toMatchObject({ state: 'finished' });
  expect((await operate('GET', location!)).body).toMatchObject({
    state: 'failed',
    detail: 'undone',
  });
  await continueOperation(three, body.id);
  expect((await operate('GET', `/v1/operator/accounts/${code}`)).body.database).toBe('DB');
});

test('restored: a new incarnation', async () => {
  const read = () =>
    env.DB.prepare('SELECT incarnation FROM time_line').first<number>('incarnation');
  const before = (await read())!;
  const { location } = await operate('POST', '/v1/operator/databases/DB/restored');
  expect(await finished(location!)).toMatchObject({
    state: 'finished',
    kind: 'restored',
    account: null,
  });
  expect(await read()).toBeGreaterThan(before);
});

test('POST accounts with three databases: in the smallest one, with ids of its own range', async () => {
  await env.DB.exec('DELETE FROM directory');
  const created = await operate('POST', '/v1/operator/accounts', { code: 'spread' });
  expect(created).toMatchObject({
    status: 201,
    body: { code: 'SPREAD', password: expect.any(String) },
  });
  expect((await operate('POST', '/v1/operator/accounts', { code: 'SPREAD' })).body.code).toBe(
    'account_in_use',
  );
  const { body } = await operate('GET', '/v1/operator/accounts/spread');
  expect(['DB', 'DB_2', 'DB_3']).toContain(body.database);
});
