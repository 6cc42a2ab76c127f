import { sql } from '#drizzle';
import { drizzle } from '#drizzle/d1';
import { withoutGuards } from '../accounts/moves.ts';
import { readTogether } from '../statements.ts';
import { findAccountId } from './accounts.ts';
import { entriesOf, listAccount, type NamedDatabase, readDirectory, takeIdRange } from './databases.ts';
import { finish } from './move/move.ts';

const STEP_ROWS = 200;

/**
 * Call it after a database has been restored to an earlier state. It makes every ETag, cache key and cursor new, and ids too:
 * what the restore has undone had the same ones. It can be repeated; each call advances the incarnation once more.
 *
 * @param all the databases, the first one first; the directory is computed again from what they contain
 * @returns the new incarnation
 */
export async function advanceIncarnation(restored: NamedDatabase, all: readonly NamedDatabase[]): Promise<number> {
  await endMoves(restored.db);
  const [row] = await drizzle(restored.db).all<{ incarnation: number }>(sql`
    UPDATE time_line SET incarnation = max(incarnation + 1, unixepoch()) RETURNING incarnation`);
  if (all.length > 1) {
    await takeIdRange(restored.db, all);
    await computeDirectory(restored, all);
  }
  await advanceTimes(restored.db, row!.incarnation);
  return row!.incarnation;
}

/** Ends moves that the restored state is in the middle of: their guards would refuse what follows. They can begin again. */
async function endMoves(db: D1Database): Promise<void> {
  await readTogether(db, [
    ...(await withoutGuards(db)),
    sql`DELETE FROM moved_rows`,
    sql`DELETE FROM moves WHERE state IN ('leaving', 'frozen')`,
  ]);
}

/** Lists every account where it lives. Of one that has been moved since the restored state, the restored copy is the old one. */
async function computeDirectory(restored: NamedDatabase, all: readonly NamedDatabase[]): Promise<void> {
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
 * Advances the times of all listed properties and the versions of all units beyond all that readers may have seen, a bounded
 * number of rows at a time: readers skip a record whose time has not advanced, and the ETag of a unit is its version.
 */
async function advanceTimes(db: D1Database, incarnation: number): Promise<void> {
  const time = sql`CAST(${incarnation} AS INTEGER)`;
  const connection = drizzle(db);
  const statements = [
    sql`UPDATE units SET version = ${time}
      WHERE id IN (SELECT id FROM units WHERE version < ${time} LIMIT ${STEP_ROWS})`,
    sql`UPDATE properties
      SET sale_updated_at = iif(for_sale, max(${time}, sale_updated_at + 1), sale_updated_at),
          rental_updated_at = iif(for_rent, max(${time}, rental_updated_at + 1), rental_updated_at)
      WHERE id IN (
        SELECT id FROM properties
         WHERE listed AND (for_sale AND sale_updated_at < ${time} OR for_rent AND rental_updated_at < ${time})
         LIMIT ${STEP_ROWS})`,
  ];
  for (const statement of statements) {
    for (let changes = 1; changes > 0; ) changes = (await connection.run(statement)).meta.changes;
  }
}
