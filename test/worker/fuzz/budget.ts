import { env } from 'cloudflare:workers';
import fc, { type IAsyncPropertyWithHooks } from 'fast-check';
import type { FuzzBudget } from './settings.ts';

declare global {
  namespace Cloudflare {
    interface Env {
      /** The budget of this run's properties. */
      readonly FUZZ: FuzzBudget;
    }
  }
}

/** Counts the cases that a property has been tried on. */
export interface Tally {
  cases: number;
}

/**
 * Tries a property, some runs at a time, until its tally has the cases that are asked for. A failure names the seed of
 * its runs, by which it comes again; what fails is not made smaller, since each attempt at that would write a portfolio.
 */
export async function tryCases<Given>(
  property: IAsyncPropertyWithHooks<Given>,
  tally: Tally,
  runsAtOnce: number,
): Promise<void> {
  for (let seed = env.FUZZ.seed; tally.cases < env.FUZZ.cases; seed++) {
    await fc.assert(property, { seed, numRuns: runsAtOnce, endOnFailure: true });
  }
}
