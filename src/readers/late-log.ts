import { listLastVisits, markLateLogged } from '../db/deliveries.ts';
import type { Env } from '../env.ts';
import { log } from '../lib/log.ts';
import { type EpochSeconds, isoTime } from '../lib/time.ts';
import { isLate } from './late.ts';

/**
 * Logs each reader that is late, once until it visits again.
 */
export async function logLateReaders(env: Env, now: EpochSeconds): Promise<void> {
  const visits = await listLastVisits(env.DB);
  const late = visits.filter((visit) => !visit.isLateLogged && isLate(visit, now));
  for (const { account, reader, visitedAt, usualInterval } of late) {
    log('warn', 'reader.late', { account, reader, lastVisit: isoTime(visitedAt), usualInterval });
  }
  if (late.length > 0)
    await markLateLogged(
      env.DB,
      late.map(({ readerId }) => readerId),
    );
}
