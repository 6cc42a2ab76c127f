import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { findAccount } from '../../../src/accounts/accounts.ts';
import { findReader, updateReader } from '../../../src/readers/readers.ts';
import { SOMEBODY } from '../../support/accounts/portfolio.ts';
import { openChannel, openReader } from '../../support/accounts/readers.ts';
import { obtainToken, openAgency, withToken } from '../../support/accounts/units.ts';
import { call as callApi } from '../../support/worker/api.ts';
import { ask } from '../../support/worker/ask.ts';

const SCOPES = ['readers:write', 'readers:read'];

let token: string;
let otherToken: string;

beforeAll(async () => {
  token = await obtainToken(await openAgency('READERS', ['A-1'], SCOPES));
  otherToken = await obtainToken(await openAgency('READERS-B', ['A-1'], SCOPES));
});

const call = (method: string, path: string, body?: unknown, bearer = token) =>
  callApi(method, `/v1/readers${path}`, body, withToken(bearer));

async function feedStatus(key: string, query = ''): Promise<number> {
  return (await ask(`/CreateXMLFeedV3.asp?U=OWNPROPERTIES@READERS&P=${key}${query}`)).status;
}

describe('/v1/readers', () => {
  test('GET and DELETE of a reader that is named like the file of a feed: 200 and 204', async () => {
    await call('POST', '', { name: 'kyero.xml' });
    expect((await call('GET', '/kyero.xml')).body).toMatchObject({ name: 'kyero.xml' });
    expect((await call('DELETE', '/kyero.xml')).status).toBe(204);
  });

  test('POST: 201 with the key, once; the feed is 200 with it', async () => {
    const created = await call('POST', '', {
      name: 'idealista',
      preset: 'fv=3&T=SALE',
      fixed: true,
    });
    expect(created.body).toEqual({
      name: 'idealista',
      preset: 'FV=3&T=SALE',
      fixed: true,
      channel: null,
      withhold: [],
      place: 'exact',
      kind: null,
      selection: null,
      disabled: false,
      created_at: expect.stringMatching(/^20.*Z$/),
      keys: 1,
      old_keys_expire_at: null,
      last_seen_at: null,
      last_delivery_at: null,
      usual_interval: null,
      overdue: false,
      feeds: [],
      format_settings: {},
      key: expect.stringMatching(/^lindero_.{32}$/),
    });
    expect([
      created.status,
      created.headers.get('Location'),
      created.headers.get('Cache-Control'),
    ]).toEqual([201, '/v1/readers/idealista', 'no-store']);
    const { key, ...view } = created.body;
    expect((await call('GET', '/idealista')).body).toEqual(view);
    expect([await feedStatus(key), await feedStatus(key, '&T=RENT')]).toEqual([200, 400]);
    const { last_seen_at, last_delivery_at, feeds } = (await call('GET', '/idealista')).body;
    expect([last_seen_at, last_delivery_at]).toEqual([
      expect.stringMatching(/^20/),
      expect.stringMatching(/^20/),
    ]);
    expect(feeds).toEqual([
      expect.objectContaining({
        feed: expect.stringContaining('T=SALE'),
        last_delivery: expect.objectContaining({ status: 200 }),
        days: [{ date: expect.stringMatching(/^20/), full: 1, not_modified: 0 }],
      }),
    ]);
    expect((await call('POST', '', { name: 'idealista' })).body).toMatchObject({
      status: 409,
      code: 'reader_in_use',
    });
  });

  test('GET: the readers in the order of their names, by pages; those of other accounts are not among them', async () => {
    await call('POST', '', { name: 'a-list' }, otherToken);
    for (const name of ['p3', 'p1', 'p2']) await call('POST', '', { name });
    const first = await call('GET', '?limit=2');
    expect(first.body.readers).toHaveLength(2);
    const next = /<\/v1\/readers(\?[^>]+)>/.exec(first.headers.get('Link')!)![1]!;
    const names = [...first.body.readers, ...(await call('GET', next)).body.readers].map(
      ({ name }) => name,
    );
    expect(names).toEqual([...names].sort());
    expect(names).not.toContain('a-list');
    expect((await call('GET', '', undefined, otherToken)).body.readers).toEqual([
      expect.objectContaining({ name: 'a-list' }),
    ]);
  });

  test('GET: 150 readers, by pages; and GET /health with their token: 200', async () => {
    const agency = await openAgency('READERS-MANY', ['A-1'], SCOPES);
    const insertion = env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 150)
       INSERT INTO readers (account_id, name) SELECT ?, 'r-' || i FROM n`,
    );
    await insertion.bind(agency.accountId).run();
    const bearer = await obtainToken(agency);
    for (const [query, count] of [
      ['', 100],
      ['?limit=500', 150],
    ] as const) {
      expect((await call('GET', query, undefined, bearer)).body.readers).toHaveLength(count);
    }
    expect((await callApi('GET', '/health', undefined, withToken(bearer))).status).toBe(200);
  });

  test('POST rotate: another key; POST revoke: the old one is 401 at once in this isolate', async () => {
    const { key: old } = (await call('POST', '', { name: 'rotated' })).body;
    const rotated = await call('POST', '/rotated/rotate', { old_key_days: 3 });
    expect([rotated.status, rotated.body.keys]).toEqual([200, 2]);
    expect(Date.parse(rotated.body.old_keys_expire_at) - Date.now()).toBeGreaterThan(
      2.9 * 86_400_000,
    );
    expect([await feedStatus(old), await feedStatus(rotated.body.key)]).toEqual([200, 200]);
    const revoked = await call('POST', '/rotated/revoke');
    expect([revoked.status, revoked.body.keys, revoked.body.key]).toEqual([200, 1, undefined]);
    expect([await feedStatus(old), await feedStatus(rotated.body.key)]).toEqual([401, 200]);
    expect((await call('POST', '/rotated/rotate', { old_key_days: 0 })).body.keys).toBe(1);
  });

  test('PATCH: the feed is the new one at once in this isolate, with the same key; what is not given stays', async () => {
    await ask('/v1/channels/patched/add', {
      method: 'POST',
      headers: withToken(token),
      body: JSON.stringify({ properties: ['P1'] }),
    });
    const { key } = (await call('POST', '', { name: 'patched', preset: 'T=SALE', fixed: true }))
      .body;
    expect([await feedStatus(key), await feedStatus(key, '&T=RENT')]).toEqual([200, 400]);
    const changed = await call('PATCH', '/patched', { preset: 'fv=2', channel: 'patched' });
    expect([changed.status, changed.body]).toEqual([
      200,
      expect.objectContaining({ preset: 'FV=2', fixed: true, channel: 'patched', keys: 1 }),
    ]);
    expect([await feedStatus(key, '&T=RENT'), await feedStatus(key, '&FV=1')]).toEqual([200, 400]);
    expect((await call('PATCH', '/patched', { fixed: false, preset: '' })).body).toMatchObject({
      ...{ preset: '', fixed: false, channel: 'patched' },
    });
    expect((await call('PATCH', '/patched', {})).body.channel).toBe('patched');
    expect((await call('PATCH', '/patched', { channel: null })).body.channel).toBeNull();
    expect(await feedStatus(key, '&FV=1')).toBe(200);
  });

  test('PATCH twice at the same time: both changes are there', async () => {
    await call('POST', '', { name: 'raced', preset: 'FV=3' });
    await Promise.all([
      call('PATCH', '/raced', { fixed: true }),
      call('PATCH', '/raced', { preset: 'FV=2' }),
      call('PATCH', '/raced', { preset: 'FV=2' }),
    ]);
    expect((await call('GET', '/raced')).body).toMatchObject({ preset: 'FV=2', fixed: true });
  });

  test('a change of a reader that another one was faster than, whatever that changed: not made', async () => {
    const { id: accountId } = (await findAccount(env.DB, { code: 'READERS' }))!;
    const address = { accountId, name: 'changed' };
    const channelId = await openChannel(env.DB, { accountId, name: 'changed' });
    await openReader(accountId, address.name);
    const reader = { ...(await findReader(env.DB, address))!, parameters: null };
    for (const before of [
      { preset: 'FV=2' },
      { fixed: true },
      { channelId },
      { policy: 'place=hidden' },
    ]) {
      expect(await updateReader(env.DB, address, { ...reader, ...before }, reader, SOMEBODY)).toBe(
        false,
      );
    }
    expect(await updateReader(env.DB, address, reader, reader, SOMEBODY)).toBe(true);
  });

  test('POST disable and enable, DELETE: the feed is 401, 200 and 401 at once in this isolate', async () => {
    const { key } = (await call('POST', '', { name: 'toggled' })).body;
    expect(await feedStatus(key)).toBe(200);
    expect((await call('POST', '/toggled/disable')).body.disabled).toBe(true);
    expect(await feedStatus(key)).toBe(401);
    expect((await call('POST', '/toggled/enable')).body.disabled).toBe(false);
    expect(await feedStatus(key)).toBe(200);
    expect((await call('DELETE', '/toggled')).status).toBe(204);
    expect([await feedStatus(key), (await call('GET', '/toggled')).status]).toEqual([401, 404]);
  });
});

describe('another account', () => {
  test.each([
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/rotate'],
    ['POST', '/revoke'],
    ['POST', '/disable'],
    ['POST', '/enable'],
  ])('%s its reader%s: the same 404 as for one that does not exist', async (method, operation) => {
    await call('POST', '', { name: 'foreign' }, otherToken);
    const body = operation === '/rotate' || method === 'PATCH' ? {} : undefined;
    const [foreign, missing] = [
      await call(method, `/foreign${operation}`, body),
      await call(method, `/missing${operation}`, body),
    ];
    expect(foreign.body).toMatchObject({ status: 404, code: 'reader_not_found' });
    expect(missing.body).toEqual({
      ...foreign.body,
      detail: foreign.body.detail.replace('foreign', 'missing'),
    });
    expect((await call('GET', '/foreign', undefined, otherToken)).body).toMatchObject({
      disabled: false,
      keys: 1,
    });
  });
});

describe('errors', () => {
  test.each<[unknown, string[]]>([
    [[], ['']],
    [{}, ['/name']],
    [{ name: 'A b' }, ['/name']],
    [{ name: '..' }, ['/name']],
    [{ name: 'a', preset: 'FV=9&Foo=1' }, ['/preset', '/preset']],
    [{ name: 'a', preset: 3, fixed: 'yes' }, ['/preset', '/fixed']],
    [{ name: 'a', fixed: true }, ['/fixed']],
    [{ name: 'a', presets: 'FV=3' }, ['/presets']],
    [
      {
        name: 'x',
        preset: `ContactEmail=a@${`${'b'.repeat(60)}.`.repeat(5)}com&CustomerCode=ilc${'a'.repeat(40)}&IC=999&Language=1,2,3,4,5,6,7,8`,
      },
      ['/preset'],
    ],
  ])('POST %j: 422 that names the fields', async (body, pointers) => {
    const { status, body: json } = await call('POST', '', body);
    expect([
      status,
      json.code,
      json.errors.map(({ pointer }: { pointer: string }) => pointer),
    ]).toEqual([422, 'invalid_fields', pointers]);
  });

  test.each<[unknown, string[]]>([
    [[], ['']],
    [{ name: 'b' }, ['/name']],
    [{ preset: 'FV=9&Foo=1' }, ['/preset', '/preset']],
    [{ preset: null, fixed: 'yes', channel: 1 }, ['/preset', '/fixed', '/channel']],
    [{ channel: 'nowhere' }, ['/channel']],
    [{ preset: '' }, ['/fixed']],
  ])('PATCH %j: 422 that names the fields, and nothing changes', async (body, pointers) => {
    await call('POST', '', { name: 'unchanged', preset: 'FV=3', fixed: true });
    const before = (await call('GET', '/unchanged')).body;
    const { body: json } = await call('PATCH', '/unchanged', body);
    expect([json.status, json.errors?.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([
      422,
      pointers,
    ]);
    expect((await call('GET', '/unchanged')).body).toEqual(before);
  });

  test.each([-1, 366, 1.5, '3'])(
    'POST rotate with old_key_days %j: 422, and no key is added',
    async (days) => {
      await call('POST', '', { name: 'kept' });
      expect((await call('POST', '/kept/rotate', { old_key_days: days })).body.code).toBe(
        'invalid_fields',
      );
      expect((await call('GET', '/kept')).body.keys).toBe(1);
    },
  );
});
