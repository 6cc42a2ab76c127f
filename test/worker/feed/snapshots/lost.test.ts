import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { feedContext } from '../../../../src/feed/build/context.ts';
import { loadPart } from '../../../../src/feed/build/parts.ts';
import { readManifest } from '../../../../src/feed/manifest/manifest.ts';
import { planFeed, snapshotKey } from '../../../../src/feed/manifest/plan.ts';
import { readQuery } from '../../../../src/feed/request/query.ts';
import { recentSnapshots } from '../../../../src/feed/snapshots/store.ts';
import { keysInKv } from '../../../support/accounts/sparse.ts';
import { account, accountCode, feed, feedWithFreshManifest, useAccount } from './account.ts';

useAccount(Array.from({ length: 500 }, (_, index) => index + 1));

test('a snapshot that KV loses after it was loaded: the part is built, with the same bytes', async () => {
  await feed();
  const query = readQuery(
    new Request(`https://feeds.example/CreateXMLFeedV3.asp?${account.login}`),
  );
  if ('errors' in query) throw new Error('The query is invalid');
  const { manifest } = await readManifest(env.DB, accountCode(), query.set);
  const [part] = await planFeed(env.DB, manifest!, query.parameters, query.set);
  const background = createExecutionContext();
  const requested = {
    ...query,
    manifest: manifest!,
    compressed: true,
    hasLocalCache: false,
    report: () => {},
  };
  const context = feedContext(env, background, requested);
  const loaded = await loadPart(part!, context);
  const whole = await loaded.read();
  recentSnapshots.clear();
  await env.SNAPSHOTS.delete(snapshotKey(part!.snapshot!.name));
  const built = await loaded.read();
  expect({ ...built, deflated: [...built.deflated] }).toEqual({
    ...whole,
    deflated: [...whole.deflated],
  });
  expect(context.metrics.missed).toEqual({ lost: 1 });
  await waitOnExecutionContext(background);
});

describe.each(['gzip', 'identity'])('a snapshot that is damaged in KV, for %s', (encoding) => {
  test.each([
    [
      'one bit',
      (bytes: Uint8Array) => bytes.with(bytes.length >> 1, bytes[bytes.length >> 1]! ^ 1),
    ],
    ['its end', (bytes: Uint8Array) => bytes.subarray(0, -1)],
  ])('%s: the feed is built again with the same bytes, and then a hit', async (_, damage) => {
    const init = { headers: { 'Accept-Encoding': encoding } };
    const whole = await feedWithFreshManifest('', init);
    const [key] = await keysInKv(account.id);
    const { value, metadata } = await env.SNAPSHOTS.getWithMetadata(key!, 'arrayBuffer');
    await env.SNAPSHOTS.put(key!, damage(new Uint8Array(value!)), { metadata });
    const built = await feedWithFreshManifest('', init);
    expect([built.text, built.headers.get('Cache-Status')]).toEqual([
      whole.text,
      'Lindero; fwd=miss; detail="0 of 1 parts cached"',
    ]);
    const again = await feedWithFreshManifest('', init);
    expect([again.text, again.headers.get('Cache-Status')]).toEqual([
      whole.text,
      'Lindero; hit; detail="1 of 1 parts cached"',
    ]);
    expect(again.headers.get('X-Content-Type-Options')).toBe('nosniff');
  });
});
