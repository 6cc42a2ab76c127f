import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { SNAPSHOT_LIFETIME_SECONDS } from '../../../../src/db/snapshots.ts';
import { BackgroundTasks } from '../../../../src/feed/build/background.ts';
import { watched } from '../../../support/ask.ts';
import { keysInKv, recordedKeys } from '../../../support/sparse.ts';
import { account, feed, feedWithFreshManifest, openAccount, recorder, text, useAccount } from './account.ts';

useAccount();

describe('GET', () => {
  test('twice: built, then all from KV after one statement, with the same bytes', async () => {
    const first = await feedWithFreshManifest();
    const { uses, bindings } = recorder();
    const second = await feedWithFreshManifest('', {}, bindings);
    expect(first.headers.get('Cache-Status')).toBe('Lindero; fwd=miss; detail="0 of 3 parts cached"');
    expect(second.headers.get('Cache-Status')).toBe('Lindero; hit; detail="3 of 3 parts cached"');
    expect(second.bytes).toEqual(first.bytes);
    expect(uses.map((use) => use.of)).toEqual(['D1', 'KV get', 'KV get', 'KV get']);
    expect(await keysInKv(account.id)).toEqual(await recordedKeys(account.id));
  });

  test.each(['', 'DisplayListingDate=TRUE'])('?%s twice within a second: a hit, without D1', async (query) => {
    const first = await feed(query);
    const { uses, bindings } = recorder();
    const second = await feed(query, {}, bindings);
    expect(second.headers.get('Cache-Status')).toContain('; hit;');
    expect(second.bytes).toEqual(first.bytes);
    expect(uses.map((use) => use.of).filter((of) => of !== 'KV get')).toEqual([]);
  });

  test.each(['', 'DisplayListingDate=TRUE'])('?%s with gzip and with identity: the same document', async (query) => {
    const built = await feedWithFreshManifest(query, { headers: { 'Accept-Encoding': 'gzip' } });
    const cached = await feedWithFreshManifest(query, { headers: { 'Accept-Encoding': 'gzip' } });
    const plain = await feedWithFreshManifest(query);
    expect(cached.bytes).toEqual(built.bytes);
    expect(text(cached)).toBe(text(plain));
    expect(cached.headers.get('Content-Encoding')).toBe('gzip');
    expect(plain.headers.get('Content-Encoding')).toBe(null);
    for (const response of [built, cached, plain]) expect(response.headers.get('Vary')).toBe('Accept-Encoding');
  });

  test('with equal parameter sets: shared snapshots; with others: not', async () => {
    await feedWithFreshManifest('FV=3&Language=2,1&VT=2&T=SALE');
    expect(
      (await feedWithFreshManifest('language=1,2&fv=3&t=sale&AR=TRUE&ST=FALSE')).headers.get('Cache-Status'),
    ).toContain('hit');
    expect((await feedWithFreshManifest('FV=3&T=SALE&IC=9')).headers.get('Cache-Status')).toContain('miss');
  });

  test('with keys that were never written: no KV read', async () => {
    const { uses, bindings } = recorder();
    await feedWithFreshManifest('', {}, bindings);
    await env.DB.prepare('UPDATE snapshots SET format = format - 1 WHERE account_id = ?').bind(account.id).run();
    await feedWithFreshManifest('', {}, bindings);
    expect(uses.filter((use) => use.of === 'KV get')).toEqual([]);
  });

  test('a snapshot in KV: expires an hour after the lifetime of a week', async () => {
    await feedWithFreshManifest();
    const { keys } = await env.SNAPSHOTS.list({ prefix: (await keysInKv(account.id))[0]! });
    const seconds = keys[0]!.expiration! - Date.now() / 1000;
    expect(Math.round(seconds / 60)).toBe((SNAPSHOT_LIFETIME_SECONDS + 3_600) / 60);
  });

  test.each(['gzip', 'identity'])(
    'with %s: the memory of snapshots that wait to be written is counted',
    async (encoding) => {
      const add = vi.spyOn(BackgroundTasks.prototype, 'add');
      await feedWithFreshManifest('', { headers: { 'Accept-Encoding': encoding } });
      expect(add.mock.calls.filter(([, bytes = 0]) => bytes > 0)).toHaveLength(3);
    },
  );

  test('without gzip, parts that memory does not suffice to hold: they are compressed at once, and then a hit', async () => {
    const original = BackgroundTasks.prototype.add;
    let refused = 0;
    const add = vi.spyOn(BackgroundTasks.prototype, 'add').mockImplementation(function (
      this: BackgroundTasks,
      ...given
    ) {
      const [, bytes = 0, isUrgent] = given;
      const isRefused = bytes > 0 && !isUrgent?.();
      if (isRefused) refused++;
      return isRefused ? false : original.apply(this, given);
    });
    await feedWithFreshManifest();
    add.mockRestore();
    expect(refused).toBe(3);
    expect((await feedWithFreshManifest()).headers.get('Cache-Status')).toContain('3 of 3 parts cached');
  });

  test('with an empty segment: recorded as a hit, neither written to KV nor read from it', async () => {
    await env.DB.prepare("UPDATE properties SET status = 'Withdrawn' WHERE account_id = ? AND sequence_number > 1000")
      .bind(account.id)
      .run();
    await feedWithFreshManifest();
    const keys: string[] = [];
    const counting = watched(({ of, what }) => of === 'KV get' && keys.push(what));
    expect((await feedWithFreshManifest('', {}, counting)).headers.get('Cache-Status')).toContain(
      '3 of 3 parts cached',
    );
    expect(keys.map((name) => name.split('/')[2])).toEqual(['part0', 'part1']);
    expect((await keysInKv(account.id)).map((name) => name.split('/')[2])).toEqual(['part0', 'part1']);
  });

  test('without properties: a complete document, built and cached', async () => {
    await openAccount([]);
    for (const headers of [{}, { 'Accept-Encoding': 'gzip' }]) {
      for (const query of ['', 'DisplayListingDate=TRUE']) {
        for (const _ of [1, 2])
          expect(text(await feedWithFreshManifest(query, { headers }))).toMatch(/<root>[\s\S]*<\/root>\n$/);
      }
    }
  });
});
