import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { keysInKv, setPrice } from '../../../support/accounts/sparse.ts';
import { failingWhen } from '../../../support/worker/ask.ts';
import { account, feedWithFreshManifest, logLines, useAccount } from './account.ts';

useAccount([1, 2, 501]);

const FORMS = ['gzip', 'identity'].map(
  (encoding) => [encoding, { headers: { 'Accept-Encoding': encoding } }] as const,
);

/** The line of the only request since the last call. */
function line(): Record<string, unknown> {
  const lines = logLines.splice(0).map((logged) => JSON.parse(logged));
  const requests = lines.filter(({ event }) => event === 'request');
  expect(requests).toHaveLength(1);
  return requests[0]!;
}

describe.each(FORMS)('GET with %s: the log line states why parts were built', (_, init) => {
  test('never before: new, with the bytes and records of the complete stream', async () => {
    const { bytes } = await feedWithFreshManifest('', init);
    expect(line()).toMatchObject({
      cache: 'miss',
      missed: { new: 2 },
      bytes: bytes.length,
      records: 3,
      end: 'complete',
    });
  });

  test('one has changed: changed', async () => {
    await feedWithFreshManifest('', init);
    await setPrice(account.id, 501, 7);
    logLines.length = 0;
    const { bytes } = await feedWithFreshManifest('', init);
    expect(line()).toMatchObject({
      cache: 'partial',
      cachedParts: 1,
      missed: { changed: 1 },
      bytes: bytes.length,
    });
  });

  test('KV has lost one: lost', async () => {
    await feedWithFreshManifest('', init);
    await env.SNAPSHOTS.delete((await keysInKv(account.id))[1]!);
    logLines.length = 0;
    const { headers } = await feedWithFreshManifest('', init);
    expect(line()).toMatchObject({
      cache: 'partial',
      cachedParts: 1,
      missed: { lost: 1 },
      records: 3,
    });
    expect(headers.get('Cache-Status')).toBe('Lindero; fwd=partial; detail="1 of 2 parts cached"');
  });

  test('KV fails: unreadable', async () => {
    await feedWithFreshManifest('', init);
    logLines.length = 0;
    const failing = failingWhen(({ of }) => of === 'KV get', 'KV is down');
    await feedWithFreshManifest('', init, failing);
    expect(line()).toMatchObject({ cache: 'miss', cachedParts: 0, missed: { unreadable: 2 } });
  });

  test('their snapshots are no longer recorded: expired', async () => {
    await feedWithFreshManifest('', init);
    await env.DB.prepare('DELETE FROM snapshots WHERE account_id = ?').bind(account.id).run();
    logLines.length = 0;
    await feedWithFreshManifest('', init);
    expect(line()).toMatchObject({ cache: 'miss', missed: { expired: 2 } });
  });

  test('D1 fails midway: the line states how much was sent, and that it was aborted', async () => {
    let reads = 0;
    const failing = failingWhen(
      ({ what }) => what.includes('LEFT JOIN properties') && ++reads === 2,
      'D1 is down',
    );
    await expect(feedWithFreshManifest('', init, failing)).rejects.toThrow('aborted');
    expect(line()).toMatchObject({
      status: 200,
      end: 'aborted',
      bytes: expect.any(Number),
      records: 2,
    });
  });
});
