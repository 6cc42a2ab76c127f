import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { runBatch } from '../../db/statements.ts';
import type { EpochSeconds } from '../../lib/time/time.ts';

/** How far the events have been written is in the table that says so of periodic tasks. */
const TASK = 'demo';

/** More events than there are. */
export const ALL = Number.MAX_SAFE_INTEGER;

export interface Progress {
  /** How many events are written; {@link ALL} once the fetches after the last one are, too. */
  readonly done: number;
  /** The time from which all are counted back. */
  readonly now: EpochSeconds;
  /** The number of the last change of the account. */
  readonly revision: number;
}

/** Notes that the events have yet to be written, from the first one on. */
export async function beginEvents(db: D1Database, now: EpochSeconds): Promise<void> {
  await drizzle(db).run(sql`
    INSERT INTO walks (task, after_id, begun_at) VALUES (${TASK}, 0, ${now})
        ON CONFLICT (task) DO UPDATE SET after_id = 0, begun_at = ${now}`);
}

/** `null` if the demo was created without events. */
export async function readProgress(db: D1Database, accountId: number): Promise<Progress | null> {
  const rows = await drizzle(db).all<Progress>(sql`
    SELECT w.after_id AS "done", w.begun_at AS "now", a.changes AS "revision"
      FROM walks w JOIN accounts a ON a.id = ${accountId} WHERE w.task = ${TASK}`);
  return rows[0] ?? null;
}

export async function endEvents(db: D1Database): Promise<void> {
  await drizzle(db).run(sql`UPDATE walks SET after_id = ${ALL} WHERE task = ${TASK}`);
}

/**
 * Removes what an event has left that was written but not dated, because `npm start` was killed in
 * between: what would otherwise be there twice. Everything else of an event can be written again.
 *
 * @param time of the event
 */
export async function removeUndated(db: D1Database, accountId: number, time: EpochSeconds) {
  await runBatch(db, [
    sql`DELETE FROM activity WHERE account_id = ${accountId} AND happened_at >= ${time}`,
    sql`DELETE FROM imports WHERE account_id = ${accountId} AND created_at >= ${time}`,
  ]);
}

/**
 * Dates an event that was written a moment ago back to when it is said to have happened. Statements
 * and triggers set times by the clock of the database, which nobody can be in the past of. Events
 * are written and dated one after the other, so everything of the account that is later than an
 * event is of this event.
 *
 * A new time alone would be a change of a property, with a number of its own. A property whose
 * number changes at the same time is not numbered again (migrations/0004_changes.sql), so it has a
 * negative one between two statements of this transaction. No feed was built in the meantime: the
 * demo's URLs are printed afterwards.
 *
 * @param done the number of events that are written now
 * @returns the number of the last change of the account
 */
export async function dateBack(
  db: D1Database,
  accountId: number,
  time: EpochSeconds,
  done: number,
): Promise<number> {
  const later = (column: string) => sql`account_id = ${accountId} AND ${sql.raw(column)} > ${time}`;
  const results = await runBatch<{ changes: number }[]>(db, [
    sql`UPDATE property_history SET changed_at = ${time} WHERE ${later('changed_at')}`,
    sql`UPDATE unit_history SET changed_at = ${time} WHERE ${later('changed_at')}`,
    sql`UPDATE units SET changed_at = ${time} WHERE ${later('changed_at')}`,
    sql`UPDATE properties SET changed_at = ${time}, change = -change WHERE ${later('changed_at')}`,
    sql`UPDATE properties SET change = -change WHERE account_id = ${accountId} AND change < 0`,
    sql`UPDATE activity SET happened_at = ${time} WHERE ${later('happened_at')}`,
    sql`UPDATE account_events SET happened_at = ${time} WHERE ${later('happened_at')}`,
    sql`UPDATE people SET created_at = ${time} WHERE ${later('created_at')}`,
    // The reader that the demo begins with was not connected in the console: nobody has used it yet.
    sql`UPDATE readers SET created_at = ${time} WHERE portal IS NOT NULL AND ${later('created_at')}`,
    sql`UPDATE imports SET created_at = ${time} WHERE ${later('created_at')}`,
    sql`UPDATE imports SET ended_at = ${time} WHERE ${later('ended_at')}`,
    sql`UPDATE walks SET after_id = ${done} WHERE task = ${TASK}`,
    sql`SELECT changes FROM accounts WHERE id = ${accountId}`,
  ]);
  return results.at(-1)![0]!.changes;
}
