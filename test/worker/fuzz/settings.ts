/** How many cases each property is tried on, and the seed that they are made from. */
export interface FuzzBudget {
  readonly cases: number;
  readonly seed: number;
}

/** Cases of a run of all tests. */
const USUAL_CASES = 1_000;

/**
 * The budget of this run: `FUZZ_CASES` and `FUZZ_SEED` where they are set, else the usual number and a seed of its own.
 *
 * @throws TypeError where one is no whole number in its range
 */
export function fuzzBudget(settings: Readonly<Record<string, string | undefined>>): FuzzBudget {
  return {
    cases: wholeNumber('FUZZ_CASES', settings.FUZZ_CASES ?? USUAL_CASES, 1, 1e9),
    seed: wholeNumber('FUZZ_SEED', settings.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31), 0, 2 ** 31 - 1),
  };
}

function wholeNumber(name: string, given: string | number, least: number, most: number): number {
  const value = Number(given);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new TypeError(`${name} must be a whole number from ${least} to ${most}, not ${given}`);
}
