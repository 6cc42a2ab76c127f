import { DependencyUnavailable } from '../lib/unavailable.ts';
import type { Caller } from '../oauth/verify.ts';
import type { Problem } from '../problem.ts';
import { applyUpdate, type UpdateResult } from './update.ts';

/** Updates per request, at most. */
export const MAX_UPDATES = 500;

/**
 * Applies updates in order, each validated separately and in its own transaction. After D1 has failed, the remaining
 * updates are not attempted: they would wait for the same failure.
 *
 * @param onFailure called once if D1 fails; the update that failed may have been committed
 */
export async function applyUpdates(
  db: D1Database,
  caller: Caller,
  development: string,
  bodies: readonly unknown[],
  onFailure: (failure: DependencyUnavailable) => void,
): Promise<UpdateResult[]> {
  const results: UpdateResult[] = [];
  try {
    for (const body of bodies) results.push(await applyUpdate(db, caller, development, body));
  } catch (error) {
    if (!(error instanceof DependencyUnavailable)) throw error;
    onFailure(error);
  }
  return bodies.map((_, index) => results[index] ?? { problem: NOT_APPLIED });
}

/** For an update that failed or was not attempted. */
const NOT_APPLIED: Problem = {
  code: 'unavailable',
  detail: 'Repeat this update; updates are idempotent.',
};
