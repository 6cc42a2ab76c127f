import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { feedContext } from '../../../../src/feed/build/context.ts';
import { loadPart } from '../../../../src/feed/build/parts.ts';
import { readManifest } from '../../../../src/feed/manifest/manifest.ts';
import { planFeed, snapshotKey } from '../../../../src/feed/manifest/plan.ts';
import { readQuery } from '../../../../src/feed/request/query.ts';
import { recentSnapshots } from '../../../../src/feed/snapshots/store.ts';
import { account, accountCode, feed, useAccount } from './account.ts';

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
