import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { invalidateFeeds } from '../../../../src/feed/invalidation/invalidate.ts';
import { invalidateManifests } from '../../../../src/feed/manifest/manifest-cache.ts';
import {
  addProperties,
  keysInKv,
  recordedKeys,
  setPrice,
  setRent,
} from '../../../support/accounts/sparse.ts';
import { ask, runSchedule, watched } from '../../../support/worker/ask.ts';
import {
  account,
  feed,
  feedWithFreshManifest,
  hangingInvalidation,
  invalidate,
  openAccount,
  pricesIn,
  recorder,
  useAccount,
} from './account.ts';

useAccount();

describe('change', () => {
  test('while the invalidation of an earlier one hangs: the next feed shows it', async () => {
    await feedWithFreshManifest();
    const { start, release } = hangingInvalidation();
    for (const price of [71, 72]) {
      await setPrice(account.id, 1, price);
      start();
      for (const _ of [1, 2, 3]) expect(pricesIn(await feed())).toContain(String(price));
    }
    await release();
  });

  test('after a request that was denied: the next feed shows it', async () => {
    await feedWithFreshManifest();
    invalidateManifests(account.id);
    const denied = `/CreateXMLFeedV3.asp?${account.login.replace('secret', 'guess')}`;
    expect((await ask(denied)).status).toBe(401);
    await setPrice(account.id, 1, 73);
    const { start, release } = hangingInvalidation();
    start();
    expect(pricesIn(await feed())).toContain('73');
    await release();
  });

  test('in one segment: this one is built, the others come from KV and keep their keys', async () => {
    await feedWithFreshManifest();
    const before = await keysInKv(account.id);
    await setPrice(account.id, 501, 777);
    await invalidate();
    expect(await keysInKv(account.id)).toEqual(before.filter((name) => !name.includes('/part1/')));
    const after = await feedWithFreshManifest();
    expect(after.headers.get('Cache-Status')).toBe(
      'Lindero; fwd=partial; detail="2 of 3 parts cached"',
    );
    expect(pricesIn(after)).toEqual(['1', '1', '777', '1', '1']);
    expect((await keysInKv(account.id)).length).toBe(3);
    expect(await keysInKv(account.id)).toEqual(await recordedKeys(account.id));
  });

  test('anywhere: all parts of a feed ordered by listing date are deleted and built again', async () => {
    await feedWithFreshManifest('DisplayListingDate=TRUE');
    expect(
      (await feedWithFreshManifest('DisplayListingDate=TRUE')).headers.get('Cache-Status'),
    ).toContain('hit');
    await setPrice(account.id, 1, 5);
    await invalidate();
    expect(await keysInKv(account.id)).toEqual([]);
    expect(pricesIn(await feedWithFreshManifest('DisplayListingDate=TRUE'))).toContain('5');
  });

  test.each(['', 'DisplayListingDate=TRUE'])(
    'that sets the same value: no snapshot of ?%s is deleted',
    async (query) => {
      await feedWithFreshManifest(query);
      const before = await keysInKv(account.id);
      await setPrice(account.id, 501, 1);
      await invalidate();
      expect(await keysInKv(account.id)).toEqual(before);
    },
  );

  test.each([
    ['rent', setRent],
    ['sale price', setPrice],
  ])('of a %s that is never invalidated: every property once in later feeds', async (_, change) => {
    await feedWithFreshManifest();
    await change(account.id, 1, 23);
    for (const status of ['2 of 3', '3 of 3']) {
      const response = await feedWithFreshManifest();
      expect(response.headers.get('Cache-Status')).toContain(status);
      expect(response.text.match(/<id>1</g)).toHaveLength(1);
    }
    expect((await keysInKv(account.id)).toSorted()).toEqual(
      (await recordedKeys(account.id)).toSorted(),
    );
  });

  test('four in quick succession: one invalidation for all', async () => {
    await feedWithFreshManifest();
    const { uses, bindings } = recorder();
    const context = createExecutionContext();
    for (const price of [5, 6, 7, 8]) {
      await setPrice(account.id, 1, price);
      invalidateFeeds({ env: bindings, executionCtx: context }, account.id, 1_000);
    }
    await waitOnExecutionContext(context);
    expect(uses.filter(({ what }) => what.includes('delete from "snapshots"')).length).toBe(1);
    expect((await keysInKv(account.id)).map((name) => name.split('/')[2])).toEqual([
      'part1',
      'part2',
    ]);
  });

  test('during an invalidation: it deletes what this change makes stale, too', async () => {
    await feedWithFreshManifest();
    const { promise: deleting, resolve: reached } = Promise.withResolvers<void>();
    const { promise: held, resolve: go } = Promise.withResolvers<void>();
    const slow = watched(({ of }) => {
      if (of !== 'KV delete') return undefined;
      reached();
      return held;
    });
    const context = createExecutionContext();
    await setPrice(account.id, 1, 5);
    invalidateFeeds({ env: slow, executionCtx: context }, account.id, 1_000);
    await deleting;
    await setPrice(account.id, 501, 5);
    invalidateFeeds({ env: slow, executionCtx: context }, account.id, 1_000);
    go();
    await waitOnExecutionContext(context);
    expect((await keysInKv(account.id)).map((name) => name.split('/')[2])).toEqual(['part2']);
  });

  test('that adds a segment: it is in the next feed', async () => {
    await feedWithFreshManifest();
    await addProperties(account.id, [1700]);
    await invalidate();
    const after = await feedWithFreshManifest();
    expect(after.headers.get('Cache-Status')).toContain('3 of 4');
    expect(after.text).toContain('<id>1700</id>');
  });
});

