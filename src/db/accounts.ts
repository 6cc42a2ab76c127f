import { hashPassword } from '../lib/secrets.ts';

/** An account, with its password in clear, as it is made. */
export interface NewAccount {
  /** Letters count in any case. */
  readonly code: string;
  readonly name: string;
  readonly password: string;
}

/** Stores an account with its password hashed, and returns its id. Its code must not be in use. */
export async function createAccount(db: D1Database, account: NewAccount): Promise<number> {
  const id = await nextAccountId(db);
  await (await accountStatement(db, id, account)).run();
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
