import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { invalidateManifests } from '../../../../src/feed/manifest/manifest-cache.ts';
import { hashPassword } from '../../../../src/lib/secrets/secrets.ts';
import { keysInKv, setPrice, setRent } from '../../../support/accounts/sparse.ts';
import { ask, watched } from '../../../support/worker/ask.ts';
import {
  account,
  feed,
  feedWithFreshManifest,
  openAccount,
  pricesIn,
  recorder,
  useAccount,
} from './account.ts';

useAccount();

describe('manifest', () => {
  test('GET after the clock was set back: the manifest is read again', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await feed();
    await setPrice(account.id, 1, 4_242);
    vi.setSystemTime(Date.now() - 3_600_000);
    expect((await feed()).text).toContain('4242');
  });

  test('GET many times: the manifest is read once a second', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await feed();
    await feed();
    const { uses, bindings } = recorder();
    for (const _ of [1, 2, 3]) await feed('', {}, bindings);
    expect(uses.filter((use) => use.of === 'D1')).toEqual([]);
    vi.setSystemTime(Date.now() + 1_000);
    for (const _ of [1, 2, 3]) await feed('', {}, bindings);
    expect(uses.filter((use) => use.of === 'D1').length).toBe(1);
  });

  test('a manifest that was slow to read: its age counts from the start of the read', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await feed();
    invalidateManifests(account.id);
    const slow = watched(({ of }) => {
      if (of === 'D1') vi.setSystemTime(Date.now() + 900);
    });
    await feed('', {}, slow);
    vi.setSystemTime(Date.now() + 200);
    const { uses, bindings } = recorder();
    await feed('', {}, bindings);
    expect(uses.filter((use) => use.of === 'D1').length).toBe(1);
  });

  test('GET a second after a change in another isolate: shows the change', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await feed();
    await feed();
    await setPrice(account.id, 1, 99);
    vi.setSystemTime(Date.now() + 1_000);
    expect(pricesIn(await feed())).toContain('99');
  });

  test('a manifest that is being read during a change: not cached', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await feed();
    await feedWithFreshManifest();
    invalidateManifests(account.id);
    let read = 0;
    const late = watched(
      () => {},
      ({ of }) => of === 'D1' && ++read === 1 && held,
    );
    const waiting = feed('', {}, late);
    await vi.waitFor(() => expect(read).toBe(1), { timeout: 300_000 });
    await setPrice(account.id, 1, 88);
    // Its snapshots stay in KV, where the old manifest would find them. Another request here would cache the new one instead.
    invalidateManifests(account.id);
    release();
    await waiting;
    expect(pricesIn(await feed())).toContain('88');
  });

  test('GET a second after a change of password: 401 with the old one, 200 with the new one', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await feed();
    await env.DB.prepare('UPDATE accounts SET password = ? WHERE id = ?')
      .bind(await hashPassword('new'), account.id)
      .run();
    vi.setSystemTime(Date.now() + 1_000);
    expect((await feed()).status).toBe(401);
    expect(
      (await ask(`/CreateXMLFeedV3.asp?${account.login.replace('secret', 'new')}`)).status,
    ).toBe(200);
  });
});

