import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { invalidateManifests } from '../../../../src/feed/manifest-cache.ts';
import { hashPassword } from '../../../../src/lib/secrets.ts';
import { ask, watched } from '../../../support/ask.ts';
import { setPrice } from '../../../support/sparse.ts';
import { account, feed, feedAfresh, pricesIn, recorder, text, useAccount } from './account.ts';

useAccount();

describe('the head', () => {
  test('after the clock has gone back → read again', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await feed();
    await setPrice(account.id, 1, 4_242);
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(text(await feed())).toContain('4242');
  });

  test('of a feed asked for often → read once a second', async () => {
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

  test('that took long to read → is as old as its reading', async () => {
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

  test('after a change that another isolate made → at the latest a second later', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await feed();
    await feed();
    await setPrice(account.id, 1, 99);
    vi.setSystemTime(Date.now() + 1_000);
    expect(pricesIn(await feed())).toContain('99');
  });

  test('that was being read while a change came → is not remembered', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await feed();
    await feedAfresh();
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
    release();
    await waiting;
    expect(pricesIn(await feed())).toContain('88');
  });

  test('after a changed password → the old one is refused, the new one welcome, within a second', async () => {
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
