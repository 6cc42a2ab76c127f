import type { Env } from '../../env.ts';
import { describeError, log } from '../../lib/log.ts';
import { CURRENT_VERSIONS } from '../formats/formats.ts';
import { deleteSnapshots } from '../snapshots/store.ts';
import { removeLeastUsed, removeStale } from '../snapshots/table.ts';

export const MAX_SNAPSHOTS_PER_ACCOUNT = 4_000;

/** Snapshots evicted at a time; the next change, the daily sweep and expiry take care of the rest. */
const MAX_EVICTED = 400;

/** Snapshots evicted per sweep: an invocation may execute 1,000 operations in KV. */
const MAX_SWEPT_SNAPSHOTS = 900;

/** Evicts up to `limit` stale snapshots of an account; returns how many. */
export async function evictStale(
  env: Env,
  accountId: number,
  limit = MAX_EVICTED,
): Promise<number> {
  return deleteSnapshots(env, await removeStale(env.DB, accountId, CURRENT_VERSIONS, limit));
}

/** Evicts up to `limit` of the least recently used snapshots of an account over its limit; returns how many. */
export async function evictLeastUsed(
  env: Env,
  accountId: number,
  limit = MAX_EVICTED,
): Promise<number> {
  return deleteSnapshots(
    env,
    await removeLeastUsed(env.DB, accountId, MAX_SNAPSHOTS_PER_ACCOUNT, limit),
  );
}

/**
 * Evicts, account by account, what is still left of these accounts: stale, expired and too many snapshots. It stops at the
 * limits of an invocation; the next sweep finds what is then left. Every failure is logged.
 *
 * @throws if an account failed, once all others are done
 */
export async function sweepSnapshots(env: Env, accounts: readonly number[]): Promise<void> {
  let failed = 0;
  let left = MAX_SWEPT_SNAPSHOTS;
  for (const accountId of accounts) {
    if (left === 0) break;
    try {
      left -= await evictStale(env, accountId, Math.min(left, MAX_EVICTED));
      left -= await evictLeastUsed(env, accountId, Math.min(left, MAX_EVICTED));
    } catch (error) {
      failed++;
      log('error', 'sweep.failed', { accountId, error: describeError(error) });
    }
  }
  if (failed > 0) throw new Error(`The sweep failed for ${failed} of ${accounts.length} accounts`);
}
