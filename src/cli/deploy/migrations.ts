import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A file of the folder `migrations/`. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** The ledger as wrangler creates it. */
export const CREATE_LEDGER = `CREATE TABLE IF NOT EXISTS d1_migrations(
		id         INTEGER PRIMARY KEY AUTOINCREMENT,
		name       TEXT UNIQUE,
		applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
);`;

/**
 * A migration followed by its row in the ledger, as one script: applied in one transaction, they
 * agree.
 */
export function withLedgerRow({ name, sql }: Migration): string {
  return `${sql}\nINSERT INTO d1_migrations (name) VALUES ('${name.replaceAll("'", "''")}');\n`;
}

/** Runs a statement, and returns its rows. */
export type Query = <Row>(sql: string) => Promise<Row[]>;

/**
 * The migrations of a folder that a database does not have, ordered by name, as wrangler applies
 * them.
 */
export async function pendingMigrations(folder: string, query: Query): Promise<Migration[]> {
  const applied = await appliedMigrations(query);
  const names = (await readdir(folder))
    .filter((name) => name.endsWith('.sql') && !applied.includes(name))
    .sort();
  return Promise.all(
    names.map(async (name) => ({ name, sql: await readFile(join(folder, name), 'utf8') })),
  );
}

/** The names of the applied migrations; none if the ledger does not exist. */
async function appliedMigrations(query: Query): Promise<string[]> {
  const ledger = await query(
    "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'd1_migrations'",
  );
  if (ledger.length === 0) return [];
  return (await query<{ name: string }>('SELECT name FROM d1_migrations ORDER BY id')).map(
    ({ name }) => name,
  );
}
