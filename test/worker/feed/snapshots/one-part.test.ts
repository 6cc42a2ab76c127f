import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { watched } from '../../../support/ask.ts';
import { keysInKv } from '../../../support/sparse.ts';
import {
  account,
  feedWithFreshManifest,
  loggedFailures,
  logLines,
  openAccount,
  recorder,
  text,
  useAccount,
} from './account.ts';

useAccount();

describe('GET of a feed of one part', () => {
  const gzip = { headers: { 'Accept-Encoding': 'gzip' } };

  beforeEach(async () => {
    await openAccount([1, 2]);
  });

  test('cached: the response is the value in KV', async () => {
    const built = await feedWithFreshManifest('', gzip);
    const { uses, bindings } = recorder();
    const cached = await feedWithFreshManifest('', gzip, bindings);
    const [name] = await keysInKv(account.id);
    expect(cached.bytes).toEqual(built.bytes);
    expect(cached.bytes).toEqual(new Uint8Array((await env.SNAPSHOTS.get(name!, 'arrayBuffer'))!));
    expect(cached.headers.get('Cache-Status')).toContain('; hit;');
    expect(uses.map((use) => use.of)).toEqual(['D1', 'KV get']);
    expect(text(await feedWithFreshManifest())).toBe(text(cached));
  });

  test.each([
    ['loses', (name: string) => env.SNAPSHOTS.delete(name)],
    ['returns other bytes for', (name: string, bytes: Uint8Array) => env.SNAPSHOTS.put(name, bytes.slice().reverse())],
  ])('KV %s the snapshot: it is built, sent and cached again', async (_, corrupt) => {
    const built = await feedWithFreshManifest('', gzip);
    const [name] = await keysInKv(account.id);
    await corrupt(name!, built.bytes);
    const { uses, bindings } = recorder();
    logLines.length = 0;
    const response = await feedWithFreshManifest('', gzip, bindings);
    expect(response.bytes).toEqual(built.bytes);
    expect(response.headers.get('Cache-Status')).toContain('fwd=miss');
    expect(logLines).toEqual([expect.stringContaining('"event":"request"')]);
    expect(uses.filter((use) => use.of === 'KV get').length).toBe(1);
    expect(new Uint8Array((await env.SNAPSHOTS.get(name!, 'arrayBuffer'))!)).toEqual(built.bytes);
  });

  test('KV fails: 200 from D1, and one log line', async () => {
    const built = await feedWithFreshManifest('', gzip);
    logLines.length = 0;
    const failing = watched(({ of }) => {
      if (of === 'KV get') throw new Error('KV is down');
    });
    expect((await feedWithFreshManifest('', gzip, failing)).bytes).toEqual(built.bytes);
    expect(loggedFailures()).toEqual([expect.stringContaining('KV is down')]);
  });

  test('KV fails in the middle of the value: the connection is aborted', async () => {
    await feedWithFreshManifest('', gzip);
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
    await expect(feedWithFreshManifest('', gzip, { ...env, SNAPSHOTS })).rejects.toThrow('KV broke off');
  });
});
