import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseDocument } from '../../../src/properties/documents.ts';
import { property, store, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { type Agency, obtainToken, openAgency, withToken } from '../../support/accounts/units.ts';
import { call } from '../../support/worker/api.ts';

const SCOPES = [
  'properties:read',
  'properties:write',
  'units:read',
  'units:write',
  'readers:write',
];

let agency: Agency;
let headers: Record<string, string>;

beforeAll(async () => {
  agency = await openAgency('BOUNDS', [], SCOPES);
  headers = withToken(await obtainToken(agency));
  await store(env.DB, agency.accountId, [
    ...VOCABULARY,
    parseDocument({ kind: 'development', id: 'A\u0301tico', name: 'Ático' }),
    parseDocument({ kind: 'unit', development: 'Ático', name: 'A', status: 1, price: 1 }),
    property('unplaced', { town: '' }),
  ]);
});

const VILLA = { ref: 'R', type: 'villa', status: 'Available', town: 'Nerja', province: 'Málaga' };

const send = (method: string, path: string, body?: unknown, more: Record<string, string> = {}) =>
  call(method, path, body, { ...headers, ...more });

const pointers = ({ body }: Awaited<ReturnType<typeof send>>) =>
  body.errors?.map(({ pointer }: { pointer: string }) => pointer);

describe('PUT of a property', () => {
  test.each([
    ['a negative price', { offers: { sale: { price: -1 } } }, '/offers/sale/price'],
    ['1e308', { offers: { sale: { price: 1e308 } } }, '/offers/sale/price'],
    [
      'a negative minimum',
      { offers: { sale: { minimum_price: -0.5 } } },
      '/offers/sale/minimum_price',
    ],
    ['a negative rent', { offers: { long_term: { rent: -1 } } }, '/offers/long_term/rent'],
    ['a negative week', { offers: { short_term: { low: -1 } } }, '/offers/short_term/low'],
    ['a fee of more than a trillion', { community_fees: 1e12 + 1 }, '/community_fees'],
    ['an empty town', { town: '' }, '/town'],
    ['a blank province', { province: ' ' }, '/province'],
    ['a town that cannot be seen', { town: '\u200b' }, '/town'],
    ['a type that cannot be seen', { type: '\u200b' }, '/type'],
    ['a listing of the future', { listed_at: '2099-01-01T00:00:00Z' }, '/listed_at'],
    ['a picture that is a script', { pictures: ['javascript:alert(1)'] }, '/pictures/0'],
    ['a picture on a disk', { pictures: ['https://a.example/1', 'C:\\foto.jpg'] }, '/pictures/1'],
  ])('with %s: 422 that names it', async (_, fields, pointer) => {
    const wrong = await send('PUT', '/v1/properties/bounds', { ...VILLA, ...fields });
    expect([wrong.status, pointers(wrong)]).toEqual([422, [pointer]]);
    await send('PUT', '/v1/properties/bounds', VILLA);
    const patch = await send('PATCH', '/v1/properties/bounds', fields);
    expect([patch.status, pointers(patch)]).toEqual([422, [pointer]]);
  });

  test('with amounts of a trillion and of nothing: stored', async () => {
    const offers = { sale: { price: 1e12, minimum_price: 0 } };
    const { body } = await send('PUT', '/v1/properties/bounds', { ...VILLA, offers });
    expect(body.property.offers.sale).toEqual(offers.sale);
  });

  test('with a feature twice, or under two names: it counts once', async () => {
    const features = ['Gym', 'gym', 'Gym'];
    const { status, body } = await send('PUT', '/v1/properties/twice', { ...VILLA, features });
    expect([status, body.property.features.length]).toEqual([201, 1]);
  });

  test('under an id that no property can have: 400 that names the parameter, and no error of the body', async () => {
    for (const id of ['x'.repeat(101), '%20x', '%E2%80%8B']) {
      const { status, body } = await send('PUT', `/v1/properties/${id}`, VILLA);
      expect([status, body.code, body.errors]).toEqual([400, 'bad_parameter', undefined]);
      expect(body.detail).toMatch(/^id /);
    }
  });
});

test('PATCH of a property that an import has left without a town: only its town must be one', async () => {
  const { status, body } = await send('PATCH', '/v1/properties/unplaced', { beds: 4 });
  expect([status, body.property.beds, body.property.town]).toEqual([200, 4, '']);
  expect((await send('PATCH', '/v1/properties/unplaced', { town: ' ' })).status).toBe(422);
});

test('ids in another normal form of Unicode: the same property, the same development', async () => {
  const [composed, decomposed] = ['\u00c1tico', 'A\u0301tico'].map(encodeURIComponent);
  const put = await send('PUT', `/v1/properties/${decomposed}`, VILLA);
  expect([put.status, put.body.property.id]).toEqual([201, 'Ático']);
  expect((await send('PUT', `/v1/properties/${composed}`, VILLA)).status).toBe(200);
  expect((await send('GET', `/v1/properties/${decomposed}`)).body.id).toBe('Ático');
  expect((await send('PUT', `/v1/developments/${decomposed}`, { name: 'Ático' })).status).toBe(200);
  const update = { UntName: 'A', UntStatus: 2, UntPrice: 2, UntDirections: [] };
  const path = `/v1/developments/${decomposed}/units/update-by-name`;
  expect((await send('POST', path, update)).body).toMatchObject({ development_id: 'Ático' });
  const unit = { development: 'A\u0301tico', name: 'A' };
  const joined = await send('PUT', '/v1/properties/joined', { ...VILLA, unit });
  expect(joined.body.property.unit).toEqual({ development: 'Ático', name: 'A' });
  const added = await send('POST', '/v1/channels/coast/add', { properties: ['A\u0301tico'] });
  expect(added.body).toMatchObject({ changed: 1, unknown_properties: [] });
});

test.each([
  '/v1/properties?cursor=',
  '/v1/properties?limit=',
  '/v1/changes?after=',
  '/v1/developments?cursor=',
])('GET %s: 400, as for every parameter without a value', async (path) => {
  expect(await send('GET', path)).toMatchObject({ status: 400, body: { code: 'bad_parameter' } });
});
