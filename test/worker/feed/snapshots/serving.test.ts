import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { SNAPSHOT_LIFETIME } from '../../../../src/db/snapshots.ts';
import { BackgroundTasks } from '../../../../src/feed/background.ts';
import { watched } from '../../../support/ask.ts';
import { keysInKv, recordedKeys } from '../../../support/sparse.ts';
import { account, feed, feedAfresh, openAccount, recorder, text, useAccount } from './account.ts';

useAccount();

describe('serving', () => {
  test('a feed asked for twice → built, then all from KV by one statement, and the same bytes', async () => {
    const first = await feedAfresh();
    const { uses, bindings } = recorder();
    const second = await feedAfresh('', {}, bindings);
    expect(first.headers.get('Cache-Status')).toBe('Lindero; fwd=miss; detail="0 of 3 parts cached"');
    expect(second.headers.get('Cache-Status')).toBe('Lindero; hit; detail="3 of 3 parts cached"');
    expect(second.bytes).toEqual(first.bytes);
    expect(uses.map((use) => use.of)).toEqual(['D1', 'KV get', 'KV get', 'KV get']);
    expect(await keysInKv(account.id)).toEqual(await recordedKeys(account.id));
  });

  test.each(['', 'DisplayListingDate=TRUE'])(
    'a feed (%s) asked for again at once → a hit, without D1',
    async (query) => {
      const first = await feed(query);
      const { uses, bindings } = recorder();
      const second = await feed(query, {}, bindings);
      expect(second.headers.get('Cache-Status')).toContain('; hit;');
      expect(second.bytes).toEqual(first.bytes);
      expect(uses.map((use) => use.of).filter((of) => of !== 'KV get')).toEqual([]);
    },
  );

  test.each(['', 'DisplayListingDate=TRUE'])(
    'a feed (%s) → gzip and identity have the same document',
    async (query) => {
      const fresh = await feedAfresh(query, { headers: { 'Accept-Encoding': 'gzip' } });
      const kept = await feedAfresh(query, { headers: { 'Accept-Encoding': 'gzip' } });
      const plain = await feedAfresh(query);
      expect(kept.bytes).toEqual(fresh.bytes);
      expect(text(kept)).toBe(text(plain));
      expect(kept.headers.get('Content-Encoding')).toBe('gzip');
      expect(plain.headers.get('Content-Encoding')).toBe(null);
      for (const answer of [fresh, kept, plain]) expect(answer.headers.get('Vary')).toBe('Accept-Encoding');
    },
  );

  test('parameter sets that are equal share their snapshots; others do not', async () => {
    await feedAfresh('FV=3&Language=2,1&VT=2&T=SALE');
    expect((await feedAfresh('language=1,2&fv=3&t=sale&AR=TRUE&ST=FALSE')).headers.get('Cache-Status')).toContain(
      'hit',
    );
    expect((await feedAfresh('FV=3&T=SALE&IC=9')).headers.get('Cache-Status')).toContain('miss');
  });

  test('a name that was never written → KV is not asked for it', async () => {
    const { uses, bindings } = recorder();
    await feedAfresh('', {}, bindings);
    await env.DB.prepare('UPDATE snapshots SET format = format - 1 WHERE account_id = ?').bind(account.id).run();
    await feedAfresh('', {}, bindings);
    expect(uses.filter((use) => use.of === 'KV get')).toEqual([]);
  });

  test('what is kept → falls to expiry a week later, an hour after it is asked for last', async () => {
    await feedAfresh();
    const { keys } = await env.SNAPSHOTS.list({ prefix: (await keysInKv(account.id))[0]! });
    const seconds = keys[0]!.expiration! - Date.now() / 1000;
    expect(Math.round(seconds / 60)).toBe((SNAPSHOT_LIFETIME + 3_600) / 60);
  });

  test.each(['gzip', 'identity'])(
    'a feed that is built with %s → what waits to be kept is counted',
    async (encoding) => {
      const add = vi.spyOn(BackgroundTasks.prototype, 'add');
      await feedAfresh('', { headers: { 'Accept-Encoding': encoding } });
      expect(add.mock.calls.filter(([, holds = 0]) => holds > 0)).toHaveLength(3);
    },
  );

  test('a feed of two parts by listing date → newest first, those of one date by their numbers, newest first', async () => {
    const numbers = Array.from({ length: 502 }, (_, index) => index + 1);
    await openAccount(numbers);
    const answer = await feedAfresh('DisplayListingDate=TRUE');
    const ids = [...text(answer).matchAll(/<id>(\d+)<\/id>/g)].map(([, id]) => Number(id));
    expect(ids).toEqual(numbers.toSorted((a, b) => (b % 7) - (a % 7) || b - a));
  });

  test('an empty segment → noted, neither in KV nor asked of it, and a hit', async () => {
    await env.DB.prepare("UPDATE properties SET status = 'Withdrawn' WHERE account_id = ? AND sequence_number > 1000")
      .bind(account.id)
      .run();
    await feedAfresh();
    const asked: string[] = [];
    const counting = watched(({ of, what }) => of === 'KV get' && asked.push(what));
    expect((await feedAfresh('', {}, counting)).headers.get('Cache-Status')).toContain('3 of 3 parts cached');
    expect(asked.map((name) => name.split('/')[2])).toEqual(['part0', 'part1']);
    expect((await keysInKv(account.id)).map((name) => name.split('/')[2])).toEqual(['part0', 'part1']);
  });

  test('a feed with no property → a whole document, each time', async () => {
    await openAccount([]);
    for (const headers of [{}, { 'Accept-Encoding': 'gzip' }]) {
      for (const query of ['', 'DisplayListingDate=TRUE']) {
        for (const _ of [1, 2]) expect(text(await feedAfresh(query, { headers }))).toMatch(/<root>[\s\S]*<\/root>\n$/);
      }
    }
  });
});
