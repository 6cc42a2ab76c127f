import { listLastVisits, markLateLogged } from '../db/deliveries.ts';
import type { Env } from '../env.ts';
import { isoTime } from '../lib/iso-time.ts';
import { log } from '../lib/log.ts';
import { isLate } from './late.ts';

/**
 * Logs each reader that is late, once until it visits again.
 *
 * @param now seconds since 1970-01-01 UTC
 */
export async function logLateReaders(env: Env, now: number): Promise<void> {
  const visits = await listLastVisits(env.DB);
  const late = visits.filter((visit) => !visit.isLateLogged && isLate(visit, now));
  for (const { account, reader, visitedAt, usualInterval } of late) {
    log('warn', 'reader late', { account, reader, lastVisit: isoTime(visitedAt), usualInterval });
  }
  if (late.length > 0)
    await markLateLogged(
      env.DB,
      late.map(({ readerId }) => readerId),
    );
}
