import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { app } from '../../../../src/app.ts';
import { connect } from '../../../../src/db/connection.ts';
import { invalidateFeeds } from '../../../../src/feed/invalidation/invalidate.ts';
import { invalidateManifests, loadManifest } from '../../../../src/feed/manifest/manifest-cache.ts';
import { setPassword } from '../../../../src/operator/accounts.ts';
import { openReader } from '../../../support/accounts/readers.ts';
import { keysInKv, recordedKeys, setPrice } from '../../../support/accounts/sparse.ts';
import { ask, failingWhen, watched } from '../../../support/worker/ask.ts';
import {
  account,
  feed,
  feedWithFreshManifest,
  invalidate,
  loggedFailures,
  logLines,
  openAccount,
  pricesIn,
  recorder,
  useAccount,
} from './account.ts';

useAccount();

describe('GET, D1 fails', () => {
  test('on the third segment: the connection is aborted, and the document is not closed', async () => {
    let reads = 0;
    const failing = failingWhen(
      ({ what }) => what.includes('LEFT JOIN properties') && ++reads === 3,
      'D1 is down',
    );
    invalidateManifests(account.id);
    const context = createExecutionContext();
    const response = await app.fetch(
      new Request(`https://feeds.example/CreateXMLFeedV3.asp?${account.login}`),
      failing,
      context,
    );
    const reader = response.body!.getReader();
    let received = '';
    await expect(
      (async () => {
        for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
          received += new TextDecoder().decode(chunk.value);
        }
      })(),
    ).rejects.toThrow('The feed was aborted');
    expect(loggedFailures()).toEqual([expect.stringContaining('D1 is down')]);
    expect(received).toContain('<id>502</id>');
    expect(received).not.toContain('</root>');
  });

  test('on the third segment, with a key in the path: aborted, and nothing is logged, since the platform adds the path', async () => {
    const key = await openReader(account.id, 'silent');
    let reads = 0;
    const failing = failingWhen(
      ({ what }) => what.includes('LEFT JOIN properties') && ++reads === 3,
      'D1 is down',
    );
    const [, code] = /@(.*)&/.exec(account.login)!;
    const request = new Request(`https://feeds.example/feeds/${code}/${key}/kyero.xml`);
    const response = await app.fetch(request, failing, createExecutionContext());
    await expect(response.text()).rejects.toThrow('The feed was aborted');
    expect(loggedFailures()).toEqual([]);
  });

  test('before anything is sent: 503 with Retry-After', async () => {
    invalidateManifests(account.id);
    const failing = failingWhen(({ of }) => of === 'D1', 'D1 is down');
    const response = await feed('', {}, failing);
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '30']);
    expect(response.text).toContain('<code>unavailable</code>');
  });

  test('by not responding: 503 after ten seconds; a write fails after thirty', async () => {
    const limits: number[] = [];
    const real = globalThis.setTimeout;
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, milliseconds = 0) => {
      if (milliseconds >= 10_000) limits.push(milliseconds);
      return real(run, milliseconds >= 10_000 ? 10 : milliseconds);
    }) as typeof setTimeout);
    const hanging = watched(({ of }) => of === 'D1' && new Promise(() => {}));
    const answer = await feedWithFreshManifest('', {}, hanging);
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '30']);
    expect(loggedFailures()).toEqual([
      expect.stringContaining('D1 has not responded within 10000 ms'),
    ]);
    const write = connect(hanging.DB).prepare('UPDATE accounts SET name = name').run();
    await expect(write).rejects.toThrow('D1 has not responded within 30000 ms');
    expect(new Set(limits)).toEqual(new Set([10_000, 30_000]));
  });

  test('for the only part that must be built: 503, and the reason is logged', async () => {
    await feedWithFreshManifest();
    await setPrice(account.id, 501, 4);
    const failing = failingWhen(({ what }) => what.includes('LEFT JOIN properties'), 'D1 is down');
    const response = await feedWithFreshManifest('', {}, failing);
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '30']);
    expect(loggedFailures()).toEqual([expect.stringContaining('D1 is down')]);
  });

  test('for authorized readers: 200 from snapshots for ten minutes; for others: 503', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const expected = await feed();
    await feed();
    const failing = failingWhen(({ of }) => of === 'D1', 'D1 is down');
    const wrong = () =>
      ask(`/CreateXMLFeedV3.asp?${account.login.replace('secret', 'guess')}`, {}, failing).then(
        ({ status }) => status,
      );
    vi.setSystemTime(Date.now() + 60_000);
    expect((await feed('', {}, failing)).bytes).toEqual(expected.bytes);
    expect(await wrong()).toBe(503);
    vi.setSystemTime(Date.now() + 539_000);
    expect((await feed('', {}, failing)).bytes).toEqual(expected.bytes);
    vi.setSystemTime(Date.now() + 2_000);
    expect((await feed('', {}, failing)).status).toBe(503);
  });

  test('for authorized readers: Age and Warning state that the feed may be out of date, on a 304 too', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const staleness = ({ status, headers }: Awaited<ReturnType<typeof feed>>) => [
      status,
      headers.get('Age'),
      headers.get('Warning'),
    ];
    await feed();
    expect(staleness(await feed())).toEqual([200, null, null]);
    const failing = failingWhen(({ of }) => of === 'D1', 'D1 is down');
    vi.setSystemTime(Date.now() + 60_000);
    const stale = await feed('', {}, failing);
    expect(staleness(stale)).toEqual([200, '60', '110 - "Response is Stale"']);
    const headers = { 'If-None-Match': stale.headers.get('ETag')! };
    expect(staleness(await feed('', { headers }, failing))).toEqual([
      304,
      '60',
      '110 - "Response is Stale"',
    ]);
    expect(staleness(await feed())).toEqual([200, null, null]);
  });

  test('after 501 manifests of unknown accounts: 200 for authorized readers', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await feed();
    const expected = await feed();
    const withoutAccounts = { prepare: () => empty } as unknown as D1Database;
    const empty = { bind: () => empty, raw: async () => [] };
    vi.setSystemTime(Date.now() + 2_000);
    const set = {
      format: 'x',
      parameters: 'x',
      byListing: false,
      channel: null,
    };
    for (let asked = 0; asked < 501; asked++) {
      const { manifest } = await loadManifest(withoutAccounts, `NOBODY${asked}`, set, Date.now());
      expect(manifest).toBeNull();
    }
    const failing = failingWhen(({ of }) => of === 'D1', 'D1 is down');
    expect((await feed('', {}, failing)).bytes).toEqual(expected.bytes);
  });

  test('after the old password got a 401 in one feed: 503 for it in every feed', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    for (const version of [1, 2]) for (let time = 0; time < 2; time++) await feed(`&FV=${version}`);
    await setPassword(env.DB, account.id, { password: 'new' });
    vi.setSystemTime(Date.now() + 2_000);
    const failing = failingWhen(({ of }) => of === 'D1', 'D1 is down');
    expect((await feed('&FV=2', {}, failing)).status).toBe(200);
    expect((await feed('&FV=1')).status).toBe(401);
    expect((await feed('&FV=1', {}, failing)).status).not.toBe(200);
    expect((await feed('&FV=2', {}, failing)).status).toBe(503);
  });

  test('after a change: 503, since the cached manifest is stale', async () => {
    await feed();
    await feed();
    await setPrice(account.id, 1, 3);
    await invalidate();
    const failing = failingWhen(({ of }) => of === 'D1', 'D1 is down');
    expect((await feed('', {}, failing)).status).toBe(503);
  });
});

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
    await env.SNAPSHOTS.put(name!, new Uint8Array(value!).reverse(), {
      metadata: { ...metadata, crc: 1 },
    });
    expect((await feedWithFreshManifest()).bytes).toEqual(first.bytes);
    expect(await env.SNAPSHOTS.get(name!, 'arrayBuffer')).toEqual(value);
  });

  test('KV returns other bytes of a feed of one part than were recorded: it is built', async () => {
    await openAccount([1]);
    const init = { headers: { 'Accept-Encoding': 'gzip' } };
    const built = await feedWithFreshManifest('', init);
    const [name] = await keysInKv(account.id);
    await env.SNAPSHOTS.put(name!, 'other bytes', { metadata: { bytes: 11, crc: 1 } });
    expect((await feedWithFreshManifest('', init)).text).toBe(built.text);
  });

  test('KV returns other bytes than were recorded: the part is built, cached and recorded again', async () => {
    const built = await feedWithFreshManifest();
    const corrupt =
      'UPDATE snapshots SET bytes = 400, crc = 1, length = 1 WHERE account_id = ? AND part = 1';
    await env.DB.prepare(corrupt).bind(account.id).run();
    expect((await feedWithFreshManifest()).bytes).toEqual(built.bytes);
    const { uses, bindings } = recorder();
    expect((await feedWithFreshManifest('', {}, bindings)).bytes).toEqual(built.bytes);
    expect(uses.map((use) => use.of)).toEqual(['D1', 'KV get', 'KV get', 'KV get']);
  });

  test.each(['KV get', 'KV put', 'KV delete'] as const)(
    '%s fails: 200 with the correct feed, and one log line',
    async (of) => {
      const expected = await feedWithFreshManifest();
      if (of === 'KV put') await setPrice(account.id, 1, 1.5);
      logLines.length = 0;
      const failing = failingWhen((use) => use.of === of, 'KV is down');
      const response = await feedWithFreshManifest('', {}, failing);
      expect(response.status).toBe(200);
      if (of !== 'KV put') expect(response.bytes).toEqual(expected.bytes);
      if (of === 'KV delete') {
        await setPrice(account.id, 1, 2.5);
        const context = createExecutionContext();
        invalidateFeeds({ env: failing, executionCtx: context }, account.id, Date.now());
        await waitOnExecutionContext(context);
      }
      expect(loggedFailures()).toEqual([expect.stringContaining('KV is down')]);
      // Only keys that were written to KV are recorded.
      expect(await keysInKv(account.id)).toEqual(
        expect.arrayContaining(await recordedKeys(account.id)),
      );
      expect(pricesIn(await feedWithFreshManifest()).length).toBe(5);
    },
  );

  test('KV takes no second write of an entry within a second, because another isolate writes the same: no error', async () => {
    const failing = failingWhen(
      ({ of }) => of === 'KV put',
      'KV PUT failed: 429 Too Many Requests',
    );
    expect((await feedWithFreshManifest('', {}, failing)).status).toBe(200);
    expect(loggedFailures()).toEqual([]);
  });

  test('KV reads do not respond: 200, built from D1, one KV read per part', async () => {
    const expected = await feedWithFreshManifest();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    let gets = 0;
    const hanging = watched(({ of }) => of === 'KV get' && ++gets && held);
    const response = await feedWithFreshManifest('', {}, hanging);
    release();
    expect(response.bytes).toEqual(expected.bytes);
    expect(gets).toBe(3);
    expect(loggedFailures()).toEqual([expect.stringContaining('KV has not responded')]);
  });

  test('a KV put that takes longer than a get may: the feed is cached', async () => {
    const slow = watched(
      ({ of }) => of === 'KV put' && new Promise((resolve) => setTimeout(resolve, 1_100)),
    );
    await feedWithFreshManifest('', {}, slow);
    expect(loggedFailures()).toEqual([]);
    expect((await feedWithFreshManifest()).headers.get('Cache-Status')).toBe(
      'Lindero; hit; detail="3 of 3 parts cached"',
    );
  });
});

