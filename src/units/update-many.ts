import { type UnitUpdate, updateUnits } from '../db/unit-updates.ts';
import { DependencyUnavailable, orUnavailable } from '../lib/unavailable.ts';
import type { Caller } from '../oauth/verify.ts';
import type { Problem } from '../problem.ts';
import { parseUpdate, resultOf, type UpdateResult } from './update.ts';

/** Updates per request, at most. */
export const MAX_UPDATES = 500;

/** Updates per transaction: others wait for the database only briefly. */
export const BATCH_SIZE = 100;

/**
 * Validates updates separately and applies the valid ones in order, some in each transaction. After D1 has failed, the
 * remaining updates are not attempted: they would wait for the same failure.
 *
 * @param onFailure called once if D1 fails; the updates of that transaction may have been committed
 */
export async function applyUpdates(
  db: D1Database,
  { accountId, clientId }: Caller,
  development: string,
  bodies: readonly unknown[],
  onFailure: (failure: DependencyUnavailable) => void,
): Promise<UpdateResult[]> {
  const parsed = bodies.map(parseUpdate);
  const updates = parsed.filter((update): update is UnitUpdate => !('problem' in update));
  const results = new Map<UnitUpdate, UpdateResult>();
  try {
    for (let start = 0; start < updates.length; start += BATCH_SIZE) {
      const batch = updates.slice(start, start + BATCH_SIZE);
      const updated = await orUnavailable('unit updates', updateUnits(db, { accountId, development }, batch, clientId));
      for (const [index, update] of batch.entries())
        results.set(update, resultOf(updated[index]!, development, update));
    }
  } catch (error) {
    if (!(error instanceof DependencyUnavailable)) throw error;
    onFailure(error);
  }
  return parsed.map((update) => ('problem' in update ? update : (results.get(update) ?? { problem: NOT_APPLIED })));
}

/** For an update that failed or was not attempted. */
const NOT_APPLIED: Problem = {
  code: 'unavailable',
  detail: 'Repeat this update; updates are idempotent.',
};
