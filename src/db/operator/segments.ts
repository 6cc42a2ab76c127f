import { eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { accounts } from '../schema.ts';

/** The segments of an account, whether it is disabled, and the database's clock in seconds since 1970-01-01 UTC. */
export async function readSegments(
  db: D1Database,
  accountId: number,
): Promise<{ readonly segments: readonly number[]; readonly disabled: boolean; readonly now: number }> {
  const { segments, disabled } = accounts;
  const [account] = await drizzle(db)
    .select({ segments, disabled, now: sql<number>`unixepoch() AS now` })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  if (account === undefined) throw new Error('The account no longer exists');
  return {
    ...account,
    segments: Object.keys(account.segments)
      .map(Number)
      .sort((a, b) => a - b),
  };
}
