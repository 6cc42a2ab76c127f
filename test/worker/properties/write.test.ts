import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { changeImportNames } from '../../../src/imports/runs/sources.ts';
import { parseDocument } from '../../../src/properties/documents.ts';
import { property, store, VOCABULARY } from '../../support/accounts/portfolio.ts';
import {
  type Agency,
  ask,
  obtainToken,
  openAgency,
  withToken,
} from '../../support/accounts/units.ts';
import { withTasks } from '../../support/accounts/webhooks.ts';
import { feedUrl } from '../../support/documents/feed.ts';
import { call } from '../../support/worker/api.ts';
import { ask as complete } from '../../support/worker/ask.ts';

const SCOPES = ['properties:read', 'properties:write', 'units:read'];

let agency: Agency;
let headers: Record<string, string>;

beforeAll(async () => {
  agency = await openAgency('PROPERTIES', [], SCOPES);
  headers = withToken(await obtainToken(agency));
  await store(env.DB, agency.accountId, [
    ...VOCABULARY,
    parseDocument({ kind: 'development', id: 'd', name: 'D' }),
    ...['A', 'É', 'moved'].map((name) =>
      parseDocument({ kind: 'unit', development: 'd', name, status: 1, price: 1 }),
    ),
    property('held', { unit: { development: 'd', name: 'A' } }),
  ]);
});

const VILLA = {
  ref: 'R',
  type: 'villa',
  status: 'Available',
  town: 'Nerja',
  province: 'Málaga',
  offers: { sale: { price: 250_000 } },
  features: ['Sea'],
};

const send = (method: string, path: string, body?: unknown, more: Record<string, string> = {}) =>
  call(method, `/v1/properties${path}`, body, { ...headers, ...more });

async function revisions() {
  return env.DB.prepare('SELECT changes, vocabulary FROM accounts WHERE id = ?')
    .bind(agency.accountId)
    .first();
}

