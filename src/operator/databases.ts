import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { directory, directoryClients } from '../db/schema.ts';
import { runBatch } from '../db/statements.ts';
import { OperationFailed } from './operations.ts';

/** Ids of a range: 2^36. Numbers up to 2^53 are exact in JavaScript: 131,072 ranges. */
export const RANGE_SIZE = 2 ** 36;

/** A database, by the name of its binding. */
export interface NamedDatabase {
  readonly name: string;
  readonly db: D1Database;
}

/** @throws OperationFailed if the service does not have the database */
export function databaseNamed(all: readonly NamedDatabase[], name: string): NamedDatabase {
  const found = all.find((database) => database.name === name);
  if (found === undefined) throw new OperationFailed(`The database ${name} is not bound.`);
  return found;
}

/**
 * Makes a database give out ids of a range that no database has had: after it was created, after it was restored to an
 * earlier state, and before rows of another database with higher ids are copied into it, which SQLite's numbers follow.
 *
 * @param all the databases; the first one counts the ranges
 */
export async function takeIdRange(db: D1Database, all: readonly NamedDatabase[]): Promise<void> {
  const taken = await Promise.all(all.map((each) => idRangeOf(each.db)));
  const [row] = await drizzle(all[0]!.db).all<{ range: number }>(sql`
    UPDATE time_line SET last_id_range = max(last_id_range, ${Math.max(...taken)}) + 1 RETURNING last_id_range AS range`);
  const range = row!.range;
  const connection = drizzle(db);
  const start = sql`CAST(${range * RANGE_SIZE} AS INTEGER)`;
  await connection.run(sql`UPDATE time_line SET id_range = ${range}`);
  await connection.run(sql`
    INSERT INTO sqlite_sequence (name, seq)
    SELECT name, 0 FROM sqlite_schema
     WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%' AND name <> 'd1_migrations'
       AND name NOT IN (SELECT name FROM sqlite_sequence)`);
  await connection.run(
    sql`UPDATE sqlite_sequence SET seq = ${start} WHERE seq < ${start} AND name <> 'd1_migrations'`,
  );
}

/** The range of the ids that a database gives out; 0 for the first database, and for one that has not been set up. */
async function idRangeOf(db: D1Database): Promise<number> {
  const [row] = await drizzle(db).all<{ range: number }>(
    sql`SELECT id_range AS range FROM time_line`,
  );
  return row?.range ?? 0;
}

/** Gives a database other than the first a range of ids, unless it has one: before the first account comes into it. */
export async function setUpDatabase(
  { db }: NamedDatabase,
  all: readonly NamedDatabase[],
): Promise<void> {
  if (db !== all[0]!.db && (await idRangeOf(db)) === 0) await takeIdRange(db, all);
}

/** Bytes of a database file. */
export async function sizeOf(db: D1Database): Promise<number> {
  const { meta } = await db.prepare('SELECT 1').all();
  return meta.size_after;
}

/**
 * The database for a new account: of several, the smallest, which the directory then names. A second call for the same account
 * finds the same one.
 */
export async function chooseDatabase(
  all: readonly NamedDatabase[],
  code: string,
): Promise<NamedDatabase> {
  const first = all[0]!;
  if (all.length === 1) return first;
  const sizes = await Promise.all(all.map(({ db }) => sizeOf(db)));
  const smallest = all[sizes.indexOf(Math.min(...sizes))]!;
  const [entry] = await drizzle(first.db).all<{ database: string }>(sql`
    INSERT INTO directory (account, database) VALUES (${code}, ${smallest.name})
        ON CONFLICT (account) DO UPDATE SET database = database RETURNING database`);
  const chosen = all.find(({ name }) => name === entry!.database) ?? smallest;
  await setUpDatabase(chosen, all);
  return chosen;
}

/** An entry of the directory as it is, or as the databases say that it must be. */
interface DirectoryEntry {
  readonly account: string;
  readonly database: string;
  readonly clients: readonly string[];
}

/** What the directory lists, in the order of the accounts. */
export async function readDirectory(first: D1Database): Promise<DirectoryEntry[]> {
  const connection = drizzle(first);
  const entries = await connection.select().from(directory).orderBy(directory.account);
  const clients = await connection.select().from(directoryClients).orderBy(directoryClients.client);
  return entries.map((entry) => ({
    ...entry,
    clients: clients.filter(({ account }) => account === entry.account).map(({ client }) => client),
  }));
}

/** The number of a database that the directory names and the service lacks, so that its accounts are not served. */
export async function findLackingDatabase(
  all: readonly NamedDatabase[],
): Promise<number | undefined> {
  const entries = await readDirectory(all[0]!.db);
  const lacking = entries.find(({ database }) => all.every(({ name }) => name !== database));
  return lacking && Number(lacking.database.split('_')[1]);
}

/** A move that is under way, or was interrupted: until it is complete or undone, the account cannot be changed. */
interface UnfinishedMove {
  readonly code: string;
  /** The binding of the database that it moves to. */
  readonly to: string;
}

/** One of the moves that are not complete; `null` if there is none. */
export async function findUnfinishedMove(
  all: readonly NamedDatabase[],
): Promise<UnfinishedMove | null> {
  for (const { name, db } of all) {
    const [found] = await drizzle(db).all<UnfinishedMove>(sql`
      SELECT code, iif(state = 'leaving', other, ${name}) AS "to" FROM moves
       WHERE state IN ('leaving', 'arriving') LIMIT 1`);
    if (found !== undefined) return found;
  }
  return null;
}

/** What a directory must list: the accounts that live in each database with their clients, in the order of their codes. */
export async function entriesOf(all: readonly NamedDatabase[]): Promise<DirectoryEntry[]> {
  const entries = all.map(async ({ name: database, db }) => {
    const rows = await drizzle(db).all<{ account: string; clients: string }>(sql`
      SELECT a.code AS account, (
               SELECT json_group_array(c.id ORDER BY c.id) FROM clients c WHERE c.account_id = a.id) AS clients
        FROM accounts a WHERE a.id NOT IN (SELECT account_id FROM moves WHERE state IN ('left', 'arriving'))`);
    return rows.map(({ account, clients }) => ({
      account,
      database,
      clients: JSON.parse(clients) as string[],
    }));
  });
  return (await Promise.all(entries)).flat().sort((a, b) => (a.account < b.account ? -1 : 1));
}

/** Makes the directory list an account and its clients in a database. */
export async function listAccount(
  first: D1Database,
  { account, database, clients }: DirectoryEntry,
): Promise<void> {
  await runBatch(first, [
    sql`INSERT INTO directory (account, database) VALUES (${account}, ${database})
            ON CONFLICT (account) DO UPDATE SET database = excluded.database`,
    sql`INSERT INTO directory_clients (client, account)
        SELECT value, ${account} FROM json_each(${JSON.stringify(clients)}) WHERE true
            ON CONFLICT (client) DO UPDATE SET account = excluded.account`,
  ]);
}
