import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { invalidateFeeds } from '../../../../src/feed/invalidation/invalidate.ts';
import {
  addSnapshot,
  freshManifest,
  invalidateManifests,
  loadManifest,
} from '../../../../src/feed/manifest/manifest-cache.ts';
import { ask, watched } from '../../../support/ask.ts';
import { addProperties, keysInKv, recordedKeys, setPrice, setRent } from '../../../support/sparse.ts';
import {
  account,
  accountCode,
  feed,
  feedWithFreshManifest,
  hangingInvalidation,
  invalidate,
  pricesIn,
  recorder,
  text,
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
    expect(after.headers.get('Cache-Status')).toBe('Lindero; fwd=partial; detail="2 of 3 parts cached"');
    expect(pricesIn(after)).toEqual(['1', '1', '777', '1', '1']);
    expect((await keysInKv(account.id)).length).toBe(3);
    expect(await keysInKv(account.id)).toEqual(await recordedKeys(account.id));
  });

  test('of a rent: all segments of sale feeds stay cached, one of rental and of complete feeds is deleted', async () => {
    for (const category of ['SALE', 'RENT', 'All']) await feedWithFreshManifest(`T=${category}`);
    await setRent(account.id, 1, 950);
    await invalidate();
    const left = await keysInKv(account.id);
    expect(
      ['SALE', 'RENT', 'All'].map((category) => left.filter((name) => name.includes(`T=${category}`)).length),
    ).toEqual([3, 2, 2]);
    expect((await feedWithFreshManifest('T=SALE')).headers.get('Cache-Status')).toContain('hit');
  });

  test('anywhere: all parts of a feed ordered by listing date are deleted and built again', async () => {
    await feedWithFreshManifest('DisplayListingDate=TRUE');
    expect((await feedWithFreshManifest('DisplayListingDate=TRUE')).headers.get('Cache-Status')).toContain('hit');
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
      expect(text(response).match(/<id>1</g)).toHaveLength(1);
    }
  });

  test('four in quick succession: one invalidation at once, and one for all the others', async () => {
    await feedWithFreshManifest();
    const { uses, bindings } = recorder();
    const context = createExecutionContext();
    for (const price of [5, 6, 7, 8]) {
      await setPrice(account.id, 1, price);
      invalidateFeeds(bindings, context, account.id, 1_000);
    }
    await waitOnExecutionContext(context);
    expect(uses.filter(({ what }) => what.includes('delete from "snapshots"')).length).toBe(2);
    expect((await keysInKv(account.id)).map((name) => name.split('/')[2])).toEqual(['part1', 'part2']);
  });

  test('during an invalidation: it deletes what this change makes stale, too', async () => {
    await feedWithFreshManifest();
    let reached = () => {};
    let go = () => {};
    const deleting = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    const slow = watched(({ of }) => {
      if (of !== 'KV delete') return undefined;
      reached();
      return held;
    });
    const context = createExecutionContext();
    await setPrice(account.id, 1, 5);
    invalidateFeeds(slow, context, account.id, 1_000);
    await deleting;
    await setPrice(account.id, 501, 5);
    invalidateFeeds(slow, context, account.id, 1_000);
    go();
    await waitOnExecutionContext(context);
    expect((await keysInKv(account.id)).map((name) => name.split('/')[2])).toEqual(['part2']);
  });

  test('ten seconds after an invalidation that has not ended: an invalidation of its own', async () => {
    await feedWithFreshManifest();
    await setPrice(account.id, 1, 5);
    const endless = watched(({ what }) =>
      what.includes('delete from "snapshots"') ? new Promise(() => {}) : undefined,
    );
    invalidateFeeds(endless, { waitUntil: () => {} }, account.id, 1_000);
    const { uses, bindings } = recorder();
    const context = createExecutionContext();
    invalidateFeeds(bindings, context, account.id, 10_999);
    expect(uses).toEqual([]);
    invalidateFeeds(bindings, context, account.id, 11_000);
    await waitOnExecutionContext(context);
    expect((await keysInKv(account.id)).map((name) => name.split('/')[2])).toEqual(['part1', 'part2']);
  });

  test('that adds a segment: it is in the next feed', async () => {
    await feedWithFreshManifest();
    await addProperties(account.id, [1700]);
    await invalidate();
    const after = await feedWithFreshManifest();
    expect(after.headers.get('Cache-Status')).toContain('3 of 4');
    expect(text(after)).toContain('<id>1700</id>');
  });
});

describe('addSnapshot to a manifest in memory', () => {
  test('one segment was built: it is at its place in the next feed', async () => {
    await feedWithFreshManifest();
    await setPrice(account.id, 1, 777);
    await invalidate();
    await feedWithFreshManifest();
    expect(pricesIn(await feed())).toEqual(['777', '1', '1', '1', '1']);
  });

  test('the age of the manifest stays the same', async () => {
    const set = {
      format: 'resales-1',
      parameters: 'p',
      dependsOn: { sale: true, rental: true },
      byListing: false,
      channel: null,
    };
    const code = accountCode();
    const readAt = Date.now() - 900;
    const { manifest } = await loadManifest(env.DB, code, set, readAt);
    const { sale: saleRevision, rental: rentalRevision } = manifest!.parts[0]!.revisions;
    const name = {
      accountId: account.id,
      incarnation: 1,
      format: 'resales-1',
      parameters: 'p',
      part: 0,
      channelId: null,
      saleRevision,
      rentalRevision,
    };
    addSnapshot(code, set, name, { bytes: 1, crc: 0, length: 1, records: 1, listingPart: null });
    expect(freshManifest(code, set, readAt + 999)?.manifest?.parts[0]?.cached).toMatchObject({ bytes: 1 });
    expect(freshManifest(code, set, readAt + 1_000)).toBeNull();
  });

  test.each([
    ['sale', 1, 0],
    ['rental', 0, 1],
  ])('a snapshot of another %s revision: not added', async (_, sale, rental) => {
    const set = {
      format: 'resales-1',
      parameters: 'p',
      dependsOn: { sale: true, rental: true },
      byListing: false,
      channel: null,
    };
    const code = accountCode();
    const { manifest } = await loadManifest(env.DB, code, set, Date.now());
    const { revisions } = manifest!.parts[0]!;
    const at = { saleRevision: revisions.sale + sale, rentalRevision: revisions.rental + rental };
    const name = {
      accountId: account.id,
      incarnation: 1,
      format: 'resales-1',
      parameters: 'p',
      part: 0,
      channelId: null,
      ...at,
    };
    addSnapshot(code, set, name, { bytes: 1, crc: 0, length: 1, records: 1, listingPart: null });
    expect(freshManifest(code, set, Date.now())?.manifest?.parts[0]?.cached).toBeNull();
  });
});
