import { eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { accounts, clients } from '../db/schema.ts';
import { change, remove } from '../db/statements.ts';
import { sha256Hex } from '../lib/secrets/secrets.ts';
import type { EpochSeconds } from '../lib/time/time.ts';

/** The client of the token endpoint with this identifier: enabled if neither it nor its account is disabled. */
export async function findClient(db: D1Database, id: string) {
  const { accountId, secret, scopes, createdAt } = clients;
  const enabled = sql<0 | 1>`NOT (${clients.disabled} OR ${accounts.disabled})`;
  const found = await drizzle(db)
    .select({ accountId, secret, scopes, createdAt, enabled })
    .from(clients)
    .innerJoin(accounts, eq(accounts.id, accountId))
    .where(eq(clients.id, id))
    .get();
  return found === undefined
    ? null
    : { ...found, scopes: scopesIn(found.scopes), enabled: found.enabled === 1 };
}

/** The scopes in the form in which they are stored, separated by spaces. */
function scopesIn(stored: string): string[] {
  return stored.split(' ').filter((scope) => scope !== '');
}

export interface NewClient {
  readonly accountId: number;
  readonly id: string;
  /** In clear; its SHA-256 is stored, in lower-case hexadecimal. */
  readonly secret: string;
  readonly scopes: readonly string[];
}

/** The query that stores a client, alone or in a batch. Its identifier must not be in use. */
export function createClient(db: D1Database, { secret, scopes, ...client }: NewClient) {
  return drizzle(db)
    .insert(clients)
    .values({ ...client, secret: sha256Hex(secret), scopes: scopes.join(' ') });
}

/** A client as its account sees it. */
export interface ListedClient {
  readonly id: string;
  readonly scopes: string[];
  readonly disabled: boolean;
  readonly createdAt: EpochSeconds;
}

/** The clients of an account, in order of creation. */
export async function listClients(db: D1Database, account: number): Promise<ListedClient[]> {
  const { id, scopes, disabled, createdAt } = clients;
  const query = drizzle(db).select({ id, scopes, disabled, createdAt }).from(clients);
  const rows = await query.where(eq(clients.accountId, account)).orderBy(createdAt, id);
  return rows.map((client) => ({ ...client, scopes: scopesIn(client.scopes) }));
}

/** @returns whether the account had the client */
export function deleteClient(db: D1Database, accountId: number, id: string): Promise<boolean> {
  return remove(db, clients, { accountId, id });
}

/** @returns whether the account has the client; its tokens have the new scopes and state within half a minute */
export function updateClient(
  db: D1Database,
  accountId: number,
  id: string,
  {
    secret,
    scopes,
    disabled,
  }: Partial<Pick<NewClient, 'secret' | 'scopes'> & { readonly disabled: boolean }>,
): Promise<boolean> {
  const changes = {
    ...(secret !== undefined && { secret: sha256Hex(secret) }),
    ...(scopes !== undefined && { scopes: scopes.join(' ') }),
    ...(disabled !== undefined && { disabled }),
  };
  return change(db, clients, { accountId, id }, changes);
}