describe('PUT', () => {
  test('of a new property: 201, then GET gives it with the same ETag; again: 200, and nothing advances', async () => {
    const created = await send('PUT', '/p1', VILLA);
    expect(created).toMatchObject({
      status: 201,
      body: { property: { id: 'p1', town: 'Nerja' }, understood: [] },
    });
    expect(created.headers.get('Location')).toBe('/v1/properties/p1');
    const read = await send('GET', '/p1');
    expect(read).toMatchObject({ status: 200, body: created.body.property });
    expect(read.headers.get('ETag')).toBe(created.headers.get('ETag'));
    const before = await revisions();
    const again = await send('PUT', '/p1', VILLA);
    expect([again.status, again.headers.get('ETag')]).toEqual([200, created.headers.get('ETag')]);
    expect(await revisions()).toEqual(before);
    expect((await send('PUT', '/p1', created.body.property)).status).toBe(200);
    expect(await revisions()).toEqual(before);
  });

  test('without the time of its listing: the property keeps it; of a unit by its name in another normal form: its unit', async () => {
    const listed_at = '2026-01-02T03:04:05Z';
    await send('PUT', '/listed', { ...VILLA, listed_at });
    const { body } = await send('PUT', '/listed', {
      ...VILLA,
      unit: { development: 'd', name: 'E\u0301' },
    });
    expect(body.property).toMatchObject({ listed_at, unit: { name: 'É' } });
  });

  test('of a change: every feed requested a second later shows it', async () => {
    const url = feedUrl(`U=OWNPROPERTIES@${agency.code}&P=demo&FV=3`);
    const feed = async () => (await complete(url)).text;
    await send('PUT', '/shown', VILLA);
    vi.setSystemTime(Date.now() + 2_000);
    try {
      expect(await feed()).toContain('<id>shown</id>');
      await send('PUT', '/shown', { ...VILLA, town: 'Frigiliana' });
      vi.setSystemTime(Date.now() + 2_000);
      expect(await feed()).toContain('Frigiliana');
      await send('DELETE', '/shown');
      vi.setSystemTime(Date.now() + 2_000);
      expect(await feed()).not.toContain('<id>shown</id>');
    } finally {
      vi.useRealTimers();
    }
  });

  test('with names that are no codes of the account: matched as in an import, and reported', async () => {
    const { body } = await send('PUT', '/names', {
      ...VILLA,
      type: 'Penthouse',
      features: ['Sea', 'Communal pool', 'Golf', 'Zip line', 'comunal pools'],
    });
    expect(body.property).toMatchObject({
      type: 'penthouse',
      features: ['Sea', 'Pool: Communal', 'Golf', 'Zip line', 'comunal pools'],
    });
    expect(body.understood).toEqual([
      { kind: 'type', name: 'Penthouse', code: 'penthouse', unknown: false },
      { kind: 'feature', name: 'Communal pool', code: 'Pool: Communal', unknown: false },
      { kind: 'feature', name: 'Zip line', code: 'Zip line', unknown: true },
      { kind: 'feature', name: 'comunal pools', code: 'comunal pools', unknown: true },
    ]);
    const again = await send('PUT', '/names', {
      ...VILLA,
      type: 'penthouse',
      features: ['Zip line', 'Piscina comunitaria'],
    });
    expect(again.body).toMatchObject({
      property: { features: ['Zip line', 'Pool: Communal'] },
      understood: [{ name: 'Piscina comunitaria', code: 'Pool: Communal' }],
    });
  });

  test('with names that the account has mapped: what it has said they mean, in PUT, PATCH and batch', async () => {
    const { accountId } = agency;
    await changeImportNames(env.DB, accountId, {
      types: { Casita: 'villa' },
      features: { 'Alberca grande': 'Pool: Communal' },
    });
    const property = { ...VILLA, type: 'casita', features: ['ALBERCA GRANDE', 'Sea'] };
    const { body } = await send('PUT', '/mapped', property);
    expect(body).toMatchObject({
      property: { type: 'villa', features: ['Pool: Communal', 'Sea'] },
      understood: [
        { kind: 'type', name: 'casita', code: 'villa', unknown: false },
        { kind: 'feature', name: 'ALBERCA GRANDE', code: 'Pool: Communal', unknown: false },
      ],
    });
    expect(
      (await send('PATCH', '/mapped', { features: ['alberca grande'] })).body.property.features,
    ).toEqual(['Pool: Communal']);
    const operations = [{ op: 'put', id: 'mapped-2', property }];
    expect((await send('POST', '/batch', { operations })).body.results).toMatchObject([
      { status: 201 },
    ]);
    expect((await send('GET', '/mapped-2')).body.features).toEqual(['Pool: Communal', 'Sea']);
    await changeImportNames(env.DB, accountId, {
      types: { Casita: null },
      features: { 'Alberca grande': null },
    });
    expect((await send('PUT', '/unmapped', property)).body.understood).toContainEqual({
      kind: 'feature',
      name: 'ALBERCA GRANDE',
      code: 'ALBERCA GRANDE',
      unknown: true,
    });
  });

  test.each<[string, Record<string, string>, number]>([
    ['If-None-Match: * of one that exists', { 'If-None-Match': '*' }, 412],
    ['If-Match of another state', { 'If-Match': '"x"' }, 412],
    ['If-Match: *', { 'If-Match': '*' }, 200],
  ])('%s: %i', async (_, condition, status) => {
    await send('PUT', '/conditional', VILLA);
    const before = await send('GET', '/conditional');
    const { status: actual } = await send('PUT', '/conditional', { ...VILLA, beds: 3 }, condition);
    expect(actual).toBe(status);
    if (status === 412) expect((await send('GET', '/conditional')).body).toEqual(before.body);
  });

  test('If-Match: * of one that does not exist: 412; with the ETag of the last state: 200', async () => {
    const absent = await send('PUT', '/absent', VILLA, { 'If-Match': '*' });
    expect([absent.status, absent.body.detail]).toEqual([412, 'The property does not exist.']);
    expect((await send('PUT', '/absent', VILLA, { 'If-None-Match': '*' })).status).toBe(201);
    const etag = (await send('GET', '/absent')).headers.get('ETag')!;
    expect((await send('PUT', '/absent', { ...VILLA, beds: 9 }, { 'If-Match': etag })).status).toBe(
      200,
    );
    expect((await send('PUT', '/absent', { ...VILLA, beds: 8 }, { 'If-Match': etag })).status).toBe(
      412,
    );
  });

  test('repeated with the If-Match that it has used up, PUT, PATCH and DELETE: as the first time', async () => {
    await send('PUT', '/repeated', VILLA);
    const requests: [string, object | undefined][] = [
      ['PUT', { ...VILLA, type: 'Villa', beds: 9 }],
      ['PATCH', { beds: 10 }],
      ['DELETE', undefined],
    ];
    for (const [method, body] of requests) {
      const condition = { 'If-Match': (await send('GET', '/repeated')).headers.get('ETag')! };
      const first = await send(method, '/repeated', body, condition);
      const again = await send(method, '/repeated', body, condition);
      expect([again.status, again.body]).toEqual([first.status, first.body]);
      expect((await send('PATCH', '/repeated', { beds: 11 }, condition)).status).toBe(412);
    }
  });

  test.each<[string, object, string]>([
    ['an unknown field', { ...VILLA, colour: 1 }, '/colour'],
    ['a missing field', { ...VILLA, town: undefined }, '/town'],
    ['another id', { ...VILLA, id: 'other' }, '/id'],
    ['a type that is blank', { ...VILLA, type: ' ' }, '/type'],
    ['a feature that is blank', { ...VILLA, features: ['Sea', ' '] }, '/features/1'],
    ['a missing unit', { ...VILLA, unit: { development: 'd', name: 'Z' } }, '/unit'],
    ['the unit of another property', { ...VILLA, unit: { development: 'd', name: 'A' } }, '/unit'],
    [
      'a text that is too long',
      { ...VILLA, texts: { uk: { description: 'x'.repeat(65_537) } } },
      '/texts/uk/description',
    ],
    [
      'more than 1,000 channels',
      { ...VILLA, channels: Array.from({ length: 1_001 }, (_, i) => `c${i}`) },
      '/channels',
    ],
    [
      'more than 64 restrictions',
      { ...VILLA, restrictions: Array(65).fill('not_abroad') },
      '/restrictions',
    ],
    ['a picture that is no text', { ...VILLA, pictures: ['https://a.example', 7] }, '/pictures/1'],
  ])('with %s: 422 that names it, and nothing is stored', async (_, body, pointer) => {
    const result = await send('PUT', '/invalid', body);
    expect(result).toMatchObject({
      status: 422,
      body: { code: 'invalid_fields', errors: [{ pointer }] },
    });
    expect((await send('GET', '/invalid')).status).toBe(404);
  });

  test('of an id that differs from another only by -LT: 422', async () => {
    await send('PUT', '/suffix', VILLA);
    expect(await send('PUT', '/suffix-LT', VILLA)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/id' }] },
    });
  });

  test('without channels: the property stays in its channels', async () => {
    await send('PUT', '/channels', { ...VILLA, channels: ['coast'] });
    expect((await send('PUT', '/channels', { ...VILLA, beds: 2 })).body.property.channels).toEqual([
      'coast',
    ]);
    expect(
      (await send('PUT', '/channels', { ...VILLA, channels: [] })).body.property.channels,
    ).toEqual([]);
  });
});

