import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, vi } from 'vitest';
import { evictStale } from '../../../../src/feed/invalidation/evict.ts';
import { invalidateFeeds } from '../../../../src/feed/invalidation/invalidate.ts';
import { invalidateManifests } from '../../../../src/feed/manifest/manifest-cache.ts';
import { recentSnapshots } from '../../../../src/feed/snapshots/store.ts';
import { type SparseAccount, sparseAccount } from '../../../support/accounts/sparse.ts';
import { checkFeedShape } from '../../../support/documents/feed.ts';
import { advance } from '../../../support/platform/clock.ts';
import { ask, type CompleteResponse, type Use, watched } from '../../../support/worker/ask.ts';

/** The account of the running test, with properties in three segments unless the test asks for others. */
export let account: SparseAccount;
let accounts = 0;

/** What the running test logged. */
export const logLines: string[] = [];

/** Gives each test of a file an account of its own, and records its log lines. */
export function useAccount(numbers = [1, 2, 501, 502, 1001]): void {
  beforeEach(async () => {
    // The clock stands still, so that nothing expires because the machine is busy.
    vi.setSystemTime(Date.now());
    await openAccount(numbers);
    logLines.length = 0;
    for (const level of ['info', 'warn', 'error'] as const) {
      vi.spyOn(console, level).mockImplementation((line) => void logLines.push(line));
    }
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
}

/** Replaces the test's account with one whose properties have these sequence numbers. */
export async function openAccount(numbers: readonly number[]): Promise<void> {
  account = await sparseAccount(newCode(), numbers);
}

/** The code of the test's account. */
export function accountCode(): string {
  return `S${accounts}`;
}

/** A code that no account has. */
function newCode(): string {
  return `S${++accounts}`;
}

export async function feed(
  query = '',
  init: RequestInit = {},
  bindings = env,
): Promise<CompleteResponse> {
  const response = await ask(`/CreateXMLFeedV3.asp?${account.login}&${query}`, init, bindings);
  await checkFeedShape(response);
  return response;
}

/** Requests a feed when nothing of it is in memory, as in another isolate. */
export async function feedWithFreshManifest(
  query = '',
  init: RequestInit = {},
  bindings = env,
): Promise<CompleteResponse> {
  advance(1_000);
  invalidateManifests(account.id);
  recentSnapshots.clear();
  return feed(query, init, bindings);
}

/** Invalidates the feeds of the test's account as `invalidateFeeds()` does, but deletes the stale snapshots at once. */
export async function invalidate(): Promise<void> {
  invalidateManifests(account.id);
  await evictStale(env, account.id);
}

/** Invalidates feeds with KV deletions that hang until they are released: until then stale snapshots stay in KV. */
export function hangingInvalidation() {
  const context = createExecutionContext();
  const { promise: held, resolve: go } = Promise.withResolvers<void>();
  const slow = watched(({ of }) => of === 'KV delete' && held);
  return {
    start: () => invalidateFeeds({ env: slow, executionCtx: context }, account.id, Date.now()),
    release: () => {
      go();
      return waitOnExecutionContext(context);
    },
  };
}

export function pricesIn({ text }: CompleteResponse): string[] {
  return [...text.matchAll(/<price>(.*?)<\/price>/g)].map(([, price]) => price!);
}

export function recorder(): { uses: Use[]; bindings: typeof env } {
  const uses: Use[] = [];
  return { uses, bindings: watched((use) => uses.push(use)) };
}

export function loggedFailures(): string[] {
  return logLines.filter((line) => !line.includes('"event":"request"'));
}
