import { and, eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { directory, directoryClients } from '../db/schema.ts';
import { remove, runBatch } from '../db/statements.ts';

/** Whose database is looked up: an account's, by its code in upper case, or a client's, by its id. */
export interface Owner {
  readonly kind: 'account' | 'client';
  readonly name: string;
}

/**
 * The binding of the database that has an account or a client; `null` if the directory does not list it: the first database
 * then has it, or none.
 *
 * @param db the first database
 */
export async function findDatabaseName(
  db: D1Database,
  { kind, name }: Owner,
): Promise<string | null> {
  const { account, database } = directory;
  const listed = drizzle(db).select({ database }).from(directory);
  const found =
    kind === 'account'
      ? await listed.where(eq(account, name)).get()
      : await listed
          .innerJoin(
            directoryClients,
            and(eq(directoryClients.account, account), eq(directoryClients.client, name)),
          )
          .get();
  return found?.database ?? null;
}

/** Adds a client to the directory if its account is there, and removes the entry of a deleted client with the same id. */
export async function listClient(
  first: D1Database,
  account: string,
  client: string,
): Promise<void> {
  await runBatch(first, [
    sql`DELETE FROM directory_clients WHERE client = ${client}`,
    sql`INSERT INTO directory_clients (client, account)
        SELECT ${client}, account FROM directory WHERE account = ${account}`,
  ]);
}

/** Removes a deleted client of an account from the directory. */
export async function unlistClient(
  first: D1Database,
  account: string,
  client: string,
): Promise<void> {
  await remove(first, directoryClients, { client, account });
}

/** Removes a deleted account from the directory, with its clients. */
export async function unlistAccount(first: D1Database, account: string): Promise<void> {
  await remove(first, directory, { account });
}
