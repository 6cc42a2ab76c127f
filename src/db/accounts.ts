import { and, eq, type SQL } from 'drizzle-orm';
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
  const { id, name, password } = accounts;
  const found = await drizzle(db)
    .select({ id, code: accounts.code, name, password })
    .from(accounts)
    .where(isActive(code))
    .get();
  return found ?? null;
}

/** The policy of the readers of an account that are given none of their own. */
export async function readerPolicyOf(db: D1Database, accountId: number): Promise<string> {
  const found = await drizzle(db)
    .select({ policy: accounts.policy })
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .get();
  return found?.policy ?? '';
}

/** Sets an account's password, which is hashed already; feeds require it within a second, and sessions by the old one end. */
export async function setStoredPassword(db: D1Database, accountId: number, password: string): Promise<void> {
  await drizzle(db).update(accounts).set({ password }).where(eq(accounts.id, accountId));
}

/** The secret from which the moved places of an account's properties derive. */
export async function readPlaceSecret(db: D1Database, accountId: number): Promise<string> {
  const found = await drizzle(db)
    .select({ secret: accounts.placeSecret })
    .from(accounts)
    .where(eq(accounts.id, accountId))
    .get();
  return found?.secret ?? '';
}

/** Whether an account has a code and is not disabled. */
export function isActive(code: string): SQL | undefined {
  return and(eq(accounts.code, code), eq(accounts.disabled, false));
}
