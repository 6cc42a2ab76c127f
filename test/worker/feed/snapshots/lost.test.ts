import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { readManifest } from '../../../../src/db/feed/manifest.ts';
import { feedContext } from '../../../../src/feed/build/context.ts';
import { loadPart } from '../../../../src/feed/build/parts.ts';
import { planFeed } from '../../../../src/feed/manifest/plan.ts';
import { readQuery } from '../../../../src/feed/request/query.ts';
import { partChunks } from '../../../../src/feed/response/part-chunks.ts';
import { concatenate } from '../../../../src/lib/bytes/bytes.ts';
import { setPrice } from '../../../support/sparse.ts';
import { account, accountCode, feed, useAccount } from './account.ts';

useAccount(Array.from({ length: 500 }, (_, index) => index + 1));

// Texts that hardly compress, so that the part is sent in several steps.
beforeEach(() =>
  env.DB.prepare(
    "INSERT INTO property_texts SELECT id * 128 + 1, '', hex(randomblob(1000)), '' FROM properties WHERE account_id = ?",
  )
    .bind(account.id)
    .run(),
);

/** Sends the only part of a feed from its snapshot, which is deleted once the first chunk has been sent. */
async function sendWhileDeleted(change: () => Promise<void>): Promise<Uint8Array> {
  const query = readQuery(new Request(`https://feeds.example/CreateXMLFeedV3.asp?${account.login}`));
  if ('errors' in query) throw new Error('The query is invalid');
  const { manifest } = await readManifest(env.DB, accountCode(), query.set);
  const [part] = await planFeed(env.DB, manifest!, query.parameters, query.set);
  const background = createExecutionContext();
  const requested = {
    ...query,
    manifest: manifest!,
    compressed: false,
    hasLocalCache: false,
    report: () => {},
  };
  const context = feedContext(env, background, requested);
  const sent: Uint8Array[] = [];
  let isLost = false;
  try {
    const loaded = await loadPart(part!, context);
    const bytes = async () => (isLost ? null : loaded.bytes());
    for await (const chunk of partChunks(part!, { ...loaded, bytes }, context)) {
      if (sent.push(chunk) > 1) continue;
      isLost = true;
      await change();
    }
    expect(sent.length).toBeGreaterThan(1);
    return concatenate(sent);
  } finally {
    await waitOnExecutionContext(background);
  }
}

describe('a reader without gzip is sent a snapshot that is deleted meanwhile', () => {
  test('and the part has not changed: the rest is built, and the bytes are those of the snapshot', async () => {
    const { bytes: whole } = await feed();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    expect(text(whole)).toContain(text(await sendWhileDeleted(async () => {})));
  });

  test('and the part has changed: the feed is aborted', async () => {
    await feed();
    await expect(sendWhileDeleted(() => setPrice(account.id, 500, 4_242))).rejects.toThrow('KV lost a snapshot');
  });
});
