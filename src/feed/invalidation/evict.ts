import { removeLeastUsed, removeStale, type SnapshotName } from '../../db/feed/snapshots.ts';
import type { Env } from '../../env.ts';
import { describeError, log } from '../../lib/log.ts';
import { CURRENT_VERSIONS } from '../formats/formats.ts';
import { deleteSnapshots } from '../snapshots/store.ts';

export const MAX_SNAPSHOTS = 4_000;

/** Snapshots evicted in one step, and steps of one run; the next change, the daily sweep and expiry take care of the rest. */
const STEP_SIZE = 100;
const MAX_STEPS = 4;

/** Snapshots evicted per sweep: an invocation may execute 1,000 operations in KV. */
const MAX_SWEPT_SNAPSHOTS = 900;

/**
 * Evicts stale snapshots of an account.
 *
 * @param limit the most that are evicted
 * @returns how many were evicted
 */
export function evictStale(env: Env, accountId: number, limit = MAX_STEPS * STEP_SIZE): Promise<number> {
  return evictInSteps(env, limit, (size) => removeStale(env.DB, accountId, CURRENT_VERSIONS, size));
}

/** Evicts the least recently used snapshots of an account over its limit. */
export function evictLeastUsed(env: Env, accountId: number, limit = MAX_STEPS * STEP_SIZE): Promise<number> {
  return evictInSteps(env, limit, (size) => removeLeastUsed(env.DB, accountId, MAX_SNAPSHOTS, size));
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
      left -= await evictStale(env, accountId, Math.min(left, MAX_STEPS * STEP_SIZE));
      left -= await evictLeastUsed(env, accountId, Math.min(left, MAX_STEPS * STEP_SIZE));
    } catch (error) {
      failed++;
      log('error', 'sweep.failed', { accountId, error: describeError(error) });
    }
  }
  if (failed > 0) throw new Error(`The sweep failed for ${failed} of ${accounts.length} accounts`);
}

async function evictInSteps(env: Env, limit: number, take: (size: number) => Promise<SnapshotName[]>): Promise<number> {
  let evicted = 0;
  while (evicted < limit) {
    const size = Math.min(STEP_SIZE, limit - evicted);
    const names = await take(size);
    await deleteSnapshots(env, names);
    evicted += names.length;
    if (names.length < size) break;
  }
  return evicted;
}
