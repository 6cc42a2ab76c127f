import { and, inArray, lt, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { listOf } from '../db/json-rows.ts';
import {
  accountEvents,
  activity,
  properties,
  propertyHistory,
  sessions,
  unitHistory,
  units,
} from '../db/schema.ts';
import { runBatch } from '../db/statements.ts';
import { DAY_SECONDS } from '../lib/time/time.ts';
import { COUNTED_DAYS, MAX_SWEPT_ROWS } from '../readers/visits.ts';

/** Tables with the days for which their rows are retained, counted from a time. */
const RETAINED = [
  { table: activity, time: activity.happenedAt, days: 1_095 },
  { table: accountEvents, time: accountEvents.happenedAt, days: 30 },
  { table: sessions, time: sessions.expiresAt, days: 0 },
];

/** Days for which it is known what a property was before a change; then only its status and its prices, for a longer time. */
const DOCUMENT_DAYS = 90;
const PROPERTY_HISTORY_DAYS = 1_095;

/** What is left of a document, and more bytes than that has. */
const REMAINDER = sql`json_object('status', document ->> '$.status', 'offers', document -> '$.offers')`;
const REMAINDER_BYTES = 500;

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
  const connection = drizzle(db);
  const ids = listOf(accountIds);
  const isOlder = (time: SQLiteColumn, days: number) =>
    lt(time, sql`unixepoch() - ${days * DAY_SECONDS}`);
  // History has no index by account: it is found by what it is about.
  const ownProperties = connection.select({ id: properties.id }).from(properties);
  const isOwnHistory = inArray(
    propertyHistory.propertyId,
    ownProperties.where(inArray(properties.accountId, ids)),
  );
  const ownUnits = connection.select({ id: units.id }).from(units);
  const ofReaders = sql`reader_id IN (SELECT id FROM readers WHERE account_id IN ${ids})`;
  const oldest = sql`date('now', ${`-${COUNTED_DAYS} days`})`;
  await runBatch(db, [
    ...RETAINED.map(({ table, time, days }) =>
      connection.delete(table).where(and(inArray(table.accountId, ids), isOlder(time, days))),
    ),
    connection
      .delete(propertyHistory)
      .where(and(isOwnHistory, isOlder(propertyHistory.changedAt, PROPERTY_HISTORY_DAYS))),
    connection
      .update(propertyHistory)
      .set({ document: REMAINDER, pictures: null, texts: null })
      .where(
        and(
          isOwnHistory,
          isOlder(propertyHistory.changedAt, DOCUMENT_DAYS),
          sql`octet_length(document) > ${REMAINDER_BYTES}`,
        ),
      ),
    connection
      .delete(unitHistory)
      .where(
        and(
          inArray(unitHistory.unitId, ownUnits.where(inArray(units.accountId, ids))),
          isOlder(unitHistory.changedAt, unitHistoryDays),
        ),
      ),
    sql`DELETE FROM deliveries WHERE ${ofReaders} AND last_seen_at < unixepoch(${oldest})`,
    sql`UPDATE deliveries
           SET days = (SELECT json_group_object(key, json(value)) FROM json_each(days) WHERE key >= ${oldest}),
               visits = (SELECT json_group_array(json(value)) FROM json_each(visits)
                          WHERE value ->> 1 >= unixepoch(${oldest}))
         WHERE ${ofReaders} AND EXISTS (SELECT 1 FROM json_each(days) WHERE key < ${oldest})`,
    sql`DELETE FROM reader_history WHERE ${ofReaders} AND changed_at < unixepoch(${oldest})`,
    sql`DELETE FROM earlier_visits WHERE ${ofReaders} AND written_at < unixepoch(${oldest})`,
    sql`DELETE FROM earlier_visits WHERE (reader_id, written_at, feed) IN (
          SELECT reader_id, written_at, feed FROM (
            SELECT reader_id, written_at, feed,
                   row_number() OVER (PARTITION BY reader_id ORDER BY written_at DESC) AS place
              FROM earlier_visits WHERE ${ofReaders})
           WHERE place > ${MAX_SWEPT_ROWS})`,
  ]);
}
