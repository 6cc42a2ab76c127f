import type { Env } from '../../env.ts';
import { describeError, log } from '../../lib/log.ts';
import { type EpochMilliseconds, isWithin } from '../../lib/time/time.ts';
import { sendTask } from '../../tasks/tasks.ts';
import { invalidateManifests } from '../manifest/manifest-cache.ts';
import { evictStale } from './evict.ts';

/** Milliseconds that an eviction waits, so that the changes of a burst share it. */
const PAUSE_MS = 100;

/** An eviction that waits longer (ms) is treated as lost: the platform has ended its request. */
const MAX_PAUSE_MS = 10_000;

/** Where a change is made: a request, or a task that waits for its background work itself. */
export interface WriteContext {
  readonly env: Env;
  readonly executionCtx: Pick<ExecutionContext, 'waitUntil'>;
}

/** By account, when an eviction began to wait. */
const waiting = new Map<number, EpochMilliseconds>();

/**
 * Invalidates an account's feeds, and must be called after every committed change of its data: this isolate's manifests
 * are removed at once, and stale snapshots are evicted in the background, which neither fails nor delays the change.
 *
 * @param hasWebhooks whether the account may have webhooks, which are then told that there may be news
 */
export function invalidateFeeds(
  c: WriteContext,
  accountId: number,
  now: EpochMilliseconds,
  hasWebhooks = true,
): void {
  const { env, executionCtx: context } = c;
  invalidateManifests(accountId);
  if (hasWebhooks) context.waitUntil(sendTask(env, { kind: 'webhooks', accountId }));
  const since = waiting.get(accountId);
  if (since !== undefined && isWithin(MAX_PAUSE_MS, since, now)) return;
  waiting.set(accountId, now);
  const evict = async () => {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    if (waiting.get(accountId) === now) waiting.delete(accountId);
    await evictStale(env, accountId);
  };
  context.waitUntil(
    evict().catch((error) =>
      log('warn', 'eviction.failed', { accountId, error: describeError(error) }),
    ),
  );
}

/** Waits for a write of an account's data, and invalidates its feeds. If it fails as well: it may have been committed. */
export async function writeThenInvalidate<Result>(
  c: WriteContext,
  accountId: number,
  write: Promise<Result>,
  outcomeOf: (result: Result) => { changed: boolean; hasWebhooks?: boolean } = () => ({
    changed: true,
  }),
): Promise<Result> {
  const invalidate = (hasWebhooks?: boolean) =>
    invalidateFeeds(c, accountId, Date.now(), hasWebhooks);
  const result = await write.catch((error) => {
    invalidate();
    throw error;
  });
  const { changed, hasWebhooks } = outcomeOf(result);
  if (changed) invalidate(hasWebhooks);
  return result;
}
