import { hashPassword } from '../lib/secrets.ts';

/** An account, with its password in clear, as it is made. */
export interface NewAccount {
  /** Letters count in any case. */
  readonly code: string;
  readonly name: string;
  readonly password: string;
}

/** Stores an account with its password hashed, and returns its id. Its code must not be in use. */
export async function createAccount(db: D1Database, { code, name, password }: NewAccount): Promise<number> {
  const id = await db
    .prepare('INSERT INTO accounts (code, name, password) VALUES (?1, ?2, ?3) RETURNING id')
    .bind(code.toUpperCase(), name, await hashPassword(password))
    .first<number>('id');
  if (id === null) throw new TypeError('INSERT with RETURNING gives a row');
  return id;
}

/** The statement that stores an account under an id from {@link nextAccountId}, for a batch. */
export async function accountStatement(db: D1Database, id: number, account: NewAccount): Promise<D1PreparedStatement> {
  return db
    .prepare('INSERT INTO accounts (id, code, name, password) VALUES (?1, ?2, ?3, ?4)')
    .bind(id, account.code.toUpperCase(), account.name, await hashPassword(account.password));
}

/** An id that no account ever had: names of what is kept of feeds begin with it. If two take the same, the second fails. */
export async function nextAccountId(db: D1Database): Promise<number> {
  const id = await db
    .prepare("SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'accounts'), 0) + 1 AS id")
    .first<number>('id');
  if (id === null) throw new TypeError('SELECT without FROM gives a row');
  return id;
}

/** The id of the account with this code, its letters in any case. */
export async function findAccountId(db: D1Database, code: string): Promise<number | null> {
  return db.prepare('SELECT id FROM accounts WHERE code = ?1').bind(code.toUpperCase()).first<number>('id');
}

/** Sets an account's password; feeds ask for it within a second. */
export async function setPassword(db: D1Database, accountId: number, password: string): Promise<void> {
  await db
    .prepare('UPDATE accounts SET password = ?2 WHERE id = ?1')
    .bind(accountId, await hashPassword(password))
    .run();
}

/** Disables an account with its feeds and its clients, or enables it again. */
export async function setAccountDisabled(db: D1Database, accountId: number, disabled: boolean): Promise<void> {
  await db
    .prepare('UPDATE accounts SET disabled = ?2 WHERE id = ?1')
    .bind(accountId, disabled ? 1 : 0)
    .run();
}

/** An account as an operator sees it. */
export interface Account {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly disabled: boolean;
  /** How many properties it has that are not off the market. */
  readonly onMarket: number;
  /** How many properties it has in all. */
  readonly properties: number;
}

/** All accounts in the order of their codes. */
export async function listAccounts(db: D1Database): Promise<Account[]> {
  const { results } = await db
    .prepare(
      `SELECT a.id, a.code, a.name, a.disabled, count(p.id) AS properties, count(iif(p.off_market, NULL, p.id)) AS onMarket
         FROM accounts a LEFT JOIN properties p ON p.account_id = a.id
        GROUP BY a.id ORDER BY a.code`,
    )
    .all<Omit<Account, 'disabled'> & { disabled: 0 | 1 }>();
  return results.map((account) => ({ ...account, disabled: account.disabled === 1 }));
}
