import { and, eq, gt, sql } from '#drizzle';
import { drizzle } from '#drizzle/d1';
import type { EpochSeconds } from '../../lib/time/time.ts';
import { SNAPSHOT_LIFETIME_SECONDS } from '../feed/snapshots.ts';
import { accounts, snapshots } from '../schema.ts';

/** What SQLite finds wrong with the database file, up to 100 findings. */
export async function damage(db: D1Database): Promise<string[]> {
  const rows = await drizzle(db).all<Record<string, string>>(sql`PRAGMA quick_check`);
  return rows.flatMap((row) => Object.values(row)).filter((finding) => finding !== 'ok');
}

/** What is wrong with foreign keys: a text for each that refers to a row that does not exist. */
export async function brokenReferences(db: D1Database): Promise<string[]> {
  const rows = await drizzle(db).all<{ table: string; rowid: number | null }>(sql`PRAGMA foreign_key_check`);
  return rows.map(({ rowid, table }) => `row ${rowid} of ${table} references a missing row`);
}

/** The segments of an account, whether it is disabled, and the database's clock. */
export async function readSegments(db: D1Database, accountId: number) {
  const { segments, disabled } = accounts;
  const query = drizzle(db).select({ segments, disabled, now: sql<EpochSeconds>`unixepoch() AS now` }).from(accounts);
  const [account] = await query.where(eq(accounts.id, accountId));
  if (account === undefined) throw new Error('The account no longer exists');
  const numbers = Object.keys(account.segments).map(Number);
  return { ...account, segments: numbers.sort((a, b) => a - b) };
}

/** The snapshots of an account that have not expired, ordered by parameter set and part. */
export async function listSnapshots(db: D1Database, account: number) {
  const { accountId, parameters, part, cachedAt } = snapshots;
  const isValid = and(eq(accountId, account), gt(cachedAt, sql`unixepoch() - ${SNAPSHOT_LIFETIME_SECONDS}`));
  return drizzle(db).select().from(snapshots).where(isValid).orderBy(parameters, part, cachedAt);
}