describe('PATCH', () => {
  test('a member __proto__: 422, as any other that is unknown', async () => {
    await send('PUT', '/proto', VILLA);
    const sent = await send('PATCH', '/proto', JSON.parse('{"__proto__": {"beds": 2}}'));
    expect(sent).toMatchObject({
      status: 422,
      body: { errors: [{ code: 'unknown_field' }] },
    });
  });

  test('that ends the sale of a property also for rent: its record in every feed has a later time, also as a rental, by its other id in Kyero', async () => {
    const both = { sale: { price: 1 }, long_term: { rent: 2 } };
    const { body: before } = await send('PUT', '/both', { ...VILLA, offers: both });
    const { body: after } = await send('PATCH', '/both', { offers: { sale: null } });
    expect(after.property.updated_at > before.property.updated_at).toBe(true);
  });

  test('merges objects, replaces lists, and null restores the default; another field stays', async () => {
    await send('PUT', '/patched', {
      ...VILLA,
      beds: 3,
      area: 'Centro',
      offers: { sale: { price: 1 }, long_term: { rent: 2 } },
    });
    const patch = {
      area: null,
      offers: { sale: { price: 5 } },
      features: ['Golf'],
      texts: { es: { title: 'Uno' } },
    };
    const patched = await send('PATCH', '/patched', patch, {
      'Content-Type': 'application/merge-patch+json',
    });
    expect(patched).toMatchObject({
      status: 200,
      body: {
        property: {
          beds: 3,
          area: null,
          offers: { sale: { price: 5, minimum_price: 0 }, long_term: { rent: 2 } },
          features: ['Golf'],
          texts: { es: { title: 'Uno' } },
        },
      },
    });
    const emptied = (await send('PATCH', '/patched', { features: null, texts: { es: null } })).body
      .property;
    expect([emptied.features, emptied.texts]).toEqual([[], {}]);
    expect(await send('PATCH', '/patched', { town: null })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/town' }] },
    });
    expect((await send('PATCH', '/patched', { type: '\ud800' })).status).toBe(422);
    expect((await send('PATCH', '/nowhere', {})).status).toBe(404);
  });

  test('of one that another client changes at the same time: both changes remain', async () => {
    await send('PUT', '/both', VILLA);
    const results = await Promise.all(
      [{ beds: 7 }, { town: 'Ronda' }, { area: 'A' }, { floor: '3' }].map((patch) =>
        send('PATCH', '/both', patch),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await send('GET', '/both')).body).toMatchObject({
      beds: 7,
      town: 'Ronda',
      area: 'A',
      floor: '3',
    });
  });
});

