import { and, desc, eq, inArray, lt, lte, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { alias } from 'drizzle-orm/sqlite-core';
import { retryIdempotent } from '../connection.ts';
import { listOf } from '../json-rows.ts';
import { developments, unitHistory, units } from '../schema.ts';
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
  const connection = drizzle(db);
  const entry = alias(unitHistory, 'entry');
  const ids = connection
    .select({ id: units.id })
    .from(developments)
    .innerJoin(units, eq(units.developmentId, developments.id))
    .where(
      and(
        eq(developments.accountId, accountId),
        eq(developments.identifier, development),
        sql`${units.name} IN ${listOf(names)}`,
      ),
    );
  const newestToDelete = connection
    .select({ id: entry.id })
    .from(entry)
    .where(and(eq(entry.accountId, accountId), eq(entry.unitId, unitHistory.unitId)))
    .orderBy(desc(entry.id))
    .limit(1)
    .offset(entries);
  const removal = connection
    .delete(unitHistory)
    .where(
      and(
        eq(unitHistory.accountId, accountId),
        inArray(unitHistory.unitId, ids),
        lte(unitHistory.id, sql`(${newestToDelete})`),
      ),
    );
  await retryIdempotent(() => removal.run());
}

/** Deletes history of these accounts older than `days`, at most 100,000 rows per call. */
export async function deleteOldUnitHistory(db: D1Database, accountIds: readonly number[], days: number): Promise<void> {
  const connection = drizzle(db);
  const { id, accountId, changedAt } = unitHistory;
  const old = connection
    .select({ id })
    .from(unitHistory)
    .where(and(inArray(accountId, [...accountIds]), lt(changedAt, sql`unixepoch() - ${days} * 86400`)))
    .limit(STEP_SIZE);
  const statement = connection.delete(unitHistory).where(inArray(id, old));
  for (let step = 0; step < MAX_STEPS; step++) {
    const { meta } = await retryIdempotent(() => statement.run());
    if (meta.changes < STEP_SIZE) return;
  }
}
