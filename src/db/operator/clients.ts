import { and, eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { sha256Hex } from '../../lib/secrets.ts';
import { scopesIn } from '../clients.ts';
import { clients } from '../schema.ts';
import { toStatement } from './to-statement.ts';

/** A client of the token endpoint to be created, with its secret in clear. */
export interface NewClient {
  readonly id: string;
  readonly accountId: number;
  readonly secret: string;
  /** Scopes that tokens may be issued for. */
  readonly scopes: readonly string[];
}

/** Stores a client with the digest of its secret. Its identifier must not be in use. */
export async function createClient(db: D1Database, client: NewClient): Promise<void> {
  await clientStatement(db, client).run();
}

/** The statement of {@link createClient}, for a batch. */
export function clientStatement(db: D1Database, client: NewClient): D1PreparedStatement {
  const { id, accountId, secret, scopes } = client;
  const row = { id, accountId, secret: sha256Hex(secret), scopes: scopes.join(' ') };
  return toStatement(db, drizzle(db).insert(clients).values(row));
}

/** The clients of an account, as an operator sees them, in order of creation. */
export async function listClients(db: D1Database, account: number) {
  const { id, scopes, disabled, createdAt } = clients;
  const rows = await drizzle(db)
    .select({ id, scopes, disabled, createdAt })
    .from(clients)
    .where(eq(clients.accountId, account))
    .orderBy(createdAt, id);
  return rows.map((client) => ({ ...client, scopes: scopesIn(client.scopes) }));
}

/** Deletes a client of an account; its tokens are rejected within half a minute. */
export async function deleteClient(db: D1Database, accountId: number, id: string): Promise<void> {
  await drizzle(db)
    .delete(clients)
    .where(and(eq(clients.accountId, accountId), eq(clients.id, id)));
}

/** Replaces the secret of a client of an account; returns whether the client exists. */
export function setClientSecret(db: D1Database, accountId: number, id: string, secret: string): Promise<boolean> {
  return setClient(db, accountId, id, { secret: sha256Hex(secret) });
}

/** Disables a client of an account, or enables it again; returns whether the client exists. */
export function setClientDisabled(db: D1Database, accountId: number, id: string, disabled: boolean): Promise<boolean> {
  return setClient(db, accountId, id, { disabled });
}

async function setClient(
  db: D1Database,
  accountId: number,
  id: string,
  values: Partial<typeof clients.$inferInsert>,
): Promise<boolean> {
  const found = await drizzle(db)
    .update(clients)
    .set(values)
    .where(and(eq(clients.accountId, accountId), eq(clients.id, id)))
    .returning({ id: clients.id });
  return found.length > 0;
}
