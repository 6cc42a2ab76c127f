import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import type { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { app } from '../../../../src/app.ts';
import { invalidateManifests } from '../../../../src/feed/manifest/manifest-cache.ts';
import { watched } from '../../../support/ask.ts';
import { keysInKv } from '../../../support/sparse.ts';
import { account, recorder, useAccount } from './account.ts';

useAccount();

/** Requests the account's feed, which is not cached, without reading it. */
async function begin(bindings: typeof env): Promise<{ response: Response; context: ExecutionContext }> {
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
    expect((await keysInKv(account.id)).map((name) => name.split('/')[2])).toEqual(['part0']);
    expect(uses.filter((use) => use.what.includes('LEFT JOIN properties')).length).toBe(2);
  });

  test('while the next part fails: no unhandled rejection', async () => {
    const unhandled = vi.fn((event: PromiseRejectionEvent) => event.preventDefault());
    addEventListener('unhandledrejection', unhandled);
    let reads = 0;
    const failing = watched(({ what }) => {
      if (what.includes('LEFT JOIN properties') && ++reads === 2) throw new Error('D1 is down');
    });
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
    expect(uses.filter((use) => use.what.includes('LEFT JOIN properties')).length).toBeLessThanOrEqual(2);
    await response.body!.cancel();
    await waitOnExecutionContext(context);
  });
});
