import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { parseDocument } from '../../../src/properties/documents.ts';
import { store, VOCABULARY } from '../../support/accounts/portfolio.ts';
import { type Agency, obtainToken, openAgency, withToken } from '../../support/accounts/units.ts';
import { call } from '../../support/worker/api.ts';

let agency: Agency;
let headers: Record<string, string>;

beforeAll(async () => {
  agency = await openAgency('LABELS', [], ['properties:read', 'properties:write']);
  headers = withToken(await obtainToken(agency));
  await store(env.DB, agency.accountId, [
    ...VOCABULARY,
    parseDocument({ kind: 'development', id: 'd', name: 'D' }),
    parseDocument({
      ...{ kind: 'unit', development: 'd', name: 'A', status: 1, price: 1 },
      directions: ['s', 'sea'],
    }),
  ]);
  const body = {
    ...{ ref: 'R', type: 'apartment-ground', status: 'Available', town: 'Nerja' },
    ...{ province: 'Málaga', offers: { sale: { price: 1 } } },
    features: ['Setting: Frontline Golf', 'Zip line'],
    unit: { development: 'd', name: 'A' },
  };
  await send('PUT', '/v1/properties/p', body);
});

const send = (method: string, path: string, body?: unknown, more: Record<string, string> = {}) =>
  call(method, path, body, { ...headers, ...more });

test('GET /v1/vocabulary: types and features in every language, and a 304 until it changes', async () => {
  const { status, body, headers: sent } = await send('GET', '/v1/vocabulary');
  expect(status).toBe(200);
  const type = body.types.find(({ code }: { code: string }) => code === 'apartment-ground');
  expect(type.labels.es).toMatchObject({ type: 'Apartamento' });
  expect(Object.keys(type.labels)).toHaveLength(10);
  const codes = body.features.map(({ code }: { code: string }) => code);
  expect(codes).toContain('Setting: Frontline Golf');
  const condition = { 'If-None-Match': sent.get('ETag')! };
  expect((await send('GET', '/v1/vocabulary', undefined, condition)).status).toBe(304);
  await send('PATCH', '/v1/properties/p', { features: ['Another', 'Zip line'] });
  expect((await send('GET', '/v1/vocabulary', undefined, condition)).status).toBe(200);
  await send('PATCH', '/v1/properties/p', { features: ['Setting: Frontline Golf', 'Zip line'] });
});

test('labels=es: lists of properties and of changes say what their types and features are called', async () => {
  const { labels } = (await send('GET', '/v1/properties?labels=es')).body;
  expect(labels).toEqual({
    types: { 'apartment-ground': { type: 'Apartamento', subtype: expect.stringMatching(/baja/i) } },
    features: {
      'Setting: Frontline Golf': { category: 'Ubicación', feature: expect.stringMatching(/golf/i) },
      'Zip line': { category: expect.any(String), feature: 'Zip line' },
    },
  });
  const { body } = await send('GET', '/v1/changes?labels=es');
  expect(body.labels.types).toEqual(labels.types);
  expect(body.changes[0].property.features).toContain('Orientation: South');
  expect(body.labels.features['Orientation: South'].feature).toBe('Sur');
  expect(body.labels.features).not.toHaveProperty('Orientation: sea');
  expect((await send('GET', '/v1/changes')).body).not.toHaveProperty('labels');
  expect((await send('GET', '/v1/changes?labels=xx')).status).toBe(400);
});
