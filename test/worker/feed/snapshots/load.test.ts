import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { watched } from '../../../support/ask.ts';
import { setPrice } from '../../../support/sparse.ts';
import {
  account,
  feed,
  feedWithFreshManifest,
  loggedFailures,
  openAccount,
  recorder,
  text,
  useAccount,
} from './account.ts';

useAccount();

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
      [one, other, one, other].map((encoding) => feed('', { headers: { 'Accept-Encoding': encoding } }, bindings)),
    );
    expect(new Set(responses.map(text)).size).toBe(1);
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
    for (const other of await Promise.all(others)) expect(text(other)).toContain('</root>');
  });

  test('a change while the first one builds: a reader that came after it gets the change', async () => {
    let go = () => {};
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    let reads = 0;
    const slow = watched(
      () => {},
      ({ what }) => what.includes(PROPERTIES) && ++reads === 1 && held,
    );
    const first = feedWithFreshManifest('', {}, slow);
    await vi.waitFor(() => expect(reads).toBe(1), { timeout: 300_000 });
    await setPrice(account.id, 1, 4_711);
    expect(text(await feedWithFreshManifest())).toContain('4711');
    go();
    expect(text(await first)).not.toContain('4711');
  });
});

describe('GET of six cached parts', () => {
  const numbers = [1, 501, 1001, 1501, 2001, 2501];

  test.each(['gzip', 'identity'])('%s: four KV reads at a time, in document order', async (encoding) => {
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
  });

  test('KV fails for one of them: that one is built, the others come from KV', async () => {
    await openAccount(numbers);
    const expected = await feedWithFreshManifest();
    const failing = watched(({ of, what }) => {
      if (of === 'KV get' && what.includes('/part2/')) throw new Error('KV is down');
    });
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
])('GET of a snapshot written %i s ago: a KV read cached at its location for %s s', async (age, cacheTtl) => {
  await feedWithFreshManifest();
  await env.DB.prepare('UPDATE snapshots SET cached_at = unixepoch() - ?2 WHERE account_id = ?1')
    .bind(account.id, age)
    .run();
  const read = vi.spyOn(env.SNAPSHOTS, 'getWithMetadata');
  await feedWithFreshManifest();
  expect(read.mock.calls.map(([, options]) => options?.cacheTtl)).toEqual(Array(3).fill(cacheTtl));
});
