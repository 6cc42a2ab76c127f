import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Env } from '../../../../src/env.ts';
import { localCache } from '../../../../src/feed/snapshots/local.ts';
import { recentSnapshots } from '../../../../src/feed/snapshots/store.ts';
import { keysInKv, recordedKeys, setPrice } from '../../../support/accounts/sparse.ts';
import { ask } from '../../../support/worker/ask.ts';
import {
  account,
  feedWithFreshManifest,
  loggedFailures,
  openAccount,
  pricesIn,
  recorder,
  useAccount,
} from './account.ts';

useAccount();

let uses: ReturnType<typeof recorder>['uses'];
let bindings: Env;

beforeEach(() => {
  const watched = recorder();
  uses = watched.uses;
  bindings = { ...watched.bindings, PUBLIC_ORIGIN: 'https://feeds.example' };
  localCache.hasMatched = true;
});

const inKv = () => uses.filter(({ of }) => of !== 'D1').map(({ of }) => of);
const statusOf = ({ headers }: { headers: Headers }) => headers.get('Cache-Status');

/**
 * Where the location has a part that is recorded: at the service's own host, which causes no
 * look-up of a name.
 */
async function urlOf(part: number): Promise<string> {
  const [key] = (await recordedKeys(account.id)).filter((name) => name.includes(`/part${part}/`));
  return `https://feeds.example/.snapshots/3/${encodeURIComponent(key!)}`;
}

/** Deletes what the location has of one part, as the platform may at any time. */
async function evict(part: number): Promise<void> {
  expect(await caches.default.delete(await urlOf(part))).toBe(true);
}

/** A location whose cache takes everything and finds nothing, as behind Cloudflare Access. */
function withoutCache(): void {
  localCache.hasMatched = false;
  vi.spyOn(caches.default, 'match').mockResolvedValue(undefined);
}

describe('a service at a domain', () => {
  test('GET twice: built, then a hit from the location with the same bytes, and nothing of KV is used', async () => {
    const gzip = { headers: { 'Accept-Encoding': 'gzip' } };
    const first = await feedWithFreshManifest('', gzip, bindings);
    expect(statusOf(first)).toBe('Lindero; fwd=miss; detail="0 of 3 parts cached"');
    const second = await feedWithFreshManifest('', gzip, bindings);
    expect(statusOf(second)).toBe('Lindero; hit; detail="3 of 3 parts cached"');
    expect(second.bytes).toEqual(first.bytes);
    expect((await feedWithFreshManifest('', {}, bindings)).text).toBe(first.text);
    expect([inKv(), await keysInKv(account.id), await recordedKeys(account.id)]).toEqual([
      [],
      [],
      [],
    ]);
  });

  test('after a change: the changed part is built, the others come from the location', async () => {
    await feedWithFreshManifest('', {}, bindings);
    await setPrice(account.id, 1, 4_242);
    const changed = await feedWithFreshManifest('', {}, bindings);
    expect(statusOf(changed)).toContain('2 of 3 parts cached');
    expect(pricesIn(changed)).toContain('4242');
    expect(inKv()).toEqual([]);
  });

  test('parts that have lasted for an hour: written to KV when they are requested, and then read there if the location has lost them', async () => {
    const first = await feedWithFreshManifest('', {}, bindings);
    vi.setSystemTime(Date.now() + 3_600_000);
    await feedWithFreshManifest('', {}, bindings);
    expect(inKv()).toEqual(['KV put', 'KV put', 'KV put']);
    expect(await keysInKv(account.id)).toEqual(await recordedKeys(account.id));
    uses.length = 0;
    await evict(1);
    const lost = await feedWithFreshManifest('', {}, bindings);
    expect([statusOf(lost), lost.text, inKv()]).toEqual([
      'Lindero; hit; detail="3 of 3 parts cached"',
      first.text,
      ['KV get'],
    ]);
    await feedWithFreshManifest('', {}, bindings);
    expect(inKv()).toEqual(['KV get']);
  });

  test('a location whose cache fails: the feed is built, and KV is not asked for what it never had', async () => {
    const first = await feedWithFreshManifest('', {}, bindings);
    const { match } = caches.default;
    caches.default.match = () => Promise.reject(new Error('no cache'));
    const second = await feedWithFreshManifest('', {}, bindings);
    caches.default.match = match;
    expect([statusOf(second), second.text, inKv()]).toEqual([statusOf(first), first.text, []]);
    expect(loggedFailures()).toEqual([]);
  });

  test('a feed of more parts than are looked for at the same time: a hit with all of them', async () => {
    await openAccount([1, 501, 1001, 1501, 2001, 2501, 3001]);
    const first = await feedWithFreshManifest('', {}, bindings);
    const second = await feedWithFreshManifest('', {}, bindings);
    expect([statusOf(second), second.text]).toEqual([
      'Lindero; hit; detail="7 of 7 parts cached"',
      first.text,
    ]);
    expect(pricesIn(second)).toHaveLength(7);
  });

  test.each([
    ['one part, compressed', [1], 'gzip'],
    ['three parts', [1, 501, 1001], 'identity'],
  ])(
    'a location that loses %s once it has been found: built, and KV is not asked for what it never had',
    async (_, numbers, encoding) => {
      await openAccount(numbers);
      const init = { headers: { 'Accept-Encoding': encoding } };
      const first = await feedWithFreshManifest('', init, bindings);
      const { match } = caches.default;
      let found = 0;
      caches.default.match = async (url) =>
        found++ < numbers.length ? match.call(caches.default, url) : undefined;
      const second = await feedWithFreshManifest('', init, bindings);
      caches.default.match = match;
      expect([second.text, inKv()]).toEqual([first.text, []]);
      expect(found).toBeGreaterThan(numbers.length);
    },
  );

  test('a location that has other bytes of a part than are recorded: the part is built', async () => {
    const init = { headers: { 'Accept-Encoding': 'gzip' } };
    const first = await feedWithFreshManifest('', init, bindings);
    vi.setSystemTime(Date.now() + 3_600_000);
    await feedWithFreshManifest('', init, bindings);
    const corrupt =
      'UPDATE snapshots SET bytes = 400, crc = 1, length = 1 WHERE account_id = ? AND part = 1';
    await env.DB.prepare(corrupt).bind(account.id).run();
    expect((await feedWithFreshManifest('', init, bindings)).text).toBe(first.text);
  });

  test('a feed ordered by listing date, whose order is part of the record of its snapshots: in KV', async () => {
    await feedWithFreshManifest('DisplayListingDate=TRUE', {}, bindings);
    expect(await keysInKv(account.id)).toEqual(await recordedKeys(account.id));
    expect(inKv()).toContain('KV put');
  });
});