test('GET after one segment was built, while the manifest is in memory: the segment is at its place', async () => {
  await feedWithFreshManifest();
  await setPrice(account.id, 1, 777);
  await invalidate();
  await feedWithFreshManifest();
  const next = await feed();
  expect(next.headers.get('Cache-Status')).toContain('3 of 3');
  expect(pricesIn(next)).toEqual(['777', '1', '1', '1', '1']);
});

describe('GET during a change', () => {
  test.each(['', 'DisplayListingDate=TRUE'])(
    '?%s, with KV writes that end after the change: no later feed shows the older price',
    async (query) => {
      const held: (() => void)[] = [];
      const bindings = watched(
        ({ of }) => of === 'KV put' && new Promise<void>((resolve) => held.push(resolve)),
      );
      const waiting = feedWithFreshManifest(query, {}, bindings);
      await vi.waitFor(() => expect(held.length).toBe(query === '' ? 3 : 1), { timeout: 300_000 });
      await setPrice(account.id, 501, 42);
      await invalidate();
      expect(pricesIn(await feedWithFreshManifest(query))).toContain('42');
      for (const release of held) release();
      await waiting;
      for (const _ of [1, 2]) expect(pricesIn(await feedWithFreshManifest(query))).toContain('42');
      await runSchedule(env);
      expect(await keysInKv(account.id)).toEqual(await recordedKeys(account.id));
      expect(pricesIn(await feedWithFreshManifest(query))).toContain('42');
    },
  );

  test.each(['', 'DisplayListingDate=TRUE'])(
    '?%s, after its manifest was read, by another isolate: the next feed reads no stale key from KV',
    async (query) => {
      vi.useFakeTimers({ toFake: ['Date'] });
      let statements = 0;
      const changing = watched(async ({ of }) => {
        if (of === 'D1' && ++statements === 2) await setPrice(account.id, 1, 4_242);
      });
      await feedWithFreshManifest(query, {}, changing);
      const { uses, bindings } = recorder();
      expect((await feed(query, {}, bindings)).text).toContain('4242');
      const asked = uses.flatMap(({ of, what }) => (of === 'KV get' ? [what] : []));
      expect(await recordedKeys(account.id)).toEqual(expect.arrayContaining(asked));
    },
  );

  test('of a label, between the reads of properties and of labels: nothing is cached', async () => {
    await openAccount([1]);
    let renamed = false;
    const bindings = watched(async ({ what }) => {
      // Labels are the first that are read by a batch.
      if (renamed || what !== 'batch') return;
      renamed = true;
      await env.DB.prepare(
        "UPDATE vocabulary SET document = json_set(document, '$.labels.uk.type', 'New') WHERE account_id = ? AND kind = 'type'",
      )
        .bind(account.id)
        .run();
    });
    await feedWithFreshManifest('', {}, bindings);
    expect(renamed).toBe(true);
    expect(await recordedKeys(account.id)).toEqual([]);
  });

  test('GET of a feed ordered by listing date, one part of which has a snapshot of an older order: every property', async () => {
    await openAccount(Array.from({ length: 501 }, (_, index) => index + 1));
    await feedWithFreshManifest('DisplayListingDate=TRUE');
    await env.DB.prepare('UPDATE snapshots SET revision = 0 WHERE account_id = ? AND part = 1')
      .bind(account.id)
      .run();
    const { text } = await feedWithFreshManifest('DisplayListingDate=TRUE');
    expect(text.match(/<property>/g)).toHaveLength(501);
  });

  test('of a listing date in a feed ordered by it: every property once', async () => {
    for (let n = 1; n <= 4; n++) {
      let uses = 0;
      const bindings = watched(async () => {
        if (++uses !== n) return;
        await env.DB.prepare(
          `UPDATE properties
              SET document = json_set(document, '$.listed_at', strftime('%Y-%m-%dT%H:%M:%SZ', unixepoch(listed_at) + 1000, 'unixepoch'))
            WHERE account_id = ? AND number = 502`,
        )
          .bind(account.id)
          .run();
      });
      const response = await feedWithFreshManifest('DisplayListingDate=TRUE', {}, bindings);
      const ids = [...response.text.matchAll(/<id>(\d+)<\/id>/g)].map(([, id]) => Number(id));
      expect(ids.sort((a, b) => a - b)).toEqual([1, 2, 501, 502, 1001]);
    }
  });
});
