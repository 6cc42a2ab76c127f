import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { updateAccount } from '../accounts/accounts.ts';
import { accounts } from '../db/schema.ts';
import { selectOne, statementOf } from '../db/statements.ts';
import { hashPassword, hashRandomPassword } from '../lib/secrets/secrets.ts';
import { createClient, type NewClient } from '../oauth/clients.ts';
import { NEW_ACCOUNT_POLICY } from '../readers/policy.ts';
import { type NewReader, readerQueries } from '../readers/readers.ts';
import { ALL_LISTED, listedIn } from '../readers/selection.ts';

/** A password in clear. */
export interface ChosenPassword {
  readonly password: string;
  /** Whether it has at least 120 random bits; chosen by a person by default. */
  readonly isGenerated?: boolean;
}

/** An account to be created. */
interface NewAccount extends ChosenPassword {
  /** Case-insensitive. */
  readonly code: string;
  readonly name: string;
}

/** Stores an account with its password hashed, and returns its id. Its code must not be in use. */
export async function createAccount(db: D1Database, account: NewAccount): Promise<number> {
  const insertion = drizzle(db)
    .insert(accounts)
    .values(await rowOf(account));
  return (await insertion.returning({ id: accounts.id }))[0]!.id;
}

async function rowOf({ code, name, ...password }: NewAccount) {
  return {
    code: code.toUpperCase(),
    name,
    password: await storedForm(password),
    policy: NEW_ACCOUNT_POLICY,
    incarnation: sql`(SELECT incarnation FROM time_line)`,
  };
}

async function storedForm({ password, isGenerated }: ChosenPassword): Promise<string> {
  return isGenerated ? hashRandomPassword(password) : hashPassword(password);
}

/** What the operator sees of an account. */
export function readAccount(db: D1Database, id: number) {
  return selectOne(db, accounts, ['name', 'disabled', 'policy'], { id });
}

/** Sets an account's password; feeds require it within a second. */
export async function setPassword(db: D1Database, id: number, password: ChosenPassword) {
  await updateAccount(db, id, { password: await storedForm(password) });
}

/** An account with how many properties it has, and how many of them feeds show. */
interface AccountSummary {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly disabled: boolean;
  readonly properties: number;
  readonly listed: number;
}

/** All accounts that live in a database, in the order of their codes. */
export async function listAccounts(db: D1Database): Promise<AccountSummary[]> {
  const rows = await drizzle(db).all<
    Omit<AccountSummary, 'disabled'> & { readonly disabled: 0 | 1 }
  >(sql`
    SELECT a.id, a.code, a.name, a.disabled, count(p.id) AS properties,
           count(iif(${listedIn(ALL_LISTED, null)}, 1, NULL)) AS listed
      FROM accounts a
      LEFT JOIN properties p ON p.account_id = a.id
      LEFT JOIN units u ON u.id = p.unit_id
     WHERE a.id NOT IN (SELECT account_id FROM moves WHERE state IN ('left', 'arriving'))
     GROUP BY a.id
     ORDER BY a.code`);
  return rows.map((row) => ({ ...row, disabled: row.disabled === 1 }));
}

export interface NewAgency {
  readonly account: NewAccount;
  readonly clients: readonly Omit<NewClient, 'accountId'>[];
  readonly readers: readonly Omit<NewReader, 'accountId'>[];
}

/** Creates an account with its clients and its readers in one transaction, and returns its id. */
export async function openAgency(
  db: D1Database,
  { account, clients, readers }: NewAgency,
): Promise<number> {
  // KV keys begin with the id, so it is one that no account ever had. If two callers use the same one, the second fails.
  const next = sql`SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'accounts'), 0) + 1 AS id`;
  const { id } = await drizzle(db).get<{ id: number }>(next);
  const insertion = drizzle(db).insert(accounts);
  const queries = [
    insertion.values({ id, ...(await rowOf(account)) }),
    ...clients.map((client) => createClient(db, { ...client, accountId: id })),
    ...readers.flatMap((reader) => readerQueries(db, { ...reader, accountId: id })),
  ];
  await db.batch(queries.map((query) => statementOf(db, query)));
  return id;
}
