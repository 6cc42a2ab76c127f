import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { SNAPSHOT_LIFETIME_SECONDS } from '../../../../src/feed/snapshots/table.ts';
import { keysInKv, recordedKeys, setPrice } from '../../../support/accounts/sparse.ts';
import { failingWhen, watched } from '../../../support/worker/ask.ts';
import {
  account,
  feed,
  feedWithFreshManifest,
  loggedFailures,
  logLines,
  openAccount,
  recorder,
  useAccount,
} from './account.ts';

useAccount();

describe('GET', () => {
  test('twice: built, then all from KV after one statement, with the same bytes', async () => {
    const first = await feedWithFreshManifest();
    const { uses, bindings } = recorder();
    const second = await feedWithFreshManifest('', {}, bindings);
    expect(first.headers.get('Cache-Status')).toBe(
      'Lindero; fwd=miss; detail="0 of 3 parts cached"',
    );
    expect(second.headers.get('Cache-Status')).toBe('Lindero; hit; detail="3 of 3 parts cached"');
    expect(second.bytes).toEqual(first.bytes);
    expect(uses.map((use) => use.of)).toEqual(['D1', 'KV get', 'KV get', 'KV get']);
    expect(await keysInKv(account.id)).toEqual(await recordedKeys(account.id));
  });

  test('after changes of the first and the last part: the last is read from D1 before those in between from KV', async () => {
    await openAccount([1, 501, 1001, 1501, 2001, 2501]);
    await feedWithFreshManifest();
    for (const number of [1, 2501]) await setPrice(account.id, number, 7);
    const { uses, bindings } = recorder();
    const { headers } = await feedWithFreshManifest('', {}, bindings);
    expect(headers.get('Cache-Status')).toContain('4 of 6 parts cached');
    const reads = uses.filter(({ of, what }) => of === 'KV get' || /^\s*(SELECT|WITH)/.test(what));
    const order = reads.map(({ of, what }) => (of === 'D1' ? of : /part\d/.exec(what)![0]));
    expect(order.filter((read) => read !== 'D1')).toEqual(['part1', 'part2', 'part3', 'part4']);
    expect(order.lastIndexOf('D1')).toBeLessThan(order.indexOf('part4'));
  });

  test.each(['', 'DisplayListingDate=TRUE'])(
    '?%s twice within a second: a hit, without D1',
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
    '?%s with gzip and with identity: the same document',
    async (query) => {
      const built = await feedWithFreshManifest(query, { headers: { 'Accept-Encoding': 'gzip' } });
      const cached = await feedWithFreshManifest(query, { headers: { 'Accept-Encoding': 'gzip' } });
      const plain = await feedWithFreshManifest(query);
      expect(cached.bytes).toEqual(built.bytes);
      expect(cached.text).toBe(plain.text);
      expect(cached.headers.get('Content-Encoding')).toBe('gzip');
      expect(plain.headers.get('Content-Encoding')).toBe(null);
      for (const response of [built, cached, plain])
        expect(response.headers.get('Vary')).toBe('Accept-Encoding');
    },
  );

  test.each(['format', 'incarnation'])(
    'with keys that were never written, of another %s: no KV read',
    async (column) => {
      const { uses, bindings } = recorder();
      await feedWithFreshManifest('', {}, bindings);
      await env.DB.prepare(`UPDATE snapshots SET ${column} = ${column} - 1 WHERE account_id = ?`)
        .bind(account.id)
        .run();
      await feedWithFreshManifest('', {}, bindings);
      expect(uses.filter((use) => use.of === 'KV get')).toEqual([]);
    },
  );

  test('a snapshot in KV: expires an hour after the lifetime of a week', async () => {
    await feedWithFreshManifest();
    const { keys } = await env.SNAPSHOTS.list({ prefix: (await keysInKv(account.id))[0]! });
    const seconds = keys[0]!.expiration! - Date.now() / 1000;
    expect(Math.round(seconds / 60)).toBe((SNAPSHOT_LIFETIME_SECONDS + 3_600) / 60);
  });

  test('with an empty segment: recorded as a hit, neither written to KV nor read from it', async () => {
    await env.DB.prepare(
      "UPDATE properties SET document = json_set(document, '$.status', 'Withdrawn') WHERE account_id = ? AND number > 1000",
    )
      .bind(account.id)
      .run();
    await feedWithFreshManifest();
    const keys: string[] = [];
    const counting = watched(({ of, what }) => of === 'KV get' && keys.push(what));
    expect((await feedWithFreshManifest('', {}, counting)).headers.get('Cache-Status')).toContain(
      '3 of 3 parts cached',
    );
    expect(keys.map((name) => name.split('/')[2])).toEqual(['part0', 'part1']);
    expect((await keysInKv(account.id)).map((name) => name.split('/')[2])).toEqual([
      'part0',
      'part1',
    ]);
  });

  test('without properties: a complete document, built and cached', async () => {
    await openAccount([]);
    for (const headers of [{}, { 'Accept-Encoding': 'gzip' }]) {
      for (const query of ['', 'DisplayListingDate=TRUE']) {
        for (const _ of [1, 2])
          expect((await feedWithFreshManifest(query, { headers })).text).toMatch(
            /<root>[\s\S]*<\/root>\n$/,
          );
      }
    }
  });
});

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
    expect((await feedWithFreshManifest()).text).toBe(cached.text);
  });

  test.each([
    ['loses', (name: string) => env.SNAPSHOTS.delete(name)],
    [
      'returns other bytes for',
      (name: string, bytes: Uint8Array) => env.SNAPSHOTS.put(name, bytes.slice().reverse()),
    ],
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
    const failing = failingWhen(({ of }) => of === 'KV get', 'KV is down');
    expect((await feedWithFreshManifest('', gzip, failing)).bytes).toEqual(built.bytes);
    expect(loggedFailures()).toEqual([expect.stringContaining('KV is down')]);
  });
});

