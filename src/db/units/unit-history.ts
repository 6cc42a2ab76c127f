import { sql } from 'drizzle-orm';
import { retryIdempotent } from '../connection.ts';
import { listOf } from '../json-rows.ts';
import { statementOf } from '../statements.ts';
import type { DevelopmentAddress } from './units.ts';

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
  const removal = statementOf(
    db,
    sql`DELETE FROM unit_history
         WHERE account_id = ${accountId}
           AND unit_id IN (
             SELECT u.id FROM developments d JOIN units u ON u.development_id = d.id
              WHERE d.account_id = ${accountId} AND d.identifier = ${development} AND u.name IN ${listOf(names)})
           AND id <= (
             SELECT e.id FROM unit_history e WHERE e.account_id = ${accountId} AND e.unit_id = unit_history.unit_id
              ORDER BY e.id DESC LIMIT 1 OFFSET ${entries})`,
  );
  await retryIdempotent(() => removal.run());
}

/** Deletes history of these accounts older than `days`, at most 100,000 rows per call. */
export async function deleteOldUnitHistory(db: D1Database, accountIds: readonly number[], days: number): Promise<void> {
  const removal = statementOf(
    db,
    sql`DELETE FROM unit_history WHERE id IN (
          SELECT id FROM unit_history
           WHERE account_id IN ${listOf(accountIds)} AND changed_at < unixepoch() - ${days} * 86400 LIMIT ${STEP_SIZE})`,
  );
  for (let step = 0; step < MAX_STEPS; step++) {
    const { meta } = await retryIdempotent(() => removal.run());
    if (meta.changes < STEP_SIZE) return;
  }
}
