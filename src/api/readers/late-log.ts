import { recordEvent } from '../../db/news/webhook-calls.ts';
import { listLastVisits, markLateLogged } from '../../db/readers/deliveries.ts';
import type { Env } from '../../env.ts';
import { log } from '../../lib/log.ts';
import { type EpochSeconds, isoTime } from '../../lib/time/time.ts';
import { sendTask } from '../../tasks/tasks.ts';
import { isLate } from './late.ts';

/** Logs each reader of these accounts that is late, and tells the account's webhooks, once until it visits again. */
export async function logLateReaders(env: Env, accountIds: readonly number[], now: EpochSeconds): Promise<void> {
  const visits = await listLastVisits(env.DB, accountIds);
  const late = visits.filter((visit) => !visit.isLateLogged && isLate(visit, now));
  for (const { account, accountId, reader, visitedAt, usualInterval } of late) {
    log('warn', 'reader.late', { account, reader, lastVisit: isoTime(visitedAt), usualInterval });
    await recordEvent(env.DB, accountId, 'reader.overdue', reader);
    await sendTask(env, { kind: 'webhooks', accountId });
  }
  if (late.length > 0)
    await markLateLogged(
      env.DB,
      late.map(({ readerId }) => readerId),
    );
}
