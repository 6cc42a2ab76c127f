import { and, eq, gt, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { SNAPSHOT_LIFETIME_SECONDS } from '../feed/snapshots.ts';
import { snapshots } from '../schema.ts';

/**
 * The snapshots of an account that have not expired, ordered by parameter set and part; times in seconds since 1970-01-01
 * UTC.
 */
export function listSnapshots(db: D1Database, accountId: number): Promise<(typeof snapshots.$inferSelect)[]> {
  const { parameters, part, cachedAt } = snapshots;
  return drizzle(db)
    .select()
    .from(snapshots)
    .where(and(eq(snapshots.accountId, accountId), gt(cachedAt, sql`unixepoch() - ${SNAPSHOT_LIFETIME_SECONDS}`)))
    .orderBy(parameters, part, cachedAt);
}
