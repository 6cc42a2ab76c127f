import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { watched } from '../../../support/ask.ts';
import { addProperties, keysInKv } from '../../../support/sparse.ts';
import {
  account,
  failuresLogged,
  feedAfresh,
  lines,
  openAccount,
  pricesIn,
  recorder,
  text,
  useAccount,
} from './account.ts';

useAccount();

describe('a feed of one part', () => {
  const gzip = { headers: { 'Accept-Encoding': 'gzip' } };

  beforeEach(async () => {
    await openAccount([1, 2]);
  });

  test('that is kept → its entry in KV is the answer', async () => {
    const built = await feedAfresh('', gzip);
    const { uses, bindings } = recorder();
    const kept = await feedAfresh('', gzip, bindings);
    const [name] = await keysInKv(account.id);
    expect(kept.bytes).toEqual(built.bytes);
    expect(kept.bytes).toEqual(new Uint8Array((await env.SNAPSHOTS.get(name!, 'arrayBuffer'))!));
    expect(kept.headers.get('Cache-Status')).toContain('; hit;');
    expect(uses.map((use) => use.of)).toEqual(['D1', 'KV get']);
    expect(text(await feedAfresh())).toBe(text(kept));
  });

  test('that is kept, HEAD → its facts, and KV is not asked for it', async () => {
    const { headers } = await feedAfresh('', gzip);
    const { uses, bindings } = recorder();
    const head = await feedAfresh('', { ...gzip, method: 'HEAD' }, bindings);
    expect(head.headers.get('ETag')).toBe(headers.get('ETag'));
    expect(uses.map((use) => use.of)).toEqual(['D1']);
  });

  test('that gets a second one → made of both, the first from KV', async () => {
    await feedAfresh('', gzip);
    await addProperties(account.id, [501]);
    const answer = await feedAfresh('', gzip);
    expect(answer.headers.get('Cache-Status')).toContain('1 of 2 parts cached');
    expect(pricesIn(answer).length).toBe(3);
  });

  test.each([
    ['has lost', (name: string) => env.SNAPSHOTS.delete(name)],
    ['has other bytes of', (name: string, bytes: Uint8Array) => env.SNAPSHOTS.put(name, bytes.slice().reverse())],
  ])('that KV %s → built, served and kept again', async (_, spoil) => {
    const built = await feedAfresh('', gzip);
    const [name] = await keysInKv(account.id);
    await spoil(name!, built.bytes);
    const { uses, bindings } = recorder();
    lines.length = 0;
    const answer = await feedAfresh('', gzip, bindings);
    expect(answer.bytes).toEqual(built.bytes);
    expect(answer.headers.get('Cache-Status')).toContain('fwd=miss');
    expect(lines).toEqual([expect.stringContaining('"event":"request"')]);
    expect(uses.filter((use) => use.of === 'KV get').length).toBe(1);
    expect(new Uint8Array((await env.SNAPSHOTS.get(name!, 'arrayBuffer'))!)).toEqual(built.bytes);
  });

  test('whose KV fails → D1 answers, and one line in the log', async () => {
    const built = await feedAfresh('', gzip);
    lines.length = 0;
    const failing = watched(({ of }) => {
      if (of === 'KV get') throw new Error('KV is down');
    });
    expect((await feedAfresh('', gzip, failing)).bytes).toEqual(built.bytes);
    expect(failuresLogged()).toEqual([expect.stringContaining('KV is down')]);
  });

  test('that KV breaks off amid its bytes → a broken connection', async () => {
    await feedAfresh('', gzip);
    const SNAPSHOTS = new Proxy(env.SNAPSHOTS, {
      get: (store, property) =>
        property !== 'getWithMetadata'
          ? Reflect.get(store, property)
          : async (key: string) => {
              const { value, metadata } = await store.getWithMetadata(key, 'arrayBuffer');
              let pulls = 0;
              const broken = new ReadableStream({
                pull(controller) {
                  if (++pulls === 1) controller.enqueue(new Uint8Array(value!).subarray(0, 100));
                  else controller.error(new Error('KV broke off'));
                },
              });
              return { value: broken, metadata };
            },
    });
    await expect(feedAfresh('', gzip, { ...env, SNAPSHOTS })).rejects.toThrow('KV broke off');
  });
});
