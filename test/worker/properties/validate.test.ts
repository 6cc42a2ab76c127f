import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { property, store, VOCABULARY } from '../../support/accounts/portfolio.ts';
import {
  type Agency,
  DEVELOPMENT,
  obtainToken,
  openAgency,
  withToken,
} from '../../support/accounts/units.ts';
import { call } from '../../support/worker/api.ts';

const VILLA = {
  ref: 'R',
  type: 'Penthouse',
  status: 'Available',
  town: 'Nerja',
  province: 'Málaga',
};
const UNITS = `/v1/developments/${DEVELOPMENT}/units`;
const SOLD = { UntName: 'A-1', UntStatus: 4, UntPrice: 2, UntDirections: ['S'] };

let agency: Agency;
let headers: Record<string, string>;

beforeAll(async () => {
  const scopes = ['properties:read', 'properties:write', 'units:read', 'units:write'];
  agency = await openAgency('TRIALS', ['A-1'], scopes);
  headers = withToken(await obtainToken(agency));
  await store(env.DB, agency.accountId, [...VOCABULARY, property('stored')]);
});

const send = (method: string, path: string, body?: unknown, more: Record<string, string> = {}) =>
  call(method, path, body, { ...headers, ...more });

/** Everything of the account that a write could change. */
async function state(): Promise<unknown> {
  const tables = [
    'accounts',
    'properties',
    'units',
    'developments',
    'vocabulary',
    'property_history',
    'unit_history',
  ];
  const rows = tables.map((table) => {
    const account = table === 'accounts' ? 'id' : 'account_id';
    return env.DB.prepare(`SELECT * FROM ${table} WHERE ${account} = ?`)
      .bind(agency.accountId)
      .all()
      .then(({ results }) => results);
  });
  return Promise.all(rows);
}

/** The response to a write that is only tried, which must change nothing. */
async function tried(...sent: Parameters<typeof send>) {
  const before = await state();
  const response = await send(...sent);
  expect(await state()).toEqual(before);
  return response;
}

test('validate=true: PUT and PATCH say what the property would be, and what names were understood as', async () => {
  const put = await tried('PUT', '/v1/properties/new?validate=true', VILLA);
  expect(put).toMatchObject({
    status: 200,
    body: {
      property: { id: 'new', type: 'penthouse' },
      understood: [{ name: 'Penthouse', code: 'penthouse' }],
    },
  });
  expect(put.headers.get('ETag')).toBeNull();
  const patch = await tried('PATCH', '/v1/properties/stored?validate=true', { beds: 9 });
  expect(patch).toMatchObject({ status: 200, body: { property: { id: 'stored', beds: 9 } } });
});

test.each([
  ['PUT', 'new', { ...VILLA, beds: -1 }, {}, 422],
  ['PATCH', 'stored', { unit: { development: 'x', name: 'y' } }, {}, 422],
  ['PATCH', 'absent', { beds: 1 }, {}, 404],
  ['PUT', 'stored', VILLA, { 'If-None-Match': '*' }, 412],
  ['DELETE', 'absent', undefined, {}, 404],
  ['DELETE', 'stored', undefined, {}, 204],
])(
  'validate=true: %s of %s: the status that it would have',
  async (method, id, body, more, status) => {
    const response = await tried(method, `/v1/properties/${id}?validate=true`, body, more);
    expect(response.status).toBe(status);
  },
);

test('validate=true: DELETE with purge, and a batch: nothing is removed', async () => {
  expect((await tried('DELETE', '/v1/properties/stored?purge=true&validate=true')).status).toBe(
    204,
  );
  const operations = [
    { op: 'put', id: 'new', property: VILLA },
    { op: 'patch', id: 'stored', patch: { beds: 9 } },
    { op: 'delete', id: 'absent' },
  ];
  const { body } = await tried('POST', '/v1/properties/batch?validate=true', { operations });
  expect(body.results.map(({ code }: { code: string }) => code)).toEqual([
    ...['created', 'changed', 'property_not_found'],
  ]);
  const atomic = '/v1/properties/batch?validate=true&atomic=true';
  expect((await tried('POST', atomic, { operations })).status).toBe(404);
});

test('validate=true: updates of units say what the unit would be, or why not', async () => {
  const one = await tried('POST', `${UNITS}/update-by-name?validate=true`, SOLD);
  expect(one).toMatchObject({ status: 200, body: { UntStatus: 4, UntPrice: 2, version: 1 } });
  expect(one.headers.get('ETag')).toBeNull();
  const stale = { 'If-Match': '"7"' };
  expect((await tried('POST', `${UNITS}/update-by-name?validate=true`, SOLD, stale)).status).toBe(
    412,
  );
  const updates = [SOLD, { ...SOLD, UntName: 'a1' }, { ...SOLD, UntStatus: 3 }];
  const { body } = await tried('POST', `${UNITS}/update-many?validate=true`, updates);
  expect(body.results).toMatchObject([
    { code: 'changed' },
    { code: 'unit_not_found', similar: ['A-1'] },
    { code: 'invalid_fields' },
  ]);
});

test('validate=true: PUT of a development and of a unit say what there would be', async () => {
  const development = `/v1/developments/${DEVELOPMENT}`;
  const renamed = await tried('PUT', `${development}?validate=true`, { name: 'Another' });
  expect(renamed).toMatchObject({ status: 200, body: { name: 'Another', units: 1 } });
  const created = await tried('PUT', '/v1/developments/new?validate=true', { name: 'New' });
  expect(created).toMatchObject({ status: 200, body: { development_id: 'new', units: 0 } });
  expect((await tried('PUT', '/v1/developments/new?validate=true', {})).status).toBe(422);
  const { UntName: _, ...values } = SOLD;
  for (const name of ['A-1', 'new']) {
    const unit = await tried('PUT', `${UNITS}/${name}?validate=true`, values);
    expect(unit).toMatchObject({ status: 200, body: { UntName: name, UntStatus: 4, version: 1 } });
    expect(unit.headers.get('ETag')).toBeNull();
  }
  const exists = { 'If-None-Match': '*' };
  expect((await tried('PUT', `${UNITS}/A-1?validate=true`, values, exists)).status).toBe(412);
});
