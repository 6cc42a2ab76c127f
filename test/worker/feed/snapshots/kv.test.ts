import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { invalidateFeeds } from '../../../../src/feed/invalidate.ts';
import { watched } from '../../../support/ask.ts';
import { keysInKv, recordedKeys, setPrice } from '../../../support/sparse.ts';
import { account, failuresLogged, feed, feedAfresh, lines, pricesIn, recorder, text, useAccount } from './account.ts';

useAccount();

describe('KV', () => {
  test.each(['', 'T=SALE', 'T=RENT'])(
    'that has lost an entry of a feed (%s) → built, served and kept again, in the place of the lost one',
    async (query) => {
      const first = await feedAfresh(query);
      const names = await keysInKv(account.id);
      await env.SNAPSHOTS.delete(names[1]!);
      expect((await feedAfresh(query)).bytes).toEqual(first.bytes);
      expect(await keysInKv(account.id)).toEqual(names);
      expect(await recordedKeys(account.id)).toEqual(names);
      expect((await feedAfresh(query)).bytes).toEqual(first.bytes);
    },
  );

  test('that has lost a part of a feed ordered by listing date → the same', async () => {
    const first = await feedAfresh('DisplayListingDate=TRUE');
    const [lost] = await keysInKv(account.id);
    await env.SNAPSHOTS.delete(lost!);
    expect((await feedAfresh('DisplayListingDate=TRUE')).bytes).toEqual(first.bytes);
    expect(await keysInKv(account.id)).toEqual([lost]);
  });

  test('that has other bytes under a name → built, served and kept again', async () => {
    const first = await feedAfresh();
    const [name] = await keysInKv(account.id);
    const bytes = new Uint8Array((await env.SNAPSHOTS.get(name!, 'arrayBuffer'))!);
    for (const others of [bytes.slice(0, 5), bytes.slice().reverse()]) {
      await env.SNAPSHOTS.put(name!, others);
      expect((await feedAfresh()).bytes).toEqual(first.bytes);
      expect(new Uint8Array((await env.SNAPSHOTS.get(name!, 'arrayBuffer'))!)).toEqual(bytes);
    }
  });

  test('that has bytes of another length or another checksum beside its label → built, served and kept again', async () => {
    const first = await feedAfresh();
    const [name] = await keysInKv(account.id);
    const { value, metadata } = await env.SNAPSHOTS.getWithMetadata<{ bytes: number; crc: number }>(
      name!,
      'arrayBuffer',
    );
    await env.SNAPSHOTS.put(name!, value!.slice(0, value!.byteLength / 2), { metadata });
    expect((await feedAfresh()).bytes).toEqual(first.bytes);
    await env.SNAPSHOTS.put(name!, new Uint8Array(value!).reverse(), { metadata: { ...metadata, crc: 1 } });
    expect((await feedAfresh()).bytes).toEqual(first.bytes);
    expect(await env.SNAPSHOTS.get(name!, 'arrayBuffer')).toEqual(value);
  });

  test('that has other bytes than were noted → built, kept and noted anew', async () => {
    const built = await feedAfresh();
    const spoilt = 'UPDATE snapshots SET bytes = 400, crc = 1, length = 1 WHERE account_id = ? AND part = 1';
    await env.DB.prepare(spoilt).bind(account.id).run();
    expect((await feedAfresh()).bytes).toEqual(built.bytes);
    const { uses, bindings } = recorder();
    expect((await feedAfresh('', {}, bindings)).bytes).toEqual(built.bytes);
    expect(uses.map((use) => use.of)).toEqual(['D1', 'KV get', 'KV get', 'KV get']);
  });

  test('that loses entries at random while readers read → every reader has the whole feed', async () => {
    const whole = text(await feedAfresh());
    let seed = 7;
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    await Promise.all(
      Array.from({ length: 40 }, async () => {
        if (random() < 0.4)
          for (const name of await keysInKv(account.id)) if (random() < 0.5) await env.SNAPSHOTS.delete(name);
        const answer = random() < 0.5 ? await feed() : await feedAfresh('', { headers: { 'Accept-Encoding': 'gzip' } });
        expect(text(answer)).toBe(whole);
      }),
    );
  });

  test.each(['KV get', 'KV put', 'KV delete'] as const)(
    'whose %s fails → a right feed, and one line in the log',
    async (of) => {
      const whole = await feedAfresh();
      if (of === 'KV put') await setPrice(account.id, 1, 1.5);
      lines.length = 0;
      const failing = watched((use) => {
        if (use.of === of) throw new Error('KV is down');
      });
      const answer = await feedAfresh('', {}, failing);
      expect(answer.status).toBe(200);
      if (of !== 'KV put') expect(answer.bytes).toEqual(whole.bytes);
      if (of === 'KV delete') {
        await setPrice(account.id, 1, 2.5);
        const context = createExecutionContext();
        invalidateFeeds(failing, context, account.id, Date.now());
        await waitOnExecutionContext(context);
      }
      expect(failuresLogged()).toEqual([expect.stringContaining('KV is down')]);
      // No name is noted that KV was not given.
      expect(await keysInKv(account.id)).toEqual(expect.arrayContaining(await recordedKeys(account.id)));
      expect(pricesIn(await feedAfresh()).length).toBe(5);
    },
  );

  test('whose reads do not respond: 200, built from D1, one KV read per part', async () => {
    const whole = await feedAfresh();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let gets = 0;
    const hanging = watched(({ of }) => of === 'KV get' && ++gets && held);
    const answer = await feedAfresh('', {}, hanging);
    release();
    expect(answer.bytes).toEqual(whole.bytes);
    expect(gets).toBe(3);
    expect(failuresLogged()).toEqual([expect.stringContaining('KV has not responded')]);
  });

  test('that answers in time → no wait for it is left pending', async () => {
    const begun = vi.spyOn(globalThis, 'setTimeout');
    const calledOff = vi.spyOn(globalThis, 'clearTimeout');
    await feedAfresh();
    await feedAfresh();
    const waits = begun.mock.results.filter((_, index) => [1_000, 10_000].includes(begun.mock.calls[index]![1]!));
    expect(waits).toHaveLength(6);
    const ended = new Set(calledOff.mock.calls.map(([timer]) => timer));
    expect(waits.filter(({ value }) => !ended.has(value))).toEqual([]);
  });

  test('whose put takes longer than a get may → the feed is kept all the same', async () => {
    const slow = watched(({ of }) => of === 'KV put' && new Promise((resolve) => setTimeout(resolve, 1_100)));
    await feedAfresh('', {}, slow);
    expect(failuresLogged()).toEqual([]);
    expect((await feedAfresh()).headers.get('Cache-Status')).toBe('Lindero; hit; detail="3 of 3 parts cached"');
  });
});
