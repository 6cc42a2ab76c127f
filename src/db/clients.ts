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
