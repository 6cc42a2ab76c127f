import { beforeAll, expect, test } from 'vitest';
import { SERVED_LANGUAGES } from '../../../src/lib/languages.ts';
import { type Agency, obtainToken, openAgency, withToken } from '../../support/accounts/units.ts';
import { call } from '../../support/worker/api.ts';

const VILLA = {
  ref: 'R',
  type: 'villa',
  status: 'Available',
  town: 'Nerja',
  province: 'Málaga',
  offers: { sale: { price: 250_000 } },
};

const LANGUAGES = SERVED_LANGUAGES.map(({ element }) => element);

let agency: Agency;
let headers: Record<string, string>;

beforeAll(async () => {
  agency = await openAgency('PARALLEL', [], ['properties:read', 'properties:write', 'units:read']);
  headers = withToken(await obtainToken(agency));
});

const send = (method: string, path: string, body?: unknown) => call(method, path, body, headers);

const inParallel = (count: number, request: (index: number) => ReturnType<typeof send>) =>
  Promise.all(Array.from({ length: count }, (_, index) => request(index)));

test('40 PATCHes of one property at the same time: 200 each, and all remain', async () => {
  await send('PUT', '/v1/properties/one', VILLA);
  const sent = await inParallel(40, (index) =>
    send('PATCH', '/v1/properties/one', {
      texts: { [LANGUAGES[index % LANGUAGES.length]!]: { title: `T${index}` } },
    }),
  );
  expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200]));
  const { body } = await send('GET', '/v1/properties/one');
  expect(Object.keys(body.texts)).toHaveLength(LANGUAGES.length);
});

test('a first synchronisation: 100 PUTs of properties at the same time, each with a type and a feature that are new: 201 each', async () => {
  const sent = await inParallel(100, (index) =>
    send('PUT', `/v1/properties/new-${index}`, {
      ...VILLA,
      type: `Type ${index}`,
      features: [`Feature ${index}`],
    }),
  );
  expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([201]));
});

test.each([
  { type: '🏠'.repeat(101) },
  { features: ['🌊'.repeat(101)] },
  { type: '🏠'.repeat(201) },
  { features: ['🌊'.repeat(201)] },
])('PUT with a name of many emoji: stored, or 422, but no outage', async (fields) => {
  const { status } = await send('PUT', '/v1/properties/emoji', { ...VILLA, ...fields });
  expect([200, 201, 422]).toContain(status);
  const { type = 'villa' } = (await send('GET', '/v1/properties/emoji')).body;
  const { types } = (await send('GET', '/v1/vocabulary')).body;
  expect(types.map(({ code }: { code: string }) => code)).toContain(type);
});

test.each(['%ED%A0%BD', '%zz', '%FF'])('PUT /v1/properties/%s: 400 bad_parameter', async (id) => {
  const sent = await send('PUT', `/v1/properties/${id}`, VILLA);
  expect(sent).toMatchObject({ status: 400, body: { code: 'bad_parameter' } });
});

test.each([
  ['PUT', '/v1/properties/q?Validate=true', 'Validate'],
  ['GET', '/v1/properties?status=Available&status=Sold', 'status'],
  ['DELETE', '/v1/properties/one?purge=false&purge=true', 'purge'],
  ['POST', '/v1/properties/batch?Atomic=true', 'Atomic'],
  ['GET', '/v1/developments?account=OTHER', 'account'],
])('%s %s: 400 bad_parameter, and nothing changes', async (method, path, name) => {
  const body = method === 'PUT' ? VILLA : method === 'POST' ? [] : undefined;
  const sent = await send(method, path, body);
  expect(sent).toMatchObject({ status: 400, body: { code: 'bad_parameter' } });
  expect(sent.body.detail).toContain(name);
  expect((await send('GET', '/v1/properties/one')).body.status).toBe('Available');
  expect((await send('GET', '/v1/properties/q')).status).toBe(404);
});
