import { listAccountsKept, type SnapshotName, takeExcess, takeOutdated } from '../db/snapshots.ts';
import type { Env } from '../env.ts';
import { describeError, log } from '../lib/log.ts';
import { DOCUMENT_FORMAT } from './document.ts';
import { deleteSnapshots } from './snapshot-store.ts';

/** The most snapshots that an account has. */
export const MAX_SNAPSHOTS = 4_000;

/** Snapshots evicted in one step, and steps of one run; the next change, the daily sweep and expiry take care of the rest. */
const STEP_SIZE = 100;
const MAX_STEPS = 4;

/** Evicts the stale snapshots of an account. */
export async function evictStale(env: Env, accountId: number): Promise<void> {
  await evictInSteps(env, () => takeOutdated(env.DB, accountId, DOCUMENT_FORMAT, STEP_SIZE));
}

/** Evicts the least recently used snapshots of an account that has too many. */
export async function evictLeastUsed(env: Env, accountId: number): Promise<void> {
  await evictInSteps(env, () => takeExcess(env.DB, accountId, MAX_SNAPSHOTS, STEP_SIZE));
}

/**
 * Evicts, once a day and account by account, what is still left: stale, expired and too many snapshots. Every failure is
 * logged.
 *
 * @throws if an account failed, once all others are done
 */
export async function sweepSnapshots(env: Env): Promise<void> {
  let failed = 0;
  const accounts = await listAccountsKept(env.DB);
  for (const accountId of accounts) {
    try {
      await evictStale(env, accountId);
      await evictLeastUsed(env, accountId);
    } catch (error) {
      failed++;
      log('error', 'sweep', { accountId, error: describeError(error) });
    }
  }
  if (failed > 0) throw new Error(`The sweep failed for ${failed} of ${accounts.length} accounts`);
}

async function evictInSteps(env: Env, take: () => Promise<SnapshotName[]>): Promise<void> {
  for (let step = 0; step < MAX_STEPS; step++) {
    const names = await take();
    await deleteSnapshots(env, names);
    if (names.length < STEP_SIZE) return;
  }
}
