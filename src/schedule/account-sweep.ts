import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { UNWRITABLE } from '../accounts/moves.ts';
import type { EpochSeconds } from '../lib/time/time.ts';

/** After the last account of a walk: no account has this id. */
const END = Number.MAX_SAFE_INTEGER;

/** A task that walks the accounts of a database in the order of their ids. */
export interface AccountSweep {
  readonly task: string;
  /** The accounts of one step. */
  readonly accounts: number;
  /** Seconds between the beginnings of two walks. */
  readonly period: number;
}

/**
 * The next accounts of a walk; none until the next walk is due. They are not returned again, even if the task then fails: it
 * comes back to them in the next walk. Accounts that cannot be written to, because they are being moved, are omitted.
 */
export async function nextAccounts(
  db: D1Database,
  { task, accounts, period }: AccountSweep,
  now: EpochSeconds,
) {
  const connection = drizzle(db);
  const [row] = await connection.all<{ after: number; begun: number; ids: string }>(sql`
    WITH walk AS (
      SELECT iif(w.task IS NULL OR w.after_id = ${END} AND w.begun_at <= ${now} - ${period}, 0, w.after_id) AS after,
             ifnull(w.begun_at, 0) AS begun
        FROM (SELECT 1) LEFT JOIN walks w ON w.task = ${task})
    SELECT walk.after, walk.begun, (
             SELECT json_group_array(id) FROM (
               SELECT a.id FROM accounts a
                WHERE a.id > walk.after AND a.id NOT IN ${UNWRITABLE}
                ORDER BY a.id LIMIT ${accounts})) AS ids
      FROM walk`);
  const { after, begun, ids: json } = row!;
  if (after === END) return [];
  const ids: readonly number[] = JSON.parse(json);
  const reached = ids.length < accounts ? END : ids.at(-1)!;
  // Another run that has taken the same step has written the same place: the step is then taken twice, which does no harm.
  await connection.run(sql`
    INSERT INTO walks (task, after_id, begun_at)
    VALUES (${task}, ${reached}, ${after === 0 ? now : begun})
        ON CONFLICT (task) DO UPDATE SET after_id = excluded.after_id, begun_at = excluded.begun_at`);
  return ids;
}
