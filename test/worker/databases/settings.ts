import { integer } from '../fuzz/settings.ts';

/** The account that is moved, how often its feed is checked, and at which of the program's statements it is killed. */
type MoveBudget = { readonly properties: number; readonly checks: number; readonly every: number };

declare global {
  namespace Cloudflare {
    interface Env {
      readonly MOVES: MoveBudget;
    }
  }
}

/**
 * The budget of this run: `MOVE_PROPERTIES`, `MOVE_CHECKS`, and `MOVE_KILLED_EVERY`, 1 for each of the statements.
 *
 * @throws TypeError if one is not an integer in its range
 */
export function moveBudget(settings: Readonly<Record<string, string | undefined>>): MoveBudget {
  return {
    properties: integer('MOVE_PROPERTIES', settings.MOVE_PROPERTIES ?? 60, 4, 100_000),
    checks: integer('MOVE_CHECKS', settings.MOVE_CHECKS ?? 20, 1, 1e6),
    every: integer('MOVE_KILLED_EVERY', settings.MOVE_KILLED_EVERY ?? 11, 1, 1_000),
  };
}
