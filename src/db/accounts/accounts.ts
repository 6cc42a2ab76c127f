import type { SQL } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { accounts } from '../schema.ts';
import { change, find } from '../statements.ts';

/** An account that is not disabled. */
export type Account = Readonly<Pick<typeof accounts.$inferSelect, 'id' | 'code' | 'name' | 'password'>>;

/**
 * The account with a code; `null` if there is none or it is disabled.
 *
 * @param code in upper case
 * @param condition that it must also meet
 */
export function findAccount(db: D1Database, code: string, condition?: SQL): Promise<Account | null> {
  return find(db, accounts, ['id', 'code', 'name', 'password'], { code, disabled: false }, condition);
}

/** The id of the account with this code, in any letter case; `null` if there is none or it is disabled. */
export async function findEnabledAccountId(db: D1Database, code: string): Promise<number | null> {
  return (await find(db, accounts, ['id'], { code: code.toUpperCase(), disabled: false }))?.id ?? null;
}

/** The code of the account with this id; `null` if there is none or it is disabled. */
export async function findEnabledAccountCode(db: D1Database, id: number): Promise<string | null> {
  return (await find(db, accounts, ['code'], { id, disabled: false }))?.code ?? null;
}

/** The policy of an account's readers that have none of their own. */
export async function readerPolicyOf(db: D1Database, id: number): Promise<string> {
  return (await find(db, accounts, ['policy'], { id }))?.policy ?? '';
}

/** The secret from which the moved places of an account's properties derive. */
export async function readPlaceSecret(db: D1Database, id: number): Promise<string> {
  return (await find(db, accounts, ['placeSecret'], { id }))?.placeSecret ?? '';
}

/** Sets an account's password, which is hashed already; feeds require it within a second, and sessions by the old one end. */
export async function setStoredPassword(db: D1Database, id: number, password: string): Promise<void> {
  await change(db, accounts, { id }, { password });
}

/** Whether the database responds and has its tables. */
export function isDatabaseReady(db: D1Database): Promise<boolean> {
  const query = drizzle(db).select({ id: accounts.id }).from(accounts).limit(1);
  return query.then(
    () => true,
    () => false,
  );
}
