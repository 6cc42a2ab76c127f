import { and, eq, not, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { sha256Hex } from '../../lib/secrets/secrets.ts';
import { prepareOnce } from '../prepared.ts';
import { accounts, clients } from '../schema.ts';

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

/** The id of the account with this code, in any letter case; `null` if there is none or it is disabled. */
export async function findEnabledAccountId(db: D1Database, code: string): Promise<number | null> {
  const found = await drizzle(db)
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.code, code.toUpperCase()), not(accounts.disabled)))
    .get();
  return found?.id ?? null;
}

/** The code of the account with this id; `null` if there is none or it is disabled. */
export async function findEnabledAccountCode(db: D1Database, id: number): Promise<string | null> {
  const found = await drizzle(db)
    .select({ code: accounts.code })
    .from(accounts)
    .where(and(eq(accounts.id, id), not(accounts.disabled)))
    .get();
  return found?.code ?? null;
}

/** The scopes in the form in which they are stored, separated by spaces. */
export function scopesIn(stored: string): string[] {
  return stored.split(' ').filter((scope) => scope !== '');
}

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
  await clientQuery(db, client);
}

/** The query of {@link createClient}, for a batch. */
export function clientQuery(db: D1Database, { secret, scopes, ...client }: NewClient) {
  return drizzle(db)
    .insert(clients)
    .values({ ...client, secret: sha256Hex(secret), scopes: scopes.join(' ') });
}

/** The clients of an account, in order of creation. */
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