/** Requests the account's feed, which is not cached, without reading it. */
async function begin(
  bindings: typeof env,
): Promise<{ response: Response; context: ExecutionContext }> {
  invalidateManifests(account.id);
  const context = createExecutionContext();
  const url = `https://feeds.example/CreateXMLFeedV3.asp?${account.login}`;
  return { response: await app.fetch(new Request(url), bindings, context), context };
}

describe('GET by a reader that disconnects', () => {
  test('after the first part: what was built is cached, and nothing more is read', async () => {
    const { uses, bindings } = recorder();
    const { response, context } = await begin(bindings);
    const reader = response.body!.getReader();
    await reader.read();
    await reader.read();
    await reader.cancel();
    await waitOnExecutionContext(context);
    expect((await keysInKv(account.id)).map((name) => name.split('/')[2])).toEqual([
      'part0',
      'part1',
    ]);
    expect(uses.filter((use) => use.what.includes('LEFT JOIN properties')).length).toBe(2);
  });

  test('while the next part fails: no unhandled rejection', async () => {
    const unhandled = vi.fn((event: PromiseRejectionEvent) => event.preventDefault());
    addEventListener('unhandledrejection', unhandled);
    let reads = 0;
    const failing = failingWhen(
      ({ what }) => what.includes('LEFT JOIN properties') && ++reads === 2,
      'D1 is down',
    );
    const { response, context } = await begin(failing);
    const reader = response.body!.getReader();
    for (let chunk = 0; chunk < 2; chunk++) await reader.read();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await reader.cancel();
    await waitOnExecutionContext(context);
    removeEventListener('unhandledrejection', unhandled);
    expect([reads, unhandled.mock.calls.length]).toEqual([2, 0]);
  });

  test('or reads slowly: at most two segments are read ahead', async () => {
    const { uses, bindings } = recorder();
    const { response, context } = await begin(bindings);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(
      uses.filter((use) => use.what.includes('LEFT JOIN properties')).length,
    ).toBeLessThanOrEqual(2);
    await response.body!.cancel();
    await waitOnExecutionContext(context);
  });
});
