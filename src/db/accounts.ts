import { and, eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { accounts } from './schema.ts';

/** An account that is not disabled. */
export type Account = Readonly<Pick<typeof accounts.$inferSelect, 'id' | 'code' | 'name' | 'password'>>;

/**
 * The account with a code; `null` if there is none or it is disabled.
 *
 * @param code in upper case
 */
export async function findAccount(db: D1Database, code: string): Promise<Account | null> {
  const { id, name, password, disabled } = accounts;
  const found = await drizzle(db)
    .select({ id, code: accounts.code, name, password })
    .from(accounts)
    .where(and(eq(accounts.code, code), eq(disabled, false)))
    .get();
  return found ?? null;
}