describe('validators', () => {
  const second = 1_000;

  /** Moves the last change to a minute ago. */
  async function ageLastChange(): Promise<void> {
    await env.DB.prepare('UPDATE accounts SET changed_at = changed_at - 60 WHERE id = ?')
      .bind(account.id)
      .run();
    invalidateManifests(account.id);
  }

  test.each(['gzip', 'identity'])(
    'GET and HEAD with %s: the same headers, with Content-Length once all parts are cached',
    async (encoding) => {
      await ageLastChange();
      const init = { headers: { 'Accept-Encoding': encoding } };
      const before = await feed('', { ...init, method: 'HEAD' });
      expect(before.headers.get('Content-Length')).toBe(null);
      expect(await keysInKv(account.id)).toEqual([]);
      const expected = await feed('', init);
      const head = await feed('', { ...init, method: 'HEAD' });
      const get = await feed('', init);
      expect(head.bytes.length).toBe(0);
      expect(head.headers.get('Content-Length')).toBe(String(expected.bytes.length));
      expect(head.headers.get('Last-Modified')).toMatch(/ GMT$/);
      for (const name of [
        'ETag',
        'Last-Modified',
        'Vary',
        'Content-Type',
        'Content-Encoding',
        'Cache-Control',
        'Cache-Status',
      ]) {
        expect(head.headers.get(name)).toBe(get.headers.get(name));
      }
    },
  );

  test('GET of two accounts with the same revisions: different ETags', async () => {
    const first = await feed();
    await openAccount([1, 2, 501, 502, 1001]);
    expect((await feed()).headers.get('ETag')).not.toBe(first.headers.get('ETag'));
  });

  test('GET with gzip and with identity: different ETags', async () => {
    const gzip = await feed('', { headers: { 'Accept-Encoding': 'gzip' } });
    const plain = await feed();
    expect(gzip.headers.get('ETag')).not.toBe(plain.headers.get('ETag'));
  });

  test.each(['gzip', 'identity'])(
    'GET with If-None-Match and %s: 304 without KV until a change, then 200',
    async (encoding) => {
      const first = await feed('', { headers: { 'Accept-Encoding': encoding } });
      const headers = {
        'Accept-Encoding': encoding,
        'If-None-Match': `"x", W/${first.headers.get('ETag')}`,
      };
      const { uses, bindings } = recorder();
      for (const method of ['GET', 'HEAD']) {
        const again = await feedWithFreshManifest('', { method, headers }, bindings);
        expect([again.status, again.bytes.length]).toEqual([304, 0]);
        for (const name of ['ETag', 'Vary', 'Cache-Control'])
          expect(again.headers.get(name)).toBe(first.headers.get(name)?.replace('W/', ''));
        expect(again.headers.get('Cache-Status')).toBe('Lindero; hit; detail="not modified"');
      }
      expect(uses.map((use) => use.of)).toEqual(['D1', 'D1']);
      await setPrice(account.id, 1, 17);
      expect((await feedWithFreshManifest('', { headers })).status).toBe(200);
    },
  );

  test.each([
    ['', setPrice],
    ['', setRent],
    ['T=SALE', setRent],
    ['T=RENT', setPrice],
  ])('GET ?%s with If-Modified-Since: 304; after %o: 200', async (query, change) => {
    await ageLastChange();
    const first = await feed(query);
    const headers = { 'If-Modified-Since': first.headers.get('Last-Modified')! };
    expect((await feedWithFreshManifest(query, { headers })).status).toBe(304);
    await change(account.id, 1, 18);
    expect((await feedWithFreshManifest(query, { headers })).status).toBe(200);
  });

  test('GET after a change while the clock is set back: no Last-Modified, which could hide another change', async () => {
    await env.DB.prepare('UPDATE accounts SET changed_at = 4000000000 WHERE id = ?')
      .bind(account.id)
      .run();
    await setPrice(account.id, 1, 19);
    expect((await feedWithFreshManifest()).headers.get('Last-Modified')).toBe(null);
  });

  test('GET with If-Modified-Since of the second of a change or the next, whose responses may lack it: 200; of the one after: 304', async () => {
    const changed = Math.floor(Date.now() / second) - 60;
    await env.DB.prepare('UPDATE accounts SET changed_at = ?2 WHERE id = ?1')
      .bind(account.id, changed)
      .run();
    const since = (seconds: number) => ({
      headers: { 'If-Modified-Since': new Date(seconds * second).toUTCString() },
    });
    expect((await feedWithFreshManifest('', since(changed))).status).toBe(200);
    expect((await feedWithFreshManifest('', since(changed + 1))).status).toBe(200);
    expect((await feedWithFreshManifest('', since(changed + 2))).status).toBe(304);
  });

  test('GET in the second of a change: no Last-Modified, which could hide a second change', async () => {
    await feedWithFreshManifest();
    await env.DB.prepare('UPDATE accounts SET changed_at = unixepoch() + 1 WHERE id = ?')
      .bind(account.id)
      .run();
    const response = await feedWithFreshManifest();
    expect(response.headers.get('Last-Modified')).toBe(null);
    await env.DB.prepare('UPDATE accounts SET changed_at = 1 WHERE id = ?').bind(account.id).run();
    expect((await feedWithFreshManifest()).headers.get('Last-Modified')).not.toBe(null);
    await env.DB.prepare('UPDATE accounts SET changed_at = unixepoch() + 1 WHERE id = ?')
      .bind(account.id)
      .run();
    const headers = { 'If-Modified-Since': new Date(Date.now() + 60 * second).toUTCString() };
    expect((await feedWithFreshManifest('', { headers })).status).toBe(200);
  });
});

test('GET of a part that a change came upon: a weak ETag, which gets a 200', async () => {
  await openAccount([1, 2]);
  let isChanged = false;
  const bindings = watched(async ({ what }) => {
    if (isChanged || !what.includes('LEFT JOIN properties')) return;
    isChanged = true;
    await setPrice(account.id, 1, 4_711);
  });
  const overtaken = await feedWithFreshManifest('', {}, bindings);
  expect(overtaken.text).toContain('4711');
  const etag = overtaken.headers.get('ETag')!;
  expect(etag).toMatch(/^W\//);
  const after = await feedWithFreshManifest('', { headers: { 'If-None-Match': etag } });
  expect(after.status).toBe(200);
  expect(overtaken.bytes).toEqual(after.bytes);
});

test('GET of a feed that is streamed while it is built: a weak ETag, which gets a 304 as long as nothing changes', async () => {
  const streamed = await feedWithFreshManifest();
  const etag = streamed.headers.get('ETag')!;
  expect(etag).toMatch(/^W\//);
  expect((await feedWithFreshManifest('', { method: 'HEAD' })).headers.get('ETag')).toBe(
    etag.slice(2),
  );
  const headers = { 'If-None-Match': etag };
  expect((await feedWithFreshManifest('', { headers })).status).toBe(304);
  await setPrice(account.id, 1, 2);
  expect((await feedWithFreshManifest('', { headers })).status).toBe(200);
});

test('an ETag has the same form for every account, and reveals neither its id nor its revisions', async () => {
  const etags = new Set<string>();
  for (let change = 0; change < 3; change++) {
    await setPrice(account.id, 1, change);
    const etag = (await feedWithFreshManifest('', { method: 'HEAD' })).headers.get('ETag')!;
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
    etags.add(etag);
  }
  expect(etags.size).toBe(3);
});
