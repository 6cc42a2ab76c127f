import { deleteOldCopies } from '../accounts/moves.ts';
import { deliverAll } from '../changes/webhooks/deliver.ts';
import type { Env } from '../env.ts';
import { sweepSnapshots } from '../feed/invalidation/evict.ts';
import { runSchedule, sweepOldImports } from '../imports/runs/manage.ts';
import { describeError } from '../lib/log.ts';
import { DAY_SECONDS, type EpochMilliseconds } from '../lib/time/time.ts';
import { startBackups } from '../operator/backups/backup.ts';
import { resumeOperations } from '../operator/run.ts';
import { planAllChecks, startChecks } from '../pictures/check.ts';
import { resumeCopies } from '../pictures/copy.ts';
import { sweepPictures } from '../pictures/sweep.ts';
import { logOverdueReaders } from '../readers/overdue.ts';
import { unitHistoryDays } from '../units/history.ts';
import { type AccountSweep, nextAccounts } from './account-sweep.ts';
import { deleteOldRows } from './retention.ts';

/** A task that runs for every account once in its period: every five minutes, for the next `accounts` of them. */
interface PeriodicTask extends AccountSweep {
  readonly run: (
    env: Env,
    accountIds: readonly number[],
    now: EpochMilliseconds,
  ) => readonly Promise<unknown>[];
}

const HOUR_SECONDS = 3_600;

/**
 * All scheduled work. Each step is bounded, however many accounts a database has: with ten accounts in five minutes, the
 * daily work for 2,000 accounts takes 17 hours of a day.
 */
const TASKS: readonly PeriodicTask[] = [
  { task: 'webhooks', accounts: 200, period: 0, run: (env, ids) => [deliverAll(env, ids)] },
  {
    task: 'overdue readers',
    accounts: 200,
    period: HOUR_SECONDS,
    run: (env, ids, now) => [logOverdueReaders(env, ids, Math.floor(now / 1_000))],
  },
  {
    task: 'housekeeping',
    accounts: 10,
    period: DAY_SECONDS,
    run: (env, ids, now) => [
      startBackups(env, ids, now),
      sweepSnapshots(env, ids),
      deleteOldRows(env.DB, ids, unitHistoryDays(env)),
      sweepOldImports(env),
      sweepPictures(env, ids),
      planAllChecks(env, ids),
    ],
  },
];

/**
 * Takes one step of each periodic task in one database. A task that fails does not keep the others from running.
 *
 * @throws with the reason of each failure
 */
export async function runPeriodicTasks(env: Env, now: EpochMilliseconds): Promise<void> {
  const step = async ({ run, ...walk }: PeriodicTask) => {
    const accountIds = await nextAccounts(env.DB, walk, Math.floor(now / 1_000));
    return accountIds.length === 0 ? [] : Promise.allSettled(run(env, accountIds, now));
  };
  const isFirst = env.DATABASE === undefined;
  const once = [
    runSchedule(env, now),
    resumeCopies(env),
    startChecks(env),
    deleteOldCopies(env.DB),
    isFirst ? resumeOperations(env) : null,
  ];
  const steps = await Promise.allSettled([...TASKS.map(step), ...once]);
  const results = steps.flatMap((result) =>
    result.status === 'fulfilled' ? (result.value ?? []) : [result],
  );
  const failures = results.flatMap((result) =>
    result.status === 'rejected' ? describeError(result.reason) : [],
  );
  if (failures.length > 0) throw new Error(failures.join('; '));
}
