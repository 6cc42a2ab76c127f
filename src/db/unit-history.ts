import type { DevelopmentAddress } from './unit-updates.ts';

/** Entries deleted by one statement, so that it is short, and statements of one run. */
const STEP_SIZE = 5_000;
const MAX_STEPS = 20;

/** Deletes all but the newest entries in the history of each of these units. The units themselves do not change. */
export async function limitUnitHistory(
  db: D1Database,
  { accountId, development }: DevelopmentAddress,
  names: readonly string[],
  entries: number,
): Promise<void> {
  await db
    .prepare(
      `DELETE FROM unit_history
        WHERE account_id = ?1
          AND unit_id IN (
                SELECT u.id FROM developments d JOIN units u ON u.account_id = d.account_id AND u.development_id = d.id
                 WHERE d.account_id = ?1 AND d.identifier = ?2 AND u.name IN (SELECT value FROM json_each(?3)))
          AND id <= (SELECT h.id FROM unit_history h WHERE h.account_id = ?1 AND h.unit_id = unit_history.unit_id
                      ORDER BY h.id DESC LIMIT 1 OFFSET ?4)`,
    )
    .bind(accountId, development, JSON.stringify(names), entries)
    .run();
}

/** Deletes the entries of all units that are older than so many days, or the first 100,000 of them. */
export async function deleteOldUnitHistory(db: D1Database, days: number): Promise<void> {
  // Ids increase with time, so no index on the time is needed.
  const statement = db
    .prepare(
      `DELETE FROM unit_history
        WHERE id IN (SELECT id FROM unit_history ORDER BY id LIMIT ?1) AND changed_at < unixepoch() - ?2 * 86400`,
    )
    .bind(STEP_SIZE, days);
  for (let step = 0; step < MAX_STEPS; step++) {
    const { meta } = await statement.run();
    if (meta.changes < STEP_SIZE) return;
  }
}
