import { type SQL, sql } from '#drizzle';
import { drizzle } from '#drizzle/d1';
import { readTogether } from '../statements.ts';

const STEP_ROWS = 200;

/** The accounts that cannot be written to in this database: they are arriving, are about to leave, or have left. */
export const UNWRITABLE = sql`(SELECT m.account_id FROM moves m WHERE m.state <> 'leaving')`;

/** Seconds for which the old copy of an account is kept: isolates rely on the directory for an hour. */
const KEPT_SECONDS = 2 * 3_600;

/** How the names of the triggers begin that guard an account, or any account, while it is moved. */
export function guardPrefix(accountId?: number): string {
  return accountId === undefined ? 'moving_' : `moving_${accountId}_`;
}

/** The statements that remove an account's guards, or all guards, from a database. */
export async function withoutGuards(db: D1Database, accountId?: number): Promise<SQL[]> {
  const prefix = guardPrefix(accountId);
  const triggers = await drizzle(db).all<{ name: string }>(sql`
    SELECT name FROM sqlite_schema WHERE type = 'trigger' AND substr(name, 1, ${prefix.length}) = ${prefix}`);
  return triggers.map(({ name }) => sql.raw(`DROP TRIGGER ${name}`));
}

/**
 * Deletes part of the copy of an account that lives in another database: bounded work, and complete after some calls. The copy
 * must not be written by anybody else; its ordinary triggers run and do no harm.
 *
 * @returns whether nothing is left
 */
export async function deleteCopy(db: D1Database, accountId: number): Promise<boolean> {
  const unguarded = await withoutGuards(db, accountId);
  if (unguarded.length > 0) await readTogether(db, unguarded);
  for (const table of ['properties', 'unit_history', 'units'].map((name) => sql.raw(name))) {
    const { meta } = await drizzle(db).run(sql`
      DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE account_id = ${accountId} LIMIT ${STEP_ROWS})`);
    if (meta.changes > 0) return false;
  }
  await readTogether(db, [
    sql`DELETE FROM accounts WHERE id = ${accountId}`,
    sql`DELETE FROM moves WHERE account_id = ${accountId}`,
  ]);
  return true;
}

/** Deletes part of the copies of accounts that left the database hours ago. */
export async function deleteOldCopies(db: D1Database): Promise<void> {
  const [old] = await drizzle(db).all<{ id: number }>(sql`
    SELECT account_id AS id FROM moves WHERE state = 'left' AND changed_at < unixepoch() - ${KEPT_SECONDS} LIMIT 1`);
  if (old !== undefined) await deleteCopy(db, old.id);
}
