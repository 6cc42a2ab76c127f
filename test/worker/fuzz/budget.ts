import { env } from 'cloudflare:workers';
import fc, { type IAsyncPropertyWithHooks } from 'fast-check';
import type { FuzzBudget } from './settings.ts';

declare global {
  namespace Cloudflare {
    interface Env {
      /** How many cases this run tests, and their seed. */
      readonly FUZZ: FuzzBudget;
    }
  }
}

/** Counts the cases that have been tested. */
interface Tally {
  cases: number;
}

/**
 * Tests a property, at most a number of runs at a time, until its counts reaches the budget. A failure names the seed that
 * reproduces it. Failing cases are not shrunk, because each attempt would write a portfolio.
 */
export async function tryCases<Given>(
  property: IAsyncPropertyWithHooks<Given>,
  counts: Tally,
  runsAtOnce: number,
): Promise<void> {
  for (let seed = env.FUZZ.seed; counts.cases < env.FUZZ.cases; seed++) {
    const numRuns = Math.min(runsAtOnce, env.FUZZ.cases - counts.cases);
    await fc.assert(property, { seed, numRuns, endOnFailure: true });
  }
}
