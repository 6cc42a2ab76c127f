import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { snapshots } from './schema.ts';

/** The snapshots of an account by parameter set, those of a set in the order of their parts; times in seconds since 1970-01-01 UTC. */
export function listSnapshots(db: D1Database, accountId: number): Promise<(typeof snapshots.$inferSelect)[]> {
  const { parameters, part, keptAt } = snapshots;
  return drizzle(db)
    .select()
    .from(snapshots)
    .where(eq(snapshots.accountId, accountId))
    .orderBy(parameters, part, keptAt);
}
