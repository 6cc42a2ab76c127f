import { Unavailable } from '../lib/unavailable.ts';
import type { Caller } from '../oauth/verify.ts';
import type { Refusal } from '../problem.ts';
import { applyUpdate, type Outcome } from './update.ts';

/** Updates that one request may carry. */
export const MAX_UPDATES = 500;

/**
 * Applies updates in their order, each judged by itself and in a transaction of its own. Once D1 has failed the rest is
 * not tried: it would wait for the same failure.
 *
 * @param report told once why D1 failed
 */
export async function applyUpdates(
  db: D1Database,
  caller: Caller,
  development: string,
  bodies: readonly unknown[],
  report: (failure: Unavailable) => void,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  try {
    for (const body of bodies) outcomes.push(await applyUpdate(db, caller, development, body));
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    report(error);
  }
  return bodies.map((_, index) => outcomes[index] ?? { refusal: NOT_APPLIED });
}

/** Of an update that D1 failed at, or that was not tried. */
export const NOT_APPLIED: Refusal = {
  code: 'unavailable',
  detail: 'Repeat this update: it changes nothing if it was applied.',
};