describe('a service at a domain where the platform caches nothing', () => {
  const gzip = { headers: { 'Accept-Encoding': 'gzip' } };

  test('GET twice: built and written to KV, then a hit', async () => {
    withoutCache();
    const first = await feedWithFreshManifest('', gzip, bindings);
    expect(inKv()).toEqual(['KV put', 'KV put', 'KV put']);
    recentSnapshots.clear();
    const second = await feedWithFreshManifest('', gzip, bindings);
    expect([statusOf(second), second.bytes]).toEqual([
      'Lindero; hit; detail="3 of 3 parts cached"',
      first.bytes,
    ]);
    vi.restoreAllMocks();
  });

  test('once something has been found in it: what is built next is only there', async () => {
    localCache.hasMatched = false;
    await feedWithFreshManifest('', gzip, bindings);
    recentSnapshots.clear();
    await feedWithFreshManifest('', gzip, bindings);
    uses.length = 0;
    await setPrice(account.id, 1, 4_343);
    expect(pricesIn(await feedWithFreshManifest('', gzip, bindings))).toContain('4343');
    expect(inKv()).toEqual([]);
  });

  test('at workers.dev: KV, and the cache is not asked', async () => {
    const match = vi.spyOn(caches.default, 'match');
    const origin = 'https://lindero.example.workers.dev';
    const settings = { ...bindings, PUBLIC_ORIGIN: origin };
    const path = `${origin}/CreateXMLFeedV3.asp?${account.login}`;
    expect((await ask(path, gzip, settings)).status).toBe(200);
    expect([inKv(), match.mock.calls]).toEqual([['KV put', 'KV put', 'KV put'], []]);
    vi.restoreAllMocks();
  });
});

test('a part that is damaged in the location: built again, and replaced there', async () => {
  const gzip = { headers: { 'Accept-Encoding': 'gzip' } };
  const first = await feedWithFreshManifest('', gzip, bindings);
  vi.setSystemTime(Date.now() + 3_600_000);
  await feedWithFreshManifest('', gzip, bindings);
  const url = await urlOf(1);
  const stored = (await caches.default.match(url))!;
  const { headers } = stored;
  const damaged = await stored.bytes();
  damaged[40]! ^= 1;
  await caches.default.put(url, new Response(damaged, { headers }));
  recentSnapshots.clear();
  const second = await feedWithFreshManifest('', gzip, bindings);
  expect(second.text).toBe(first.text);
  recentSnapshots.clear();
  const third = await feedWithFreshManifest('', gzip, bindings);
  expect([third.text, statusOf(third)]).toEqual([
    first.text,
    'Lindero; hit; detail="3 of 3 parts cached"',
  ]);
});

test('the same service at another address, such as workers.dev: KV', async () => {
  await feedWithFreshManifest('', {}, { ...bindings, PUBLIC_ORIGIN: 'https://elsewhere.example' });
  expect(inKv()).toEqual(['KV put', 'KV put', 'KV put']);
  expect(env.PUBLIC_ORIGIN).toBeUndefined();
});
