/** How many cases each property is tested with, and the seed that generates them. */
export type FuzzBudget = { readonly cases: number; readonly seed: number };

/** Cases and seed of a run of all tests, which is the same each time: more cases would find something only once. */
const DEFAULT_CASES = 30;
const DEFAULT_SEED = 1;

/**
 * The budget of this run: `FUZZ_CASES` and `FUZZ_SEED` if they are set, which `npm run fuzz` does.
 *
 * @throws TypeError if one is not an integer in its range
 */
export function fuzzBudget(settings: Readonly<Record<string, string | undefined>>): FuzzBudget {
  return {
    cases: integer('FUZZ_CASES', settings.FUZZ_CASES ?? DEFAULT_CASES, 1, 1e9),
    seed: integer('FUZZ_SEED', settings.FUZZ_SEED ?? DEFAULT_SEED, 0, 2 ** 31 - 1),
  };
}

/** The number in the setting of this name. */
export function integer(name: string, text: string | number, min: number, max: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new TypeError(`${name} must be an integer from ${min} to ${max}, not ${text}`);
}