describe('DELETE', () => {
  test('withdraws; again: 204; with purge=true: removes for good; then: 404; one of another account stays', async () => {
    const other = await openAgency('KEPT', [], SCOPES);
    await store(env.DB, other.accountId, [...VOCABULARY, property('gone')]);
    const token = withToken(await obtainToken(other));
    await send('PUT', '/gone', VILLA);
    expect((await send('DELETE', '/gone', undefined, { 'If-Match': '"x"' })).status).toBe(412);
    expect((await send('DELETE', '/gone')).status).toBe(204);
    expect((await send('GET', '/gone')).body.status).toBe('Withdrawn');
    const before = await revisions();
    expect((await send('DELETE', '/gone')).status).toBe(204);
    expect(await revisions()).toEqual(before);
    expect((await send('DELETE', '/gone?purge=true')).status).toBe(204);
    for (const method of ['GET', 'DELETE']) expect((await send(method, '/gone')).status).toBe(404);
    expect((await call('GET', '/v1/properties/gone', undefined, token)).body.status).toBe(
      'Available',
    );
    const { env: bindings, tasks } = withTasks();
    expect((await send('PUT', '/gone', VILLA)).status).toBe(201);
    await call('DELETE', '/v1/properties/gone?purge=true', undefined, headers, bindings);
    expect(tasks).toMatchObject([{ task: { kind: 'webhooks' } }]);
  });
});

