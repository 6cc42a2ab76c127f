import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { invalidateManifests } from '../../../../src/feed/manifest/manifest-cache.ts';
import { keysInKv, setPrice, setRent } from '../../../support/sparse.ts';
import { account, feed, feedWithFreshManifest, openAccount, recorder, useAccount } from './account.ts';

useAccount();

describe('validators', () => {
  const second = 1_000;

  /** Moves the last change to a minute ago. */
  async function ageLastChange(): Promise<void> {
    await env.DB.prepare(
      'UPDATE accounts SET sale_changed_at = sale_changed_at - 60, rental_changed_at = rental_changed_at - 60 WHERE id = ?',
    )
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
      const headers = { 'Accept-Encoding': encoding, 'If-None-Match': `"x", W/${first.headers.get('ETag')}` };
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

  test('GET of a sale feed with If-None-Match after a change of a rent: 304', async () => {
    const first = await feed('T=SALE');
    await setRent(account.id, 1, 17);
    const headers = { 'If-None-Match': first.headers.get('ETag')! };
    expect((await feedWithFreshManifest('T=SALE', { headers })).status).toBe(304);
    expect((await feedWithFreshManifest('T=RENT', { headers })).status).toBe(200);
  });

  test.each([
    ['', setPrice, 200],
    ['', setRent, 200],
    ['T=SALE', setPrice, 200],
    ['T=SALE', setRent, 304],
    ['T=RENT', setPrice, 304],
    ['T=RENT', setRent, 200],
  ])('GET ?%s with If-Modified-Since: 304; after %o: %i', async (query, change, status) => {
    await ageLastChange();
    const first = await feed(query);
    const headers = { 'If-Modified-Since': first.headers.get('Last-Modified')! };
    expect((await feedWithFreshManifest(query, { headers })).status).toBe(304);
    await change(account.id, 1, 18);
    expect((await feedWithFreshManifest(query, { headers })).status).toBe(status);
  });

  test.each([
    ['sale', setPrice],
    ['rental', setRent],
  ])('a change after the clock was set back (%s): the date advances by a second', async (kind, change) => {
    const column = `${kind}_changed_at`;
    await env.DB.prepare(`UPDATE accounts SET ${column} = 4000000000 WHERE id = ?`).bind(account.id).run();
    await change(account.id, 1, 19);
    const found = env.DB.prepare(`SELECT ${column} AS at FROM accounts WHERE id = ?`).bind(account.id);
    expect(await found.first('at')).toBe(4_000_000_001);
  });

  test('GET with If-Modified-Since of the second of a change or the next, whose responses may lack it: 200; of the one after: 304', async () => {
    const changed = Math.floor(Date.now() / second) - 60;
    await env.DB.prepare('UPDATE accounts SET sale_changed_at = ?2, rental_changed_at = ?2 - 9 WHERE id = ?1')
      .bind(account.id, changed)
      .run();
    const since = (seconds: number) => ({ headers: { 'If-Modified-Since': new Date(seconds * second).toUTCString() } });
    expect((await feedWithFreshManifest('', since(changed))).status).toBe(200);
    expect((await feedWithFreshManifest('', since(changed + 1))).status).toBe(200);
    expect((await feedWithFreshManifest('', since(changed + 2))).status).toBe(304);
  });

  test('GET in the second of a change: no Last-Modified, which could hide a second change', async () => {
    await feedWithFreshManifest();
    await env.DB.prepare('UPDATE accounts SET sale_changed_at = unixepoch() + 1 WHERE id = ?').bind(account.id).run();
    const response = await feedWithFreshManifest();
    expect(response.headers.get('Last-Modified')).toBe(null);
    await env.DB.prepare('UPDATE accounts SET sale_changed_at = 1, rental_changed_at = 1 WHERE id = ?')
      .bind(account.id)
      .run();
    expect((await feedWithFreshManifest()).headers.get('Last-Modified')).not.toBe(null);
    await env.DB.prepare('UPDATE accounts SET sale_changed_at = unixepoch() + 1 WHERE id = ?').bind(account.id).run();
    const headers = { 'If-Modified-Since': new Date(Date.now() + 60 * second).toUTCString() };
    expect((await feedWithFreshManifest('', { headers })).status).toBe(200);
  });
});
