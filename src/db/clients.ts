import { and, eq, not, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { prepareOnce } from './prepared.ts';
import { accounts, clients } from './schema.ts';

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
