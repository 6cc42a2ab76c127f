import { and, inArray, lt, sql } from '#drizzle';
import { drizzle } from '#drizzle/d1';
import { DAY_SECONDS } from '../lib/time/time.ts';
import { listOf } from './json-rows.ts';
import { COUNTED_DAYS } from './readers/deliveries.ts';
import { accountEvents, activity, endedSessions, propertyHistory, unitHistory } from './schema.ts';
import { readTogether } from './statements.ts';

/** Tables with the days for which their rows are retained, counted from a time. */
const RETAINED = [
  { table: activity, time: activity.happenedAt, days: 1_095 },
  { table: propertyHistory, time: propertyHistory.changedAt, days: 1_095 },
  { table: accountEvents, time: accountEvents.happenedAt, days: 30 },
  { table: endedSessions, time: endedSessions.expiresAt, days: 0 },
];

/**
 * Deletes what is too old in these accounts: rows, counts of days, and feeds that no reader has requested since.
 *
 * @param unitHistoryDays for which the changes of units are retained
 */
export async function deleteOldRows(
  db: D1Database,
  accountIds: readonly number[],
  unitHistoryDays: number,
): Promise<void> {
  const retained = [...RETAINED, { table: unitHistory, time: unitHistory.changedAt, days: unitHistoryDays }];
  const ids = listOf(accountIds);
  const ofReaders = sql`reader_id IN (SELECT id FROM readers WHERE account_id IN ${ids})`;
  const oldest = sql`date('now', ${`-${COUNTED_DAYS} days`})`;
  await readTogether(db, [
    ...retained.map(({ table, time, days }) => {
      const isOld = lt(time, sql`unixepoch() - ${days * DAY_SECONDS}`);
      return drizzle(db)
        .delete(table)
        .where(and(inArray(table.accountId, ids), isOld));
    }),
    sql`DELETE FROM deliveries WHERE ${ofReaders} AND last_seen_at < unixepoch(${oldest})`,
    sql`UPDATE deliveries
           SET days = (SELECT json_group_object(key, json(value)) FROM json_each(days) WHERE key >= ${oldest})
         WHERE ${ofReaders} AND EXISTS (SELECT 1 FROM json_each(days) WHERE key < ${oldest})`,
  ]);
}
