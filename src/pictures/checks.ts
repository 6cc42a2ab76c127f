import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { UNWRITABLE } from '../accounts/moves.ts';
import { listOf } from '../db/json-rows.ts';
import { runBatch } from '../db/statements.ts';
import { DAY_SECONDS } from '../lib/time/time.ts';

/** How often a picture is checked that could be fetched, and one that could not. */
const PERIOD_SECONDS = 7 * DAY_SECONDS;
const RETRY_SECONDS = 20 * 3_600;

/** Addresses of an account that one run of the schedule adds to those that are checked. */
const MOST_ADDED = 50_000;

/** Seconds for which nobody else checks the pictures of an account: longer than an invocation lasts. */
const LEASE_SECONDS = 1_000;

/** What a check has found: a status, or 0 without an answer; `null` if the picture can be fetched, `undefined` if that is not known. */
export type Outcome = number | null | undefined;

const IS_DUE = sql`checked_at <= unixepoch() - iif(failures > 0, ${RETRY_SECONDS}, ${PERIOD_SECONDS})`;

/**
 * Brings the addresses of an account to those that its listed properties name, and gives it a turn if some are to be checked.
 *
 * @param path how the paths of the account's own pictures begin: these need no check, as long as the database knows of them
 */
export async function planChecks(db: D1Database, accountId: number, path: string): Promise<void> {
  const address = sql`iif(e.type = 'object', e.value ->> '$.url', e.value)`;
  const isStored = sql`
    instr(${address}, ${path}) AND EXISTS (
      SELECT 1 FROM pictures k WHERE k.account_id = ${accountId} AND k.deleted_at IS NULL
         AND k.digest = substr(${address}, instr(${address}, ${path}) + length(${path}), 32))`;
  const named = sql`
    SELECT ${address} AS address FROM properties p, json_each(p.pictures) e
     WHERE p.account_id = ${accountId} AND p.listed AND NOT (${isStored})`;
  await runBatch(db, [
    sql`DELETE FROM picture_checks WHERE account_id = ${accountId} AND address NOT IN (${named})`,
    sql`
      INSERT INTO picture_checks (account_id, address)
      SELECT DISTINCT ${accountId}, address FROM (${named})
       WHERE address NOT IN (SELECT address FROM picture_checks WHERE account_id = ${accountId})
       LIMIT ${MOST_ADDED}`,
    sql`
      INSERT INTO picture_check_turns (account_id)
      SELECT ${accountId} WHERE EXISTS (SELECT 1 FROM picture_checks WHERE account_id = ${accountId} AND ${IS_DUE})
          ON CONFLICT DO NOTHING`,
  ]);
}

/** The accounts whose turn it is, the one first that has waited longest. */
export async function accountsToCheck(db: D1Database, most: number): Promise<number[]> {
  const rows = await drizzle(db).all<{ id: number }>(sql`
    SELECT account_id AS id FROM picture_check_turns
     WHERE due_at <= unixepoch() AND account_id NOT IN ${UNWRITABLE} ORDER BY due_at LIMIT ${most}`);
  return rows.map(({ id }) => id);
}

/** Takes the turn of an account. @returns the addresses to check next; `null` if it is not its turn */
export async function takeTurn(
  db: D1Database,
  accountId: number,
  most: number,
): Promise<string[] | null> {
  const connection = drizzle(db);
  const taken = await connection.all(sql`
    UPDATE picture_check_turns SET due_at = unixepoch() + ${LEASE_SECONDS}
     WHERE account_id = ${accountId} AND due_at <= unixepoch() AND account_id NOT IN ${UNWRITABLE} RETURNING 1 AS one`);
  if (taken.length === 0) return null;
  const rows = await connection.all<{ address: string }>(sql`
    SELECT address FROM picture_checks WHERE account_id = ${accountId} AND ${IS_DUE}
     ORDER BY checked_at LIMIT ${most}`);
  return rows.map(({ address }) => address);
}

/** Ends the turn of an account, which has another one if there is more to check. */
export async function endTurn(db: D1Database, accountId: number, hasMore: boolean): Promise<void> {
  await drizzle(db).run(
    hasMore
      ? sql`UPDATE picture_check_turns SET due_at = unixepoch() WHERE account_id = ${accountId}`
      : sql`DELETE FROM picture_check_turns WHERE account_id = ${accountId}`,
  );
}

/** Notes what checks have found. An address that is no longer named is not added. */
export async function noteChecks(
  db: D1Database,
  accountId: number,
  outcomes: ReadonlyMap<string, Outcome>,
): Promise<void> {
  const found = [...outcomes].filter(([, outcome]) => outcome !== undefined);
  const unknown = [...outcomes].filter(([, outcome]) => outcome === undefined);
  await runBatch(db, [
    sql`
      UPDATE picture_checks AS c
         SET checked_at = unixepoch(), status = f.status, failures = iif(f.status IS NULL, 0, c.failures + 1),
             failing_since = iif(f.status IS NULL, NULL, ifnull(c.failing_since, unixepoch()))
        FROM (SELECT value ->> 0 AS address, value ->> 1 AS status FROM json_each(${JSON.stringify(found)})) f
       WHERE c.account_id = ${accountId} AND c.address = f.address`,
    sql`
      UPDATE picture_checks SET checked_at = unixepoch()
       WHERE account_id = ${accountId} AND address IN ${listOf(unknown.map(([address]) => address))}`,
  ]);
}
