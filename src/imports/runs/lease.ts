import type { Env } from '../../env.ts';
import type { EpochMilliseconds } from '../../lib/time/time.ts';
import { type Run, updateRun } from './imports.ts';

/**
 * Milliseconds for which nobody else continues an import. An isolate that ends holds it up for no
 * longer.
 */
export const LEASE_MS = 30_000;

/** Milliseconds between two renewals while a step is under way. */
export const RENEWAL_MS = 5_000;

/**
 * Renews the lease of an import until the returned function is called. A renewal that fails is
 * repeated with the next one; a lease that is lost stays lost, and the step notices when it stores
 * its progress.
 */
export function keepLeased(env: Env, run: Run, clock: () => EpochMilliseconds) {
  let renewal: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    renewal = updateRun(env.DB, run, { leasedUntil: clock() + LEASE_MS }).catch(() => {});
  }, RENEWAL_MS);
  return async () => {
    clearInterval(timer);
    // A renewal that arrives later would lease an import that nobody continues.
    await renewal;
  };
}
