import type { Env } from '../../env.ts';
import { describeError, log } from '../../lib/log.ts';
import { isWithin } from '../../lib/time/age.ts';
import type { EpochMilliseconds } from '../../lib/time/time.ts';
import { sendTask } from '../../tasks/tasks.ts';
import { invalidateManifests } from '../manifest/manifest-cache.ts';
import { evictStale } from './evict.ts';

/**
 * Milliseconds for which a running eviction also covers later changes; the platform ends a background task after thirty
 * seconds.
 */
const MAX_DURATION = 10_000;

/** Milliseconds between two passes of an eviction, so that the changes of a burst share a pass. */
const PAUSE = 100;

/** An eviction that runs in the background of some request. */
interface Eviction {
  readonly startedAt: number;
  /** The generation of the account's data that the running pass began with, and the latest one. */
  covered: number;
  latest: number;
}

/** By account. An eviction whose request the platform has ended stays here and is ignored after its longest duration. */
const running = new Map<number, Eviction>();

/**
 * Invalidates an account's feeds, and must be called after every committed change of its data: this isolate's manifests
 * are removed at once, and stale snapshots are evicted in the background, which neither fails nor delays the change. The
 * changes of a burst share evictions.
 *
 * @param hasWebhooks whether the account may have webhooks, which are then told that there may be news
 */
export function invalidateFeeds(
  env: Env,
  context: Pick<ExecutionContext, 'waitUntil'>,
  accountId: number,
  now: EpochMilliseconds,
  hasWebhooks = true,
): void {
  invalidateManifests(accountId);
  if (hasWebhooks) context.waitUntil(sendTask(env, { kind: 'webhooks', accountId }));
  const eviction = running.get(accountId);
  if (eviction !== undefined && isWithin(MAX_DURATION, eviction.startedAt, now)) {
    eviction.latest++;
    return;
  }
  context.waitUntil(
    evict(env, accountId, now).catch((error) =>
      log('warn', 'eviction.failed', { accountId, error: describeError(error) }),
    ),
  );
}

/** What a write has done to an account's data. */
interface Outcome {
  readonly changed: boolean;
  readonly hasWebhooks?: boolean;
}

/** Waits for a write of an account's data, and invalidates its feeds. If it fails as well: it may have been committed. */
export async function invalidating<Result>(
  c: { readonly env: Env; readonly executionCtx: Pick<ExecutionContext, 'waitUntil'> },
  accountId: number,
  write: Promise<Result>,
  outcomeOf: (result: Result) => Outcome = () => ({ changed: true }),
): Promise<Result> {
  const invalidate = (hasWebhooks?: boolean) =>
    invalidateFeeds(c.env, c.executionCtx, accountId, Date.now(), hasWebhooks);
  const result = await write.catch((error) => {
    invalidate();
    throw error;
  });
  const { changed, hasWebhooks } = outcomeOf(result);
  if (changed) invalidate(hasWebhooks);
  return result;
}

async function evict(env: Env, accountId: number, now: number): Promise<void> {
  const eviction: Eviction = { startedAt: now, covered: 0, latest: 0 };
  running.set(accountId, eviction);
  try {
    for (;;) {
      eviction.covered = eviction.latest;
      await evictStale(env, accountId);
      if (eviction.covered === eviction.latest) return;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  } finally {
    if (running.get(accountId) === eviction) running.delete(accountId);
  }
}
