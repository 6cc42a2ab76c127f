import type { Env } from '../env.ts';
import { describeError, log } from '../lib/log.ts';
import { limitUnitHistory, type UnitUpdated } from './unit-updates.ts';

/** Entries per unit, and days for which they are kept, unless settings differ. */
const DEFAULT_ENTRIES = 100;
const DEFAULT_DAYS = 1_095;

/** Changes of a unit between two deletions of its oldest entries, so that most updates delete nothing. */
const DELETE_EVERY = 50;

/** Deletes, in the background, the oldest entries of units whose history may have become too long. */
export function limitHistory(
  env: Env,
  context: Pick<ExecutionContext, 'waitUntil'>,
  address: { readonly accountId: number; readonly development: string },
  updated: readonly UnitUpdated[],
): void {
  const due = updated.flatMap((one) =>
    one.kind === 'unit' && one.changed && one.unit.version % DELETE_EVERY === 0
      ? one.unit.name
      : [],
  );
  if (due.length === 0) return;
  const entries = positiveInteger(env, 'UNIT_HISTORY_ENTRIES', DEFAULT_ENTRIES);
  context.waitUntil(
    limitUnitHistory(env.DB, address, due, entries).catch((error) =>
      log('warn', 'unit_history.not_limited', {
        accountId: address.accountId,
        error: describeError(error),
      }),
    ),
  );
}

/** Days for which the history of units is kept. */
export function unitHistoryDays(env: Env): number {
  return positiveInteger(env, 'UNIT_HISTORY_DAYS', DEFAULT_DAYS);
}

function positiveInteger(
  env: Env,
  name: 'UNIT_HISTORY_ENTRIES' | 'UNIT_HISTORY_DAYS',
  fallback: number,
): number {
  const setting = env[name];
  if (setting === undefined || setting === '') return fallback;
  if (/^[1-9]\d{0,8}$/.test(setting)) return Number(setting);
  log('error', 'setting.invalid', {
    setting: name,
    expected: 'an integer of at least 1',
    used: fallback,
  });
  return fallback;
}
