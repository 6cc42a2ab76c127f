import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { invalidateFeeds } from '../../../../src/feed/invalidation/invalidate.ts';
import { getSnapshot } from '../../../../src/feed/snapshots/store.ts';
import { watched } from '../../../support/ask.ts';
import { keysInKv, recordedKeys, setPrice } from '../../../support/sparse.ts';
import {
  account,
  feed,
  feedWithFreshManifest,
  loggedFailures,
  logLines,
  pricesIn,
  recorder,
  text,
  useAccount,
} from './account.ts';

useAccount();

describe('GET', () => {
  test.each(['', 'T=SALE', 'T=RENT'])(
    '?%s, KV has lost a snapshot: it is built, sent and cached again under the same key',
    async (query) => {
      const first = await feedWithFreshManifest(query);
      const names = await keysInKv(account.id);
      await env.SNAPSHOTS.delete(names[1]!);
      expect((await feedWithFreshManifest(query)).bytes).toEqual(first.bytes);
      expect(await keysInKv(account.id)).toEqual(names);
      expect(await recordedKeys(account.id)).toEqual(names);
      expect((await feedWithFreshManifest(query)).bytes).toEqual(first.bytes);
    },
  );

  test('KV returns bytes whose length or checksum differs from their metadata: the part is built, sent and cached again', async () => {
    const first = await feedWithFreshManifest();
    const [name] = await keysInKv(account.id);
    const { value, metadata } = await env.SNAPSHOTS.getWithMetadata<{ bytes: number; crc: number }>(
      name!,
      'arrayBuffer',
    );
    await env.SNAPSHOTS.put(name!, value!.slice(0, value!.byteLength / 2), { metadata });
    expect((await feedWithFreshManifest()).bytes).toEqual(first.bytes);
    await env.SNAPSHOTS.put(name!, new Uint8Array(value!).reverse(), { metadata: { ...metadata, crc: 1 } });
    expect((await feedWithFreshManifest()).bytes).toEqual(first.bytes);
    expect(await env.SNAPSHOTS.get(name!, 'arrayBuffer')).toEqual(value);
  });

  test('KV returns other bytes than were recorded: the part is built, cached and recorded again', async () => {
    const built = await feedWithFreshManifest();
    const corrupt = 'UPDATE snapshots SET bytes = 400, crc = 1, length = 1 WHERE account_id = ? AND part = 1';
    await env.DB.prepare(corrupt).bind(account.id).run();
    expect((await feedWithFreshManifest()).bytes).toEqual(built.bytes);
    const { uses, bindings } = recorder();
    expect((await feedWithFreshManifest('', {}, bindings)).bytes).toEqual(built.bytes);
    expect(uses.map((use) => use.of)).toEqual(['D1', 'KV get', 'KV get', 'KV get']);
  });

  test('by 40 readers while KV loses snapshots at random: every reader receives the complete feed', async () => {
    const expected = text(await feedWithFreshManifest());
    let seed = 7;
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    await Promise.all(
      Array.from({ length: 40 }, async () => {
        if (random() < 0.4)
          for (const name of await keysInKv(account.id)) if (random() < 0.5) await env.SNAPSHOTS.delete(name);
        const response =
          random() < 0.5 ? await feed() : await feedWithFreshManifest('', { headers: { 'Accept-Encoding': 'gzip' } });
        expect(text(response)).toBe(expected);
      }),
    );
  });

  test.each(['KV get', 'KV put', 'KV delete'] as const)(
    '%s fails: 200 with the correct feed, and one log line',
    async (of) => {
      const expected = await feedWithFreshManifest();
      if (of === 'KV put') await setPrice(account.id, 1, 1.5);
      logLines.length = 0;
      const failing = watched((use) => {
        if (use.of === of) throw new Error('KV is down');
      });
      const response = await feedWithFreshManifest('', {}, failing);
      expect(response.status).toBe(200);
      if (of !== 'KV put') expect(response.bytes).toEqual(expected.bytes);
      if (of === 'KV delete') {
        await setPrice(account.id, 1, 2.5);
        const context = createExecutionContext();
        invalidateFeeds(failing, context, account.id, Date.now());
        await waitOnExecutionContext(context);
      }
      expect(loggedFailures()).toEqual([expect.stringContaining('KV is down')]);
      // Only keys that were written to KV are recorded.
      expect(await keysInKv(account.id)).toEqual(expect.arrayContaining(await recordedKeys(account.id)));
      expect(pricesIn(await feedWithFreshManifest()).length).toBe(5);
    },
  );

  test('KV reads do not respond: 200, built from D1, one KV read per part', async () => {
    const expected = await feedWithFreshManifest();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let gets = 0;
    const hanging = watched(({ of }) => of === 'KV get' && ++gets && held);
    const response = await feedWithFreshManifest('', {}, hanging);
    release();
    expect(response.bytes).toEqual(expected.bytes);
    expect(gets).toBe(3);
    expect(loggedFailures()).toEqual([expect.stringContaining('KV has not responded')]);
  });

  test('a KV put that takes longer than a get may: the feed is cached', async () => {
    const slow = watched(({ of }) => of === 'KV put' && new Promise((resolve) => setTimeout(resolve, 1_100)));
    await feedWithFreshManifest('', {}, slow);
    expect(loggedFailures()).toEqual([]);
    expect((await feedWithFreshManifest()).headers.get('Cache-Status')).toBe(
      'Lindero; hit; detail="3 of 3 parts cached"',
    );
  });
});

test('KV times out three times in a row: it is left alone for a minute', async () => {
  vi.useFakeTimers();
  let reads = 0;
  const SNAPSHOTS = { getWithMetadata: () => new Promise(() => reads++) } as unknown as KVNamespace;
  const name = { accountId: 1, incarnation: 1, format: 'a', parameters: '', part: 0, channelId: null };
  const read = async () => {
    const revisions = { saleRevision: 1, rentalRevision: 1 };
    const found = getSnapshot(
      { ...env, SNAPSHOTS },
      { name: { ...name, ...revisions }, bytes: 1, crc: 1, isSettled: false },
    );
    const failed = expect(found).rejects.toThrow('KV');
    await vi.advanceTimersByTimeAsync(1_000);
    await failed;
  };
  for (let times = 0; times < 5; times++) await read();
  expect(reads).toBe(3);
  await vi.advanceTimersByTimeAsync(58_000);
  await read();
  expect(reads).toBe(4);
  vi.useRealTimers();
});
