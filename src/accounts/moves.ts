import { type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { runBatch } from '../db/statements.ts';
import type { Owner } from './directory.ts';

/** Most rows that one step deletes: of properties and units, and of their history. */
const STEP_ROWS = 200;
const STEP_HISTORY_ROWS = 2_000;

/** The accounts that cannot be written to in this database: they are arriving, are leaving, or have left. */
export const UNWRITABLE = sql`(SELECT m.account_id FROM moves m)`;

/** Seconds for which the old copy of an account is kept: isolates rely on the directory for an hour. */
const KEPT_SECONDS = 2 * 3_600;

/** How far the move of an account or of a client's account has come in a database; `null` if it is not being moved. */
export async function findMoveState(db: D1Database, { kind, name }: Owner): Promise<string | null> {
  const [move] = await drizzle(db).all<{ state: string }>(
    kind === 'account'
      ? sql`SELECT state FROM moves WHERE code = ${name}`
      : sql`SELECT m.state FROM clients c JOIN moves m ON m.account_id = c.account_id WHERE c.id = ${name}`,
  );
  return move?.state ?? null;
}

/**
 * Deletes part of the copy of an account that lives in another database: bounded work, and complete after some calls. The copy
 * must not be written by anybody else; its triggers run and do no harm.
 *
 * @returns whether nothing is left
 */
export async function deleteCopy(db: D1Database, accountId: number): Promise<boolean> {
  await drizzle(db).run(sql`UPDATE accounts SET frozen = 0 WHERE id = ${accountId} AND frozen`);
  for (const deletion of deletions(accountId)) {
    if ((await drizzle(db).run(deletion)).meta.changes > 0) return false;
  }
  await runBatch(db, [
    sql`DELETE FROM accounts WHERE id = ${accountId}`,
    sql`DELETE FROM moves WHERE account_id = ${accountId}`,
  ]);
  return true;
}

/** What one step deletes: history before what it is about, so that no cascade takes long, and properties before their units. */
function deletions(accountId: number): SQL[] {
  return [
    sql`DELETE FROM property_history WHERE (property_id, change) IN (
          SELECT h.property_id, h.change FROM properties p JOIN property_history h ON h.property_id = p.id
           WHERE p.account_id = ${accountId} LIMIT ${STEP_HISTORY_ROWS})`,
    sql`DELETE FROM properties WHERE id IN (
          SELECT id FROM properties WHERE account_id = ${accountId} LIMIT ${STEP_ROWS})`,
    sql`DELETE FROM unit_history WHERE (unit_id, version) IN (
          SELECT h.unit_id, h.version FROM units u JOIN unit_history h ON h.unit_id = u.id
           WHERE u.account_id = ${accountId} LIMIT ${STEP_HISTORY_ROWS})`,
    sql`DELETE FROM units WHERE id IN (SELECT id FROM units WHERE account_id = ${accountId} LIMIT ${STEP_ROWS})`,
  ];
}

/** The id of the copy that a database has of an account that has left it; `null` if it has none. */
export async function findOldCopy(db: D1Database, code: string): Promise<number | null> {
  const query = sql`SELECT account_id AS id FROM moves WHERE code = ${code} AND state = 'left'`;
  return (await drizzle(db).all<{ id: number }>(query))[0]?.id ?? null;
}

/** Deletes part of the copies of accounts that left the database hours ago. */
export async function deleteOldCopies(db: D1Database): Promise<void> {
  const [old] = await drizzle(db).all<{ id: number }>(sql`
    SELECT account_id AS id FROM moves WHERE state = 'left' AND changed_at < unixepoch() - ${KEPT_SECONDS} LIMIT 1`);
  if (old !== undefined) await deleteCopy(db, old.id);
}