describe('GET /v1/properties', () => {
  test('pages by cursor, and filters by status and time', async () => {
    const own = await openAgency('LISTED', [], SCOPES);
    const token = withToken(await obtainToken(own));
    await store(env.DB, own.accountId, [
      ...VOCABULARY,
      property('a', { updated_at: '2026-01-01T00:00:00Z' }),
      property('b', { updated_at: '2026-01-02T00:00:00Z', status: 'Withdrawn' }),
      property('c', { updated_at: '2026-01-02T00:00:00Z' }),
    ]);
    const list = async (query: string) => {
      const response = await ask(`/v1/properties?${query}`, { headers: token });
      const { properties } = await response.json<{ properties: { id: string }[] }>();
      return {
        ids: properties.map(({ id }) => id),
        next: /<([^>]+)>/.exec(response.headers.get('Link') ?? '')?.[1],
      };
    };
    const first = await list('limit=2');
    expect(first.ids).toEqual(['a', 'b']);
    expect((await list(first.next!.split('?')[1]!)).ids).toEqual(['c']);
    expect((await list('status=Withdrawn')).ids).toEqual(['b']);
    expect((await list('changed_after=2026-01-01T00:00:00Z')).ids).toEqual(['b', 'c']);
    expect((await list('changed_after=2026-01-01T00:00:00Z&status=Available')).ids).toEqual(['c']);
    expect((await ask(`/v1/properties?cursor=${btoa('abc')}`, { headers: token })).status).toBe(
      400,
    );
    for (const wrong of ['yesterday', '2026-13-45T00:00:00Z']) {
      const bad = await ask(`/v1/properties?changed_after=${wrong}`, { headers: token });
      const { detail } = await bad.json<{ detail: string }>();
      expect([bad.status, detail]).toEqual([
        400,
        expect.stringMatching(/^changed_after must be a UTC time/),
      ]);
    }
  });
});

test('GET /v1/properties of what has changed, after a property was withdrawn: the property; after nothing: none', async () => {
  await send('PUT', '/left', VILLA);
  const since = (await send('GET', '/left')).body.updated_at;
  const changed = async () =>
    (await send('GET', `?changed_after=${since}`)).body.properties.map(
      ({ id }: { id: string }) => id,
    );
  expect(await changed()).not.toContain('left');
  await send('DELETE', '/left');
  expect(await changed()).toContain('left');
});

test('GET /v1/properties and /v1/changes of more than 4 MiB of texts: several pages', async () => {
  const own = await openAgency('LENGTHY', [], SCOPES);
  const token = withToken(await obtainToken(own));
  const description = 'x'.repeat(65_000);
  const texts = Object.fromEntries(
    ['uk', 'es', 'de', 'fr', 'nl', 'da', 'ru', 'sv', 'pl', 'no'].map((l) => [l, { description }]),
  );
  await store(env.DB, own.accountId, [
    ...VOCABULARY,
    ...[...'abcdefghij'].map((id) => property(id, { texts })),
  ]);
  const pages = { properties: [] as number[], changes: [] as number[] };
  for (let path: string | undefined = '/v1/properties?limit=500'; path !== undefined; ) {
    const response = await ask(path, { headers: token });
    pages.properties.push((await response.json<{ properties: [] }>()).properties.length);
    path = /<([^>]+)>/.exec(response.headers.get('Link') ?? '')?.[1];
  }
  for (let [after, isMore] = ['', true]; isMore; ) {
    const response = await ask(`/v1/changes?limit=500${after}`, { headers: token });
    const { changes, next, has_more } = await response.json<{
      changes: [];
      next: string;
      has_more: boolean;
    }>();
    pages.changes.push(changes.length);
    [after, isMore] = [`&after=${next}`, has_more];
  }
  expect(pages).toEqual({ properties: [6, 4], changes: [6, 4] });
});

