import { eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { sha256Hex } from '../../lib/secrets/secrets.ts';
import { accounts, clients } from '../schema.ts';
import { change, prepareOnce, remove } from '../statements.ts';

/** A client of the token endpoint. */
export interface Client {
  readonly accountId: number;
  /** SHA-256 of its secret, in lower-case hexadecimal. */
  readonly secret: string;
  readonly scopes: readonly string[];
  /** Whether neither the client nor its account is disabled. */
  readonly enabled: boolean;
}

/** The client with this identifier. */
export async function findClient(db: D1Database, id: string): Promise<Client | null> {
  const found = await clientById(db).get({ id });
  return found === undefined ? null : { ...found, scopes: scopesIn(found.scopes), enabled: found.enabled === 1 };
}

const clientById = prepareOnce((connection) => {
  const { accountId, secret, scopes } = clients;
  return connection
    .select({ accountId, secret, scopes, enabled: sql<0 | 1>`NOT (${clients.disabled} OR ${accounts.disabled})` })
    .from(clients)
    .innerJoin(accounts, eq(accounts.id, accountId))
    .where(eq(clients.id, sql.placeholder('id')))
    .prepare();
});

/** The scopes in the form in which they are stored, separated by spaces. */
function scopesIn(stored: string): string[] {
  return stored.split(' ').filter((scope) => scope !== '');
}

/** A client of the token endpoint to be created, with its secret in clear. */
export interface NewClient extends Pick<Client, 'accountId' | 'secret' | 'scopes'> {
  readonly id: string;
}

/** The query that stores a client with the digest of its secret, alone or in a batch. Its identifier must not be in use. */
export function createClient(db: D1Database, { secret, scopes, ...client }: NewClient) {
  return drizzle(db)
    .insert(clients)
    .values({ ...client, secret: sha256Hex(secret), scopes: scopes.join(' ') });
}

/** The clients of an account, in order of creation. */
export async function listClients(db: D1Database, account: number) {
  const { id, scopes, disabled, createdAt } = clients;
  const query = drizzle(db).select({ id, scopes, disabled, createdAt }).from(clients);
  const rows = await query.where(eq(clients.accountId, account)).orderBy(createdAt, id);
  return rows.map((client) => ({ ...client, scopes: scopesIn(client.scopes) }));
}

/** Deletes a client of an account; its tokens are rejected within half a minute. */
export async function deleteClient(db: D1Database, accountId: number, id: string): Promise<void> {
  await remove(db, clients, { accountId, id });
}

/** Replaces the secret of a client of an account; returns whether the client exists. */
export function setClientSecret(db: D1Database, accountId: number, id: string, secret: string): Promise<boolean> {
  return change(db, clients, { accountId, id }, { secret: sha256Hex(secret) });
}

/** Disables a client of an account, or enables it again; returns whether the client exists. */
export function setClientDisabled(db: D1Database, accountId: number, id: string, disabled: boolean): Promise<boolean> {
  return change(db, clients, { accountId, id }, { disabled });
}

/** Sets what tokens of a client of an account may be issued for, and those that it has may do; returns whether it exists. */
export function setClientScopes(
  db: D1Database,
  accountId: number,
  id: string,
  scopes: readonly string[],
): Promise<boolean> {
  return change(db, clients, { accountId, id }, { scopes: scopes.join(' ') });
}
