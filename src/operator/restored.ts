import { type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { findAccountId } from '../accounts/accounts.ts';
import { UNWRITABLE } from '../accounts/moves.ts';
import { runBatch } from '../db/statements.ts';
import type { EpochSeconds } from '../lib/time/time.ts';
import {
  entriesOf,
  listAccount,
  type NamedDatabase,
  readDirectory,
  takeIdRange,
} from './databases.ts';
import { finish } from './move/move.ts';

/** Rows that one statement changes: an invocation may execute 1,000 statements. */
const STEP_ROWS = 2_000;

/**
 * Call it after a database has been restored to an earlier state. It makes every ETag, cache key and cursor new, and ids too:
 * what the restore has undone had the same ones. It can be repeated; each call advances the incarnation once more.
 *
 * @param all the databases, the first one first; the directory is computed again from what they contain
 * @returns the new incarnation
 */
export async function advanceIncarnation(
  restored: NamedDatabase,
  all: readonly NamedDatabase[],
): Promise<number> {
  await endMoves(restored.db);
  const [row] = await drizzle(restored.db).all<{ incarnation: number; now: EpochSeconds }>(sql`
    UPDATE time_line SET incarnation = max(incarnation + 1, unixepoch()) RETURNING incarnation, unixepoch() AS now`);
  const { incarnation, now } = row!;
  // An account that was moved here may have a later one than this database had.
  await drizzle(restored.db).run(sql`
    UPDATE accounts SET incarnation = max(incarnation + 1, ${incarnation}), changed_at = max(changed_at + 1, ${now})`);
  if (all.length > 1) {
    await takeIdRange(restored.db, all);
    await computeDirectory(restored, all);
  }
  await awaitPictures(restored.db);
  await advanceUnits(restored.db, incarnation);
  await advanceProperties(restored.db, now);
  return incarnation;
}

/** Ends moves that the restored state is in the middle of: they would refuse what follows. They can begin again. */
async function endMoves(db: D1Database): Promise<void> {
  await runBatch(db, [
    sql`UPDATE accounts SET frozen = 0 WHERE id IN (SELECT account_id FROM moves WHERE state = 'leaving')`,
    sql`DELETE FROM moves WHERE state = 'leaving'`,
  ]);
}

/** Lists every account where it lives. Of one that has been moved since the restored state, the restored copy is the old one. */
async function computeDirectory(
  restored: NamedDatabase,
  all: readonly NamedDatabase[],
): Promise<void> {
  const [first] = all;
  const listed = new Set((await readDirectory(first!.db)).map(({ account }) => account));
  const found = Map.groupBy(await entriesOf(all), ({ account }) => account);
  for (const [account, entries] of found) {
    const entry = entries.find(({ database }) => database !== restored.name) ?? entries[0]!;
    if (entry.database !== first!.name || listed.has(account)) await listAccount(first!.db, entry);
    if (entries.length === 1) continue;
    const current = all.find(({ name }) => name === entry.database)!;
    await finish(restored, current, (await findAccountId(restored.db, account))!);
  }
}

/**
 * Lets the month of pictures that nothing names begin again, before the sweep deletes their files: a backup of what was undone may
 * name them.
 */
async function awaitPictures(db: D1Database): Promise<void> {
  await drizzle(db).run(
    sql`UPDATE pictures SET unnamed_since = NULL WHERE unnamed_since IS NOT NULL`,
  );
}

/** Advances the versions of all units, which are their ETags, beyond all that anybody may have seen. */
async function advanceUnits(db: D1Database, incarnation: number): Promise<void> {
  const version = sql`CAST(${incarnation} AS INTEGER)`;
  await inSteps(
    db,
    (after) => sql`
    UPDATE units SET version = ${version}
     WHERE id IN (SELECT id FROM units WHERE id > ${after} AND version < ${version} ORDER BY id LIMIT ${STEP_ROWS})
    RETURNING id`,
  );
}

/**
 * Changes all listed properties without changing what they are: readers skip a record whose time has not advanced. The trigger
 * gives each the next number of its account and the present time.
 */
async function advanceProperties(db: D1Database, now: EpochSeconds): Promise<void> {
  await inSteps(
    db,
    (after) => sql`
    UPDATE properties SET change = 0
     WHERE id IN (
       SELECT id FROM properties
        WHERE id > ${after} AND listed AND changed_at < ${now} AND account_id NOT IN ${UNWRITABLE}
        ORDER BY id LIMIT ${STEP_ROWS})
    RETURNING id`,
  );
}

/** Executes a statement for rows with ids after those that it has returned, until it returns none. */
async function inSteps(db: D1Database, statement: (after: number) => SQL): Promise<void> {
  for (let after = 0; ; ) {
    const rows = await drizzle(db).all<{ id: number }>(statement(after));
    if (rows.length === 0) return;
    after = Math.max(...rows.map(({ id }) => id));
  }
}