describe('POST /v1/properties/batch', () => {
  const results = async (query: string, operations: readonly object[]) => {
    const { status, body } = await send('POST', `/batch${query}`, { operations });
    expect(status).toBe(200);
    return body.results.map(
      ({ id, status, code }: { id: string; status: number; code: string }) => [id, status, code],
    );
  };

  test('each operation has its result, and those that fail do not stop the others', async () => {
    await send('PUT', '/b1', VILLA);
    expect(
      await results('', [
        { op: 'put', id: 'b2', property: VILLA },
        { op: 'patch', id: 'b1', patch: { beds: 4 } },
        { op: 'patch', id: 'b1', patch: { beds: 5 } },
        { op: 'delete', id: 'b0' },
        { op: 'put', id: 'b3', property: { ...VILLA, beds: -1 } },
        { op: 'put', id: 'b4', property: { ...VILLA, unit: { development: 'd', name: 'A' } } },
        { op: 'put', id: 'b1', property: VILLA, if_none_match: '*' },
        { op: 'delete', id: 'held', purge: true, if_match: '"x"' },
        { op: 'fly', id: 'b5' },
        { op: 'delete' },
      ]),
    ).toEqual([
      ['b2', 201, 'created'],
      ['b1', 200, 'changed'],
      ['b1', 422, 'invalid_fields'],
      ['b0', 404, 'property_not_found'],
      ['b3', 422, 'invalid_fields'],
      ['b4', 422, 'invalid_fields'],
      ['b1', 422, 'invalid_fields'],
      ['held', 412, 'precondition_failed'],
      ['b5', 422, 'invalid_fields'],
      [null, 422, 'invalid_fields'],
    ]);
    expect((await send('GET', '/b1')).body.beds).toBe(4);
    expect((await send('GET', '/held')).status).toBe(200);
  });

  test('an operation that does not exist: 422 that names those that do', async () => {
    const { body } = await send('POST', '/batch', { operations: [{ op: 'fly', id: 'b5' }] });
    expect(body.results[0].errors).toEqual([
      {
        pointer: '/op',
        code: 'not_one_of',
        parameters: { allowed: ['put', 'patch', 'delete'] },
        detail: expect.any(String),
      },
    ]);
  });

  test.each([
    ['fails', { op: 'delete', id: 'b0' }, [404, 'property_not_found'], ''],
    [
      'is invalid',
      { op: 'put', id: 'b9', property: { ...VILLA, beds: -1 } },
      [422, 'invalid_fields'],
      '/property/beds',
    ],
    [
      'is invalid once it is applied',
      { op: 'patch', id: 'held', patch: { beds: -1 } },
      [422, 'invalid_fields'],
      '/patch/beds',
    ],
    [
      'has changed',
      { op: 'delete', id: 'held', if_match: '"x"' },
      [412, 'precondition_failed'],
      '',
    ],
  ])(
    'atomic=true, and one %s: none is applied, and its error says where',
    async (_, bad, failure, pointer) => {
      const before = await revisions();
      const operations = [{ op: 'put', id: 'b8', property: VILLA }, bad];
      const { status, body } = await send('POST', '/batch?atomic=true', { operations });
      expect([status, body.code]).toEqual(failure);
      expect(body.errors).toMatchObject([{ pointer: `/operations/1${pointer}` }]);
      expect((await send('GET', '/b8')).status).toBe(404);
      expect(await revisions()).toEqual(before);
    },
  );

  test('atomic=true of 500 operations: all are applied in one transaction', async () => {
    const operations = Array.from({ length: 500 }, (_, index) => ({
      op: 'put',
      id: `many${index}`,
      property: VILLA,
    }));
    const all = await results('?atomic=true', operations);
    expect(all).toHaveLength(500);
    expect(new Set(all.map(([, status]: [string, number]) => status))).toEqual(new Set([201]));
    expect(
      (await send('POST', '/batch', { operations: [...operations, operations[0]] })).status,
    ).toBe(422);
  });
});

test('a unit moves from one property to another in one batch: both can be changed afterwards', async () => {
  const from = await send('PUT', '/from', { ...VILLA, unit: { development: 'd', name: 'moved' } });
  expect([from.status, from.body.errors]).toEqual([201, undefined]);
  await send('PUT', '/to', VILLA);
  const operations = [
    { op: 'patch', id: 'from', patch: { unit: null } },
    { op: 'patch', id: 'to', patch: { unit: { development: 'd', name: 'moved' } } },
  ];
  expect((await send('POST', '/batch?atomic=true', { operations })).status).toBe(200);
  for (const id of ['from', 'to'])
    expect((await send('PATCH', `/${id}`, { ref: 'later' })).status).toBe(200);
  const { results } = await env.DB.prepare(
    `SELECT h.document ->> '$.unit.name' AS unit FROM property_history h JOIN properties p ON p.id = h.property_id
      WHERE p.account_id = ? AND p.identifier = 'from' ORDER BY h.change`,
  )
    .bind(agency.accountId)
    .all();
  expect(results).toEqual([{ unit: 'moved' }, { unit: null }]);
  await send('PATCH', '/to', { unit: null });
});

