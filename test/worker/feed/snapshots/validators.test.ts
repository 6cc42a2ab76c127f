import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { invalidateManifests } from '../../../../src/feed/manifest-cache.ts';
import { keysInKv, setPrice, setRent } from '../../../support/sparse.ts';
import { account, feed, feedAfresh, openAccount, recorder, useAccount } from './account.ts';

useAccount();

describe('validators', () => {
  const second = 1_000;

  async function settled(): Promise<void> {
    await env.DB.prepare(
      'UPDATE accounts SET sale_changed_at = sale_changed_at - 60, rental_changed_at = rental_changed_at - 60 WHERE id = ?',
    )
      .bind(account.id)
      .run();
    invalidateManifests(account.id);
  }

  test.each(['gzip', 'identity'])(
    'GET and HEAD with %s → equal facts, and a length once all is kept',
    async (encoding) => {
      await settled();
      const init = { headers: { 'Accept-Encoding': encoding } };
      const before = await feed('', { ...init, method: 'HEAD' });
      expect(before.headers.get('Content-Length')).toBe(null);
      expect(await keysInKv(account.id)).toEqual([]);
      const whole = await feed('', init);
      const head = await feed('', { ...init, method: 'HEAD' });
      const get = await feed('', init);
      expect(head.bytes.length).toBe(0);
      expect(head.headers.get('Content-Length')).toBe(String(whole.bytes.length));
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

  test('a feed and its 304 → kept by their reader alone, and asked for again each time', async () => {
    const first = await feed();
    expect([first.status, first.headers.get('Cache-Control')]).toEqual([200, 'private, no-cache, no-transform']);
    const again = await feed('', { headers: { 'If-None-Match': first.headers.get('ETag')! } });
    expect([again.status, again.headers.get('Cache-Control')]).toEqual([304, 'private, no-cache, no-transform']);
  });

  test('accounts at the same revisions, whom Basic has ask at one address → tags of their own', async () => {
    const first = await feed();
    await openAccount([1, 2, 501, 502, 1001]);
    expect((await feed()).headers.get('ETag')).not.toBe(first.headers.get('ETag'));
  });

  test('encodings → tags of their own', async () => {
    const gzip = await feed('', { headers: { 'Accept-Encoding': 'gzip' } });
    const plain = await feed();
    expect(gzip.headers.get('ETag')).not.toBe(plain.headers.get('ETag'));
  });

  test.each(['gzip', 'identity'])(
    'If-None-Match with %s → 304 without KV until something changes',
    async (encoding) => {
      const first = await feed('', { headers: { 'Accept-Encoding': encoding } });
      const headers = { 'Accept-Encoding': encoding, 'If-None-Match': `"x", W/${first.headers.get('ETag')}` };
      const { uses, bindings } = recorder();
      for (const method of ['GET', 'HEAD']) {
        const again = await feedAfresh('', { method, headers }, bindings);
        expect([again.status, again.bytes.length]).toEqual([304, 0]);
        for (const name of ['ETag', 'Vary', 'Cache-Control'])
          expect(again.headers.get(name)).toBe(first.headers.get(name));
        expect(again.headers.get('Cache-Status')).toBe('Lindero; hit; detail="not modified"');
      }
      expect(uses.map((use) => use.of)).toEqual(['D1', 'D1']);
      await setPrice(account.id, 1, 17);
      expect((await feedAfresh('', { headers })).status).toBe(200);
    },
  );

  test('If-None-Match of a sale feed → 304 still, once a rent has changed', async () => {
    const first = await feed('T=SALE');
    await setRent(account.id, 1, 17);
    const headers = { 'If-None-Match': first.headers.get('ETag')! };
    expect((await feedAfresh('T=SALE', { headers })).status).toBe(304);
    expect((await feedAfresh('T=RENT', { headers })).status).toBe(200);
  });

  test.each([
    ['', setPrice, 200],
    ['', setRent, 200],
    ['T=SALE', setPrice, 200],
    ['T=SALE', setRent, 304],
    ['T=RENT', setPrice, 304],
    ['T=RENT', setRent, 200],
  ])('If-Modified-Since (%s) → 304 until %o; then %i', async (query, change, status) => {
    await settled();
    const first = await feed(query);
    const headers = { 'If-Modified-Since': first.headers.get('Last-Modified')! };
    expect((await feedAfresh(query, { headers })).status).toBe(304);
    await change(account.id, 1, 18);
    expect((await feedAfresh(query, { headers })).status).toBe(status);
  });

  test.each([
    ['sale', setPrice],
    ['rental', setRent],
  ])('a date that the clock has gone back behind (%s) → moved on by a change', async (kind, change) => {
    const column = `${kind}_changed_at`;
    await env.DB.prepare(`UPDATE accounts SET ${column} = 4000000000 WHERE id = ?`).bind(account.id).run();
    await change(account.id, 1, 19);
    const found = env.DB.prepare(`SELECT ${column} AS at FROM accounts WHERE id = ?`).bind(account.id);
    expect(await found.first('at')).toBe(4_000_000_001);
  });

  test('If-Modified-Since with the second of a change, or the next, whose answers may lack it → 200; with the one after → 304', async () => {
    const changed = Math.floor(Date.now() / second) - 60;
    await env.DB.prepare('UPDATE accounts SET sale_changed_at = ?2, rental_changed_at = ?2 - 9 WHERE id = ?1')
      .bind(account.id, changed)
      .run();
    const since = (seconds: number) => ({ headers: { 'If-Modified-Since': new Date(seconds * second).toUTCString() } });
    expect((await feedAfresh('', since(changed))).status).toBe(200);
    expect((await feedAfresh('', since(changed + 1))).status).toBe(200);
    expect((await feedAfresh('', since(changed + 2))).status).toBe(304);
  });

  test('in the second of a change → no Last-Modified, which could hide a second change', async () => {
    await feedAfresh();
    await env.DB.prepare('UPDATE accounts SET sale_changed_at = unixepoch() + 1 WHERE id = ?').bind(account.id).run();
    const answer = await feedAfresh();
    expect(answer.headers.get('Last-Modified')).toBe(null);
    await env.DB.prepare('UPDATE accounts SET sale_changed_at = 1, rental_changed_at = 1 WHERE id = ?')
      .bind(account.id)
      .run();
    expect((await feedAfresh()).headers.get('Last-Modified')).not.toBe(null);
    await env.DB.prepare('UPDATE accounts SET sale_changed_at = unixepoch() + 1 WHERE id = ?').bind(account.id).run();
    const headers = { 'If-Modified-Since': new Date(Date.now() + 60 * second).toUTCString() };
    expect((await feedAfresh('', { headers })).status).toBe(200);
  });
});
