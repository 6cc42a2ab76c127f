import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { app } from '../../../../src/app.ts';
import { connect } from '../../../../src/db/connection.ts';
import { setPassword } from '../../../../src/db/operator/accounts.ts';
import { invalidateManifests, loadManifest } from '../../../../src/feed/manifest/manifest-cache.ts';
import { ask, watched } from '../../../support/ask.ts';
import { setPrice } from '../../../support/sparse.ts';
import { account, feed, feedWithFreshManifest, invalidate, loggedFailures, text, useAccount } from './account.ts';

useAccount();

describe('GET, D1 fails', () => {
  test('on the third segment: the connection is aborted, and the document is not closed', async () => {
    let reads = 0;
    const failing = watched(({ what }) => {
      if (what.includes('LEFT JOIN properties') && ++reads === 3) throw new Error('D1 is down');
    });
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

  test('before anything is sent: 503 with Retry-After', async () => {
    invalidateManifests(account.id);
    const failing = watched(({ of }) => {
      if (of === 'D1') throw new Error('D1 is down');
    });
    const response = await feed('', {}, failing);
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '30']);
    expect(text(response)).toContain('<code>unavailable</code>');
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
    expect(loggedFailures()).toEqual([expect.stringContaining('D1 has not responded within 10000 ms')]);
    const write = connect(hanging.DB).prepare('UPDATE accounts SET name = name').run();
    await expect(write).rejects.toThrow('D1 has not responded within 30000 ms');
    expect(new Set(limits)).toEqual(new Set([10_000, 30_000]));
  });

  test('for the only part that must be built: 503, and the reason is logged', async () => {
    await feedWithFreshManifest();
    await setPrice(account.id, 501, 4);
    const failing = watched(({ what }) => {
      if (what.includes('LEFT JOIN properties')) throw new Error('D1 is down');
    });
    const response = await feedWithFreshManifest('', {}, failing);
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '30']);
    expect(loggedFailures()).toEqual([expect.stringContaining('D1 is down')]);
  });

  test('for authorized readers: 200 from snapshots for ten minutes; for others: 503', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const expected = await feed();
    await feed();
    const failing = watched(({ of }) => {
      if (of === 'D1') throw new Error('D1 is down');
    });
    const wrong = () =>
      ask(`/CreateXMLFeedV3.asp?${account.login.replace('secret', 'guess')}`, {}, failing).then(({ status }) => status);
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
    const failing = watched(({ of }) => {
      if (of === 'D1') throw new Error('D1 is down');
    });
    vi.setSystemTime(Date.now() + 60_000);
    const stale = await feed('', {}, failing);
    expect(staleness(stale)).toEqual([200, '60', '110 - "Response is Stale"']);
    const headers = { 'If-None-Match': stale.headers.get('ETag')! };
    expect(staleness(await feed('', { headers }, failing))).toEqual([304, '60', '110 - "Response is Stale"']);
    expect(staleness(await feed())).toEqual([200, null, null]);
  });

  test.each(['', 'DisplayListingDate=TRUE'])('after ?%s was built once: 200 for its reader', async (query) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const expected = await feed(query);
    const failing = watched(({ of }) => {
      if (of === 'D1') throw new Error('D1 is down');
    });
    vi.setSystemTime(Date.now() + 60_000);
    expect((await feed(query, {}, failing)).bytes).toEqual(expected.bytes);
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
      dependsOn: { sale: true, rental: true },
      byListing: false,
      channel: null,
    };
    for (let asked = 0; asked < 501; asked++) {
      const { manifest } = await loadManifest(withoutAccounts, `NOBODY${asked}`, set, Date.now());
      expect(manifest).toBeNull();
    }
    const failing = watched(({ of }) => {
      if (of === 'D1') throw new Error('D1 is down');
    });
    expect((await feed('', {}, failing)).bytes).toEqual(expected.bytes);
  });

  test('after the old password got a 401 in one feed: 503 for it in every feed', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    for (const version of [1, 2]) for (let time = 0; time < 2; time++) await feed(`&FV=${version}`);
    await setPassword(env.DB, account.id, { password: 'new' });
    vi.setSystemTime(Date.now() + 2_000);
    const failing = watched(({ of }) => {
      if (of === 'D1') throw new Error('D1 is down');
    });
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
    const failing = watched(({ of }) => {
      if (of === 'D1') throw new Error('D1 is down');
    });
    expect((await feed('', {}, failing)).status).toBe(503);
  });
});
