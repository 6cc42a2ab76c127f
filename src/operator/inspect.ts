import { and, eq, gt, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { snapshots } from '../db/schema.ts';
import { SNAPSHOT_LIFETIME_SECONDS } from '../feed/snapshots/table.ts';

/** What SQLite finds wrong with the database file, up to 100 findings. */
export async function damage(db: D1Database): Promise<string[]> {
  const rows = await drizzle(db).all<Record<string, string>>(sql`PRAGMA quick_check`);
  return rows.flatMap((row) => Object.values(row)).filter((finding) => finding !== 'ok');
}

/** What is wrong with foreign keys: a text for each that refers to a row that does not exist. */
export async function brokenReferences(db: D1Database): Promise<string[]> {
  const rows = await drizzle(db).all<{ table: string; rowid: number | null }>(
    sql`PRAGMA foreign_key_check`,
  );
  return rows.map(({ rowid, table }) => `row ${rowid} of ${table} references a missing row`);
}

/** The snapshots of an account that have not expired, ordered by parameter set and part. */
export async function listSnapshots(db: D1Database, account: number) {
  const { accountId, parameters, part, cachedAt } = snapshots;
  const isValid = and(
    eq(accountId, account),
    gt(cachedAt, sql`unixepoch() - ${SNAPSHOT_LIFETIME_SECONDS}`),
  );
  return drizzle(db).select().from(snapshots).where(isValid).orderBy(parameters, part, cachedAt);
}

/** The names of the applied migrations, in the order of their application. wrangler's own table, which is not in `schema.ts`. */
export async function appliedMigrations(db: D1Database): Promise<string[]> {
  const ledger = sql`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'd1_migrations'`;
  if ((await drizzle(db).all(ledger)).length === 0) return [];
  const rows = await drizzle(db).all<{ name: string }>(
    sql`SELECT name FROM d1_migrations ORDER BY id`,
  );
  return rows.map(({ name }) => name);
}
