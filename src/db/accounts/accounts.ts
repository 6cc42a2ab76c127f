import { and, eq, type SQL } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { accounts } from '../schema.ts';

/** An account that is not disabled. */
export type Account = Readonly<Pick<typeof accounts.$inferSelect, 'id' | 'code' | 'name' | 'password'>>;

/**
 * The account with a code; `null` if there is none or it is disabled.
 *
 * @param code in upper case
 * @param condition that it must also meet
 */
export async function findAccount(db: D1Database, code: string, condition?: SQL): Promise<Account | null> {
  const { id, name, password } = accounts;
  const found = await drizzle(db)
    .select({ id, code: accounts.code, name, password })
    .from(accounts)
    .where(and(eq(accounts.code, code), eq(accounts.disabled, false), condition))
    .get();
  return found ?? null;
}

/** The policy of the readers of an account that are given none of their own. */
export function readerPolicyOf(db: D1Database, accountId: number): Promise<string> {
  return textOf(db, accountId, accounts.policy);
}

/** Sets an account's password, which is hashed already; feeds require it within a second, and sessions by the old one end. */
export async function setStoredPassword(db: D1Database, accountId: number, password: string): Promise<void> {
  await drizzle(db).update(accounts).set({ password }).where(eq(accounts.id, accountId));
}

/** The secret from which the moved places of an account's properties derive. */
export function readPlaceSecret(db: D1Database, accountId: number): Promise<string> {
  return textOf(db, accountId, accounts.placeSecret);
}

async function textOf(
  db: D1Database,
  accountId: number,
  text: typeof accounts.policy | typeof accounts.placeSecret,
): Promise<string> {
  const found = await drizzle(db).select({ text }).from(accounts).where(eq(accounts.id, accountId)).get();
  return found?.text ?? '';
}
