import { sha256Hex } from '../lib/secrets.ts';

/** A client of the token endpoint, with its secret in clear, as it is made. */
export interface NewClient {
  readonly id: string;
  readonly accountId: number;
  readonly secret: string;
  /** Scopes that tokens may be issued for. */
  readonly scopes: readonly string[];
}

/** Stores a client with the digest of its secret. Its identifier must not be in use. */
export async function createClient(db: D1Database, client: NewClient): Promise<void> {
  await (await clientStatement(db, client)).run();
}

/** The statement of {@link createClient}, for a batch. */
export async function clientStatement(db: D1Database, client: NewClient): Promise<D1PreparedStatement> {
  return db
    .prepare('INSERT INTO clients (id, account_id, secret, scopes) VALUES (?1, ?2, ?3, ?4)')
    .bind(client.id, client.accountId, await sha256Hex(client.secret), client.scopes.join(' '));
}

/** What is known of a client. */
export interface Client {
  readonly accountId: number;
  /** SHA-256 of its secret, in lower-case hexadecimal. */
  readonly secret: string;
  readonly scopes: readonly string[];
  /** Neither the client nor its account is disabled. */
  readonly enabled: boolean;
}

/** The client with this identifier. */
export async function findClient(db: D1Database, id: string): Promise<Client | null> {
  const row = await db
    .prepare(
      `SELECT c.account_id, c.secret, c.scopes, NOT (c.disabled OR a.disabled) AS enabled
         FROM clients c JOIN accounts a ON a.id = c.account_id
        WHERE c.id = ?1`,
    )
    .bind(id)
    .first<{ account_id: number; secret: string; scopes: string; enabled: 0 | 1 }>();
  if (row === null) return null;
  return {
    accountId: row.account_id,
    secret: row.secret,
    scopes: row.scopes.split(' ').filter((scope) => scope !== ''),
    enabled: row.enabled === 1,
  };
}

/** The id of the account with this code, its letters in any case; `null` where there is none or it is disabled. */
export async function findEnabledAccountId(db: D1Database, code: string): Promise<number | null> {
  return db
    .prepare('SELECT id FROM accounts WHERE code = ?1 AND NOT disabled')
    .bind(code.toUpperCase())
    .first<number>('id');
}

/** A client as an operator sees it. */
export interface ListedClient {
  readonly id: string;
  readonly scopes: readonly string[];
  readonly disabled: boolean;
  /** Seconds since 1970-01-01 UTC. */
  readonly createdAt: number;
}

/** The clients of an account in the order of their making. */
export async function listClients(db: D1Database, accountId: number): Promise<ListedClient[]> {
  const { results } = await db
    .prepare(
      `SELECT id, scopes, disabled, created_at AS createdAt FROM clients WHERE account_id = ?1 ORDER BY created_at, id`,
    )
    .bind(accountId)
    .all<{ id: string; scopes: string; disabled: 0 | 1; createdAt: number }>();
  return results.map((client) => ({
    ...client,
    scopes: client.scopes.split(' ').filter((scope) => scope !== ''),
    disabled: client.disabled === 1,
  }));
}

/** Gives a client of an account another secret; says whether there is such a client. */
export async function setClientSecret(db: D1Database, accountId: number, id: string, secret: string): Promise<boolean> {
  const found = await db
    .prepare('UPDATE clients SET secret = ?3 WHERE account_id = ?1 AND id = ?2 RETURNING id')
    .bind(accountId, id, await sha256Hex(secret))
    .first();
  return found !== null;
}

/** Disables a client of an account, or enables it again; says whether there is such a client. */
export async function setClientDisabled(
  db: D1Database,
  accountId: number,
  id: string,
  disabled: boolean,
): Promise<boolean> {
  const found = await db
    .prepare('UPDATE clients SET disabled = ?3 WHERE account_id = ?1 AND id = ?2 RETURNING id')
    .bind(accountId, id, disabled ? 1 : 0)
    .first();
  return found !== null;
}
