import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { property, store } from '../support/accounts/portfolio.ts';
import { type Agency, obtainToken, openAgency, withToken } from '../support/accounts/units.ts';
import { withTasks } from '../support/accounts/webhooks.ts';
import { call } from '../support/worker/api.ts';

const SCOPES = ['properties:write', 'units:read'];
const VALUES = { UntStatus: 1, UntPrice: 200_000, UntDirections: ['N'] };

let agency: Agency;
let headers: Record<string, string>;

beforeAll(async () => {
  agency = await openAgency('DEVELOPMENTS', [], SCOPES);
  headers = withToken(await obtainToken(agency));
});

const send = (
  method: string,
  path: string,
  body?: unknown,
  more: Record<string, string> = {},
  as = headers,
) => call(method, `/v1/developments/${path}`, body, { ...as, ...more });

test('PUT of a development: 201, then 200; GET: with the number of its units; DELETE: 204, then 404', async () => {
  const created = await send('PUT', 'd', { name: 'D' });
  expect([created.status, created.headers.get('Location')]).toEqual([201, '/v1/developments/d']);
  expect((await send('PUT', 'd/units/A', VALUES)).status).toBe(201);
  expect(await send('PUT', 'd', { name: 'E' })).toMatchObject({
    status: 200,
    body: { name: 'E', units: 1 },
  });
  expect((await send('GET', 'd')).body).toEqual({ development_id: 'd', name: 'E', units: 1 });
  expect((await send('DELETE', 'd')).status).toBe(204);
  for (const method of ['GET', 'DELETE']) expect((await send(method, 'd')).status).toBe(404);
});

test('PUT of a development with details: GET has them; one without details leaves them, and an invalid one is 422', async () => {
  const details = {
    stage: 'structure',
    keys_in: '2028-06',
    location: { latitude: 36.7, longitude: -4.4 },
  };
  expect((await send('PUT', 'details', { name: 'D', details })).body.details).toMatchObject(
    details,
  );
  expect((await send('PUT', 'details', { name: 'E' })).body).toMatchObject({ name: 'E', details });
  expect((await send('GET', 'details')).body).toMatchObject({
    name: 'E',
    details: { ...details, texts: {} },
  });
  const wrong = await send('PUT', 'details', {
    name: 'E',
    details: { keys_in: '2028-13', stages: 'x' },
  });
  expect(wrong.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
    '/details/stages',
    '/details/keys_in',
  ]);
  expect((await send('PUT', 'details', { name: 'E', details: {} })).body.details.stage).toBeNull();
});

test('PUT of a unit: creates it, then changes it with an entry in its history, and a retry changes nothing', async () => {
  await send('PUT', 'u', { name: 'U' });
  expect((await send('PUT', 'u/units/A%201', VALUES, { 'If-Match': '*' })).status).toBe(412);
  const created = await send('PUT', 'u/units/A%201', VALUES, { 'If-None-Match': '*' });
  expect(created).toMatchObject({ status: 201, body: { UntName: 'A 1', ...VALUES, version: 1 } });
  expect((await send('PUT', 'u/units/A%201', VALUES, { 'If-None-Match': '*' })).status).toBe(412);
  const changed = await send(
    'PUT',
    'u/units/A%201',
    { ...VALUES, UntPrice: 5 },
    { 'If-Match': '"1"' },
  );
  expect(changed).toMatchObject({ status: 200, body: { UntPrice: 5, version: 2 } });
  expect(
    (await send('PUT', 'u/units/A%201', { ...VALUES, UntPrice: 6 }, { 'If-Match': '"1"' })).status,
  ).toBe(412);
  expect((await send('GET', 'u/units/A%201', undefined, { 'If-Match': '"1"' })).status).toBe(412);
  expect((await send('PUT', 'u/units/A%201', { ...VALUES, UntPrice: 5 })).headers.get('ETag')).toBe(
    '"2"',
  );
  expect((await send('GET', 'u/units/A%201')).body).toMatchObject({
    version: 2,
    changes: [{ to: { UntPrice: 5 } }],
  });
  expect((await send('PUT', 'nowhere/units/A', VALUES)).status).toBe(404);
});

