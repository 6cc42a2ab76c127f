import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { type Agency, obtainToken, openAgency, withToken } from '../../support/accounts/units.ts';
import { call } from '../../support/worker/api.ts';

const SCOPES = ['properties:read', 'properties:write', 'readers:write'] as const;

let agency: Agency;
let headers: Record<string, string>;

beforeAll(async () => {
  agency = await openAgency('NAMES', [], SCOPES);
  headers = withToken(await obtainToken(agency));
});

const send = (method: string, path: string, body?: unknown) => call(method, path, body, headers);

const property = (type: string, features: readonly string[] = []) => ({
  ...{ ref: 'R', type, features, status: 'Available', town: 'Nerja', province: 'Málaga' },
  offers: { sale: { price: 1 } },
});

/** Without those of the vocabulary that every agency of these tests has. */
const namesNow = async () =>
  (await send('GET', '/v1/vocabulary/names')).body.names.filter(
    ({ code }: { code: string }) => !['Golf', 'Sea'].includes(code),
  );
const read = async (id: string) => (await send('GET', `/v1/properties/${id}`)).body;

test('merging a typing error into a built-in type: its properties change, with history; programs that send it mean the other', async () => {
  await send('PUT', '/v1/properties/m1', property('Apartmento'));
  await send('PUT', '/v1/properties/m2', property('Apartmento'));
  expect(await namesNow()).toEqual([{ kind: 'type', code: 'Apartmento', properties: 2 }]);
  const before = (await send('GET', '/v1/vocabulary')).headers.get('ETag');
  const merged = await send('POST', '/v1/vocabulary/types/Apartmento/merge', { into: 'Apartment' });
  expect([merged.status, merged.body]).toEqual([200, { into: 'apartment', properties: 2 }]);
  expect([(await read('m1')).type, await namesNow()]).toEqual(['apartment', []]);
  expect((await send('GET', '/v1/vocabulary')).headers.get('ETag')).not.toBe(before);
  const { n } = (await env.DB.prepare(
    `SELECT count(*) AS n FROM property_history WHERE account_id = ? AND document LIKE '%Apartmento%'`,
  )
    .bind(agency.accountId)
    .first<{ n: number }>())!;
  expect(n).toBe(2);
  const again = await send('PUT', '/v1/properties/m3', property('Apartmento'));
  expect(again.body.property.type).toBe('apartment');
  expect(await namesNow()).toEqual([]);
  const gone = await send('POST', '/v1/vocabulary/types/Apartmento/merge', { into: 'Villa' });
  expect([gone.status, gone.body.code]).toEqual([404, 'name_not_found']);
});

test('merging a feature into another of the account: it counts once, and the other features stay', async () => {
  await send('PUT', '/v1/properties/f1', property('Villa', ['Zip line', 'Zipp line', 'Gym']));
  const merged = await send('POST', '/v1/vocabulary/features/Zipp%20line/merge', {
    into: 'Zip line',
  });
  expect(merged.body).toEqual({ into: 'Zip line', properties: 1 });
  expect((await read('f1')).features).toEqual(['Zip line', expect.stringContaining('Gym')]);
  expect(await namesNow()).toEqual([{ kind: 'feature', code: 'Zip line', properties: 1 }]);
});

test.each([
  ['itself', 'Zip line'],
  ['a name that nobody has', 'Nothing like it'],
])('merging into %s: 422 at /into, and nothing changes', async (_, into) => {
  const { status, body } = await send('POST', '/v1/vocabulary/features/Zip%20line/merge', { into });
  expect([status, body.errors[0].pointer]).toEqual([422, '/into']);
  expect(await namesNow()).toEqual([{ kind: 'feature', code: 'Zip line', properties: 1 }]);
});

test('deleting a name: 409 while a property or rules of a reader have it, 404 for a built-in one, 204 once nothing does', async () => {
  const path = '/v1/vocabulary/features/Zip%20line';
  expect((await send('DELETE', path)).body.code).toBe('name_in_use');
  const selection = { features: ['Zip line'] };
  expect((await send('POST', '/v1/readers', { name: 'zip', selection })).status).toBe(201);
  expect((await send('POST', `${path}/merge`, { into: 'Gym' })).body).toMatchObject({
    code: 'name_in_use',
    detail: expect.stringContaining('zip'),
  });
  await send('PATCH', '/v1/properties/f1', { features: [] });
  expect((await send('DELETE', path)).status).toBe(409);
  await send('PATCH', '/v1/readers/zip', { selection: null });
  const revision = async () => (await send('GET', '/v1/vocabulary')).headers.get('ETag');
  const before = await revision();
  expect((await send('DELETE', path)).status).toBe(204);
  expect(await revision()).not.toBe(before);
  expect((await send('DELETE', path)).body.code).toBe('name_not_found');
  expect((await send('DELETE', '/v1/vocabulary/types/villa')).body.code).toBe('name_not_found');
});

test('a name that is deleted while properties are written with it: all are stored, with names that exist', async () => {
  const ids = Array.from({ length: 12 }, (_, n) => `race-${n}`);
  await send('PUT', '/v1/properties/race', property('Chalett'));
  await send('PATCH', '/v1/properties/race', { type: 'Villa' });
  const results = await Promise.all([
    ...ids.map((id) => send('PUT', `/v1/properties/${id}`, property('Chalett'))),
    send('DELETE', '/v1/vocabulary/types/Chalett'),
  ]);
  expect(results.filter(({ status }) => status >= 500)).toEqual([]);
  const types = new Set(await Promise.all(ids.map(async (id) => (await read(id)).type)));
  const { types: known } = (await send('GET', '/v1/vocabulary')).body;
  const codes = known.map(({ code }: { code: string }) => code);
  expect([...types].filter((type) => !codes.includes(type))).toEqual([]);
});
