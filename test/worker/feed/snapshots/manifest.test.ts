import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { invalidateManifests } from '../../../../src/feed/manifest/manifest-cache.ts';
import { hashPassword } from '../../../../src/lib/secrets.ts';
import { ask, watched } from '../../../support/ask.ts';
import { setPrice } from '../../../support/sparse.ts';
import { account, feed, feedWithFreshManifest, pricesIn, recorder, text, useAccount } from './account.ts';

useAccount();

describe('manifest', () => {
  test('GET after the clock was set back: the manifest is read again', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await feed();
    await setPrice(account.id, 1, 4_242);
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(text(await feed())).toContain('4242');
  });

  test('GET many times: the manifest is read once a second', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await feed();
    await feed();
    const { uses, bindings } = recorder();
    for (const _ of [1, 2, 3]) await feed('', {}, bindings);
    expect(uses.filter((use) => use.of === 'D1')).toEqual([]);
    vi.setSystemTime(Date.now() + 1_000);
    for (const _ of [1, 2, 3]) await feed('', {}, bindings);
    expect(uses.filter((use) => use.of === 'D1').length).toBe(1);
  });

  test('a manifest that was slow to read: its age counts from the start of the read', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await feed();
    invalidateManifests(account.id);
    const slow = watched(({ of }) => {
      if (of === 'D1') vi.setSystemTime(Date.now() + 900);
    });
    await feed('', {}, slow);
    vi.setSystemTime(Date.now() + 200);
    const { uses, bindings } = recorder();
    await feed('', {}, bindings);
    expect(uses.filter((use) => use.of === 'D1').length).toBe(1);
  });

  test('GET a second after a change in another isolate: shows the change', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await feed();
    await feed();
    await setPrice(account.id, 1, 99);
    vi.setSystemTime(Date.now() + 1_000);
    expect(pricesIn(await feed())).toContain('99');
  });

  test('a manifest that is being read during a change: not cached', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await feed();
    await feedWithFreshManifest();
    invalidateManifests(account.id);
    let read = 0;
    const late = watched(
      () => {},
      ({ of }) => of === 'D1' && ++read === 1 && held,
    );
    const waiting = feed('', {}, late);
    await vi.waitFor(() => expect(read).toBe(1), { timeout: 300_000 });
    await setPrice(account.id, 1, 88);
    invalidateManifests(account.id);
    expect(pricesIn(await feed())).toContain('88');
    release();
    await waiting;
    expect(pricesIn(await feed())).toContain('88');
  });

  test('GET by several readers as the manifest expires: it is read once', async () => {
    await feed();
    await feed();
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    vi.setSystemTime(Date.now() + 1_000);
    const { uses, bindings } = recorder();
    const [first, ...others] = [1, 2, 3, 4].map(() => feed('', {}, bindings));
    expect((await first!).status).toBe(200);
    await vi.advanceTimersByTimeAsync(5);
    for (const other of await Promise.all(others)) expect(text(other)).toBe(text(await first!));
    expect(uses.filter((use) => use.of === 'D1').length).toBe(1);
  });

  test('GET while another request has not read the manifest after a tenth of a second: it is read again', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await feed();
    await feed();
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    vi.setSystemTime(Date.now() + 1_000);
    const first = feed(
      '',
      {},
      watched(({ of }) => of === 'D1' && held),
    );
    const second = feed();
    await vi.advanceTimersByTimeAsync(100);
    expect((await second).status).toBe(200);
    release();
    expect((await first).status).toBe(200);
  });

  test('GET a second after a change of password: 401 with the old one, 200 with the new one', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await feed();
    await env.DB.prepare('UPDATE accounts SET password = ? WHERE id = ?')
      .bind(await hashPassword('new'), account.id)
      .run();
    vi.setSystemTime(Date.now() + 1_000);
    expect((await feed()).status).toBe(401);
    expect((await ask(`/CreateXMLFeedV3.asp?${account.login.replace('secret', 'new')}`)).status).toBe(200);
  });
});