test('with the ETag that another unit of this name had: GET 200, and DELETE 412', async () => {
  await send('PUT', 'again', { name: 'A' });
  const first = await send('PUT', 'again/units/A', VALUES);
  const [path, etag] = ['again/units/A', first.headers.get('ETag')!];
  expect((await send('GET', path, undefined, { 'If-None-Match': etag })).status).toBe(304);
  await send('DELETE', path);
  const second = await send('PUT', path, { ...VALUES, UntPrice: 3 });
  expect(second.body.version).toBeGreaterThan(first.body.version);
  expect(await send('GET', path, undefined, { 'If-None-Match': etag })).toMatchObject({
    status: 200,
    body: second.body,
  });
  expect((await send('DELETE', path, undefined, { 'If-Match': etag })).status).toBe(412);
});

test('a change of a development and the removal of a unit: webhooks are told, unless nothing has changed', async () => {
  const { env: bindings, tasks } = withTasks();
  for (const [method, path, body, told] of [
    ['PUT', 'told', { name: 'T' }, 1],
    ['PUT', 'told', { name: 'T' }, 1],
    ['PUT', 'told/units/A', VALUES, 2],
    ['DELETE', 'told/units/A', undefined, 3],
    ['DELETE', 'told/units/A', undefined, 3],
  ] as const) {
    await call(method, `/v1/developments/${path}`, body, headers, bindings);
    expect(tasks).toHaveLength(told);
  }
});

test('two clients that create one unit at the same time: one creates it, both succeed', async () => {
  await send('PUT', 'race', { name: 'R' });
  const both = await Promise.all(
    [1, 2].map((price) => send('PUT', 'race/units/A', { ...VALUES, UntPrice: price })),
  );
  expect(both.map(({ status }) => status).sort()).toEqual([200, 201]);
});

test('DELETE of a unit that is a property, or of its development: 409, and both remain; of another unit: 204', async () => {
  await send('PUT', 'held', { name: 'H' });
  for (const name of ['A', 'É']) await send('PUT', `held/units/${name}`, VALUES);
  await store(env.DB, agency.accountId, [
    property('p', { unit: { development: 'held', name: 'A' } }),
  ]);
  for (const path of ['held/units/A', 'held']) {
    expect(await send('DELETE', path)).toMatchObject({
      status: 409,
      body: { code: 'unit_in_use' },
    });
  }
  expect((await send('DELETE', 'held/units/A')).body.detail).toMatch(
    /unit to null: its own status and price apply then\.$/,
  );
  for (const status of [204, 404])
    expect((await send('DELETE', 'held/units/E\u0301')).status).toBe(status);
  expect((await send('GET', 'held')).body.units).toBe(1);
});

test('DELETE with the ETag of an earlier state: 412, also if the unit is a property; with that of the last one: 204', async () => {
  await send('PUT', 'stale', { name: 'S' });
  for (const name of ['A', 'B']) await send('PUT', `stale/units/${name}`, VALUES);
  await store(env.DB, agency.accountId, [
    property('q', { unit: { development: 'stale', name: 'A' } }),
  ]);
  const remove = async (name: string, etag: string) =>
    (await send('DELETE', `stale/units/${name}`, undefined, { 'If-Match': etag })).status;
  const statuses = [
    await remove('A', '"9"'),
    await remove('A', '"1"'),
    await remove('B', '"9"'),
    await remove('B', '"1"'),
  ];
  expect(statuses).toEqual([412, 409, 412, 204]);
});

test.each([
  ['PUT', 'x/units/A', { ...VALUES, UntStatus: 3 }, '/UntStatus'],
  ['PUT', 'x/units/A', { ...VALUES, UntName: 'B' }, '/UntName'],
  ['PUT', 'x', { name: '' }, '/name'],
])('%s %s with %j: 422 that names %s', async (method, path, body, pointer) => {
  expect(await send(method, path, body)).toMatchObject({
    status: 422,
    body: { errors: [{ pointer }] },
  });
});

test('of another account: 404, and it stays as it is', async () => {
  const other = await openAgency('OTHERS', ['A'], SCOPES);
  const own = withToken(await obtainToken(other));
  const theirs = 'LAS-LOMAS/units/A';
  await send('DELETE', 'LAS-LOMAS');
  for (const path of ['LAS-LOMAS', theirs]) expect((await send('DELETE', path)).status).toBe(404);
  expect((await send('PUT', theirs, VALUES)).status).toBe(404);
  expect((await send('GET', theirs, undefined, {}, own)).body).toMatchObject({
    UntPrice: 100_000,
    version: 1,
  });
});