test('a unit moves from a property that is withdrawn in the same batch, in either order', async () => {
  const unit = { development: 'd', name: 'moved' };
  await send('PUT', '/leaving', { ...VILLA, unit });
  const batch = (operations: object[]) => send('POST', '/batch?atomic=true', { operations });
  const taking = (id: string) => ({ op: 'put', id, property: { ...VILLA, unit } });
  const first = await batch([{ op: 'delete', id: 'leaving' }, taking('next')]);
  expect(first.body.results).toMatchObject([{ status: 200 }, { status: 201 }]);
  expect((await send('GET', '/leaving')).body).toMatchObject({ status: 'Withdrawn', unit: null });
  const second = await batch([taking('last'), { op: 'delete', id: 'next' }]);
  expect(second.body.results).toMatchObject([{ status: 201 }, { status: 200 }]);
  expect((await send('GET', '/last')).body.unit).toEqual(unit);
  const withdrawn = { ...VILLA, unit, status: 'Withdrawn' };
  const both = await batch([
    { op: 'delete', id: 'last' },
    { op: 'put', id: 'other', property: withdrawn },
  ]);
  expect(both).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: '/operations/1/property/unit' }] },
  });
  await send('PATCH', '/last', { unit: null });
});

test('types and features that only failed operations name: they are not created', async () => {
  const operations = [
    {
      op: 'put',
      id: 'invalid',
      property: { ...VILLA, beds: -1, type: 'Igloo', features: ['Ice'] },
    },
    { op: 'patch', id: 'nowhere', patch: { features: ['Snow'] } },
    {
      op: 'put',
      id: 'conflicting',
      property: { ...VILLA, features: ['Frost'], unit: { development: 'd', name: 'A' } },
    },
    { op: 'put', id: 'valid', property: { ...VILLA, features: ['Hail', 'Private pool'] } },
  ];
  const { body } = await send('POST', '/batch', { operations });
  expect(body.results.map(({ status }: { status: number }) => status)).toEqual([
    422, 404, 422, 201,
  ]);
  const { results } = await env.DB.prepare(
    `SELECT code FROM vocabulary WHERE account_id = ? AND code IN ('Igloo', 'Ice', 'Snow', 'Frost', 'Hail')`,
  )
    .bind(agency.accountId)
    .all();
  expect(results).toEqual([{ code: 'Hail' }]);
});

test('PUT again of a property with a time in the future: nothing is recorded, and it can be changed afterwards', async () => {
  const updated_at = new Date(Date.now() + 100_000_000).toISOString().replace(/\.\d+/, '');
  await send('PUT', '/ahead', { ...VILLA, updated_at });
  // Whatever the second in which the next request is handled.
  await env.DB.prepare(
    "UPDATE properties SET changed_at = unixepoch() + 60 WHERE identifier = 'ahead'",
  ).run();
  expect((await send('PUT', '/ahead', { ...VILLA, updated_at })).status).toBe(200);
  expect((await send('PATCH', '/ahead', { ref: 'later' })).status).toBe(200);
  expect((await send('GET', '/ahead')).body.ref).toBe('later');
});

test.each([{ type: ' \u0000a' }, { features: [' \u0000a'] }])('PATCH of %j: 422', async (patch) => {
  await send('PUT', '/nul', VILLA);
  const answer = await send('PATCH', '/nul', patch);
  expect([answer.status, answer.body]).toEqual([422, expect.anything()]);
});

test('another account’s property: 404 for every method, and it stays as it is', async () => {
  const other = await openAgency('NEIGHBOUR', [], SCOPES);
  await store(env.DB, other.accountId, [...VOCABULARY, property('theirs')]);
  for (const [method, body] of [['GET'], ['PATCH', { beds: 1 }], ['DELETE']] as const) {
    expect((await send(method, '/theirs', body)).status).toBe(404);
  }
  expect((await send('PUT', '/theirs', VILLA)).status).toBe(201);
  const token = withToken(await obtainToken(other));
  const response = await ask('/v1/properties/theirs', { headers: token });
  expect(await response.json()).toMatchObject({ town: 'Marbella' });
});
