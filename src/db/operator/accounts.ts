import { count, eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { hashPassword, hashRandomPassword, unmatchablePassword } from '../../lib/secrets/secrets.ts';
import { NEW_ACCOUNT_POLICY } from '../../portfolio/policy.ts';
import { setStoredPassword } from '../accounts/accounts.ts';
import { accounts, properties } from '../schema.ts';
import { toStatement } from './to-statement.ts';

/** An account to be created, with its password in clear. */
export interface NewAccount {
  /** Case-insensitive. */
  readonly code: string;
  readonly name: string;
  readonly password: string;
  /** Whether the password has at least 120 random bits; chosen by a person by default. */
  readonly isGenerated?: boolean;
}

/** Stores an account with its password hashed, and returns its id. Its code must not be in use. */
export async function createAccount(db: D1Database, account: NewAccount): Promise<number> {
  const [stored] = await drizzle(db)
    .insert(accounts)
    .values(await rowOf(account))
    .returning({ id: accounts.id });
  return stored!.id;
}

/** The statement that stores an account under an id from {@link nextAccountId}, for a batch. */
export async function accountStatement(db: D1Database, id: number, account: NewAccount): Promise<D1PreparedStatement> {
  return toStatement(
    db,
    drizzle(db)
      .insert(accounts)
      .values({ id, ...(await rowOf(account)) }),
  );
}

async function rowOf({ code, name, ...password }: NewAccount): Promise<typeof accounts.$inferInsert> {
  return { code: code.toUpperCase(), name, password: await storedForm(password), policy: NEW_ACCOUNT_POLICY };
}

async function storedForm({ password, isGenerated }: Pick<NewAccount, 'password' | 'isGenerated'>): Promise<string> {
  return isGenerated ? hashRandomPassword(password) : hashPassword(password);
}

/** An id that no account ever had, since KV keys begin with it. If two callers use the same one, the second fails. */
export async function nextAccountId(db: D1Database): Promise<number> {
  const { id } = await drizzle(db).get<{ id: number }>(
    sql`SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'accounts'), 0) + 1 AS id`,
  );
  return id;
}

/** The id of the account with this code, in any letter case; `null` if there is none. */
export async function findAccountId(db: D1Database, code: string): Promise<number | null> {
  const found = await drizzle(db)
    .select({ id: accounts.id })
    .from(accounts)
    .where(eq(accounts.code, code.toUpperCase()))
    .get();
  return found?.id ?? null;
}

/** Sets an account's password; feeds require it within a second. */
export async function setPassword(
  db: D1Database,
  accountId: number,
  password: Pick<NewAccount, 'password' | 'isGenerated'>,
): Promise<void> {
  await setStoredPassword(db, accountId, await storedForm(password));
}

/** Removes an account's password within a second: only the keys of its readers are then valid. */
export async function removePassword(db: D1Database, accountId: number): Promise<void> {
  await setStoredPassword(db, accountId, unmatchablePassword());
}

/** Disables an account with its feeds and its clients, or enables it again. */
export async function setAccountDisabled(db: D1Database, accountId: number, disabled: boolean): Promise<void> {
  await drizzle(db).update(accounts).set({ disabled }).where(eq(accounts.id, accountId));
}

/** Sets what the account's new readers may see. */
export async function setReaderPolicy(db: D1Database, accountId: number, policy: string): Promise<void> {
  await drizzle(db).update(accounts).set({ policy }).where(eq(accounts.id, accountId));
}

/** All accounts in the order of their codes, with how many properties each has, and how many of them are listed. */
export async function listAccounts(db: D1Database) {
  const { id, code, name, disabled } = accounts;
  return drizzle(db)
    .select({
      ...{ id, code, name, disabled },
      properties: count(properties.id),
      listed: count(sql`iif(${properties.listed}, ${properties.id}, NULL)`),
    })
    .from(accounts)
    .leftJoin(properties, eq(properties.accountId, id))
    .where(sql`${id} NOT IN (SELECT account_id FROM moves WHERE state IN ('left', 'arriving'))`)
    .groupBy(id)
    .orderBy(code);
}