const PROPERTIES = 'LEFT JOIN properties';

describe('GET by several readers at once', () => {
  test.each([
    ['gzip', 'gzip'],
    ['identity', 'gzip'],
    ['identity', 'identity'],
  ])('%s and %s, nothing cached: the same feed, each part built once', async (one, other) => {
    await feed('', { method: 'HEAD' });
    const { uses, bindings } = recorder();
    const responses = await Promise.all(
      [one, other, one, other].map((encoding) =>
        feed('', { headers: { 'Accept-Encoding': encoding } }, bindings),
      ),
    );
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect(uses.filter(({ what }) => what.includes(PROPERTIES))).toHaveLength(3);
    expect(uses.filter(({ of }) => of === 'KV put')).toHaveLength(3);
  });

  test('the builder fails: the others get the feed', async () => {
    let reads = 0;
    let fail = () => {};
    const failing = watched(
      ({ what }) =>
        what.includes(PROPERTIES) &&
        ++reads === 1 &&
        new Promise((_, reject) => {
          fail = () => reject(new Error('D1 is down'));
        }),
    );
    await feed('', { method: 'HEAD' });
    const builder = feed('', {}, failing);
    await vi.waitFor(() => expect(reads).toBe(1), { timeout: 300_000 });
    const others = [feed(), feed()];
    fail();
    await expect(builder).rejects.toThrow('The feed was aborted');
    for (const other of await Promise.all(others)) expect(other.text).toContain('</root>');
  });

  test('a change while the first one builds: a reader that came after it gets the change', async () => {
    const { promise: held, resolve: go } = Promise.withResolvers<void>();
    let reads = 0;
    const slow = watched(
      () => {},
      ({ what }) => what.includes(PROPERTIES) && ++reads === 1 && held,
    );
    const first = feedWithFreshManifest('', {}, slow);
    await vi.waitFor(() => expect(reads).toBe(1), { timeout: 300_000 });
    await setPrice(account.id, 1, 4_711);
    expect((await feedWithFreshManifest()).text).toContain('4711');
    go();
    expect((await first).text).not.toContain('4711');
  });
});

describe('GET of six cached parts', () => {
  const numbers = [1, 501, 1001, 1501, 2001, 2501];

  test.each(['gzip', 'identity'])(
    '%s: four KV reads at a time, in document order',
    async (encoding) => {
      await openAccount(numbers);
      const init = { headers: { 'Accept-Encoding': encoding } };
      const expected = await feedWithFreshManifest('', init);
      let [running, most] = [0, 0];
      const keys: string[] = [];
      const counting = watched(
        ({ of, what }) => {
          if (of !== 'KV get') return;
          keys.push(what.split('/')[2]!);
          most = Math.max(most, ++running);
        },
        async ({ of }) => {
          await new Promise((resolve) => setTimeout(resolve, 10));
          if (of === 'KV get') running--;
        },
      );
      expect((await feedWithFreshManifest('', init, counting)).bytes).toEqual(expected.bytes);
      expect(most).toBe(4);
      expect(keys).toEqual(['part0', 'part1', 'part2', 'part3', 'part4', 'part5']);
    },
  );

  test('KV fails for one of them: that one is built, the others come from KV', async () => {
    await openAccount(numbers);
    const expected = await feedWithFreshManifest();
    const failing = failingWhen(
      ({ of, what }) => of === 'KV get' && what.includes('/part2/'),
      'KV is down',
    );
    const uses: string[] = [];
    const DB = watched(({ what }) => what.includes(PROPERTIES) && uses.push(what)).DB;
    expect((await feedWithFreshManifest('', {}, { ...failing, DB })).bytes).toEqual(expected.bytes);
    expect(uses).toHaveLength(1);
    expect(loggedFailures()).toHaveLength(1);
  });
});

test.each([
  [30, undefined],
  [62, 86_400],
])(
  'GET of a snapshot written %i s ago: a KV read cached at its location for %s s',
  async (age, cacheTtl) => {
    await feedWithFreshManifest();
    await env.DB.prepare('UPDATE snapshots SET cached_at = unixepoch() - ?2 WHERE account_id = ?1')
      .bind(account.id, age)
      .run();
    const read = vi.spyOn(env.SNAPSHOTS, 'getWithMetadata');
    await feedWithFreshManifest();
    expect(read.mock.calls.map(([, options]) => options?.cacheTtl)).toEqual(
      Array(3).fill(cacheTtl),
    );
  },
);
