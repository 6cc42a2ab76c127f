// Plain SQL throughout: the scripts and the ledger's statements also go to wrangler as text, and SQLite's and wrangler's
// own tables are not in `schema.ts`.

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

/** A migration followed by its row in the ledger, as one script: applied in one transaction, they agree. */
export function withLedgerRow({ name, sql }: Migration): string {
  return `${sql}\nINSERT INTO d1_migrations (name) VALUES ('${name.replaceAll("'", "''")}');\n`;
}

/** The names of the applied migrations in the order of their application; none if the ledger does not exist. */
export async function appliedMigrations(db: D1Database): Promise<string[]> {
  const ledger = await db
    .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'd1_migrations'")
    .first();
  if (ledger === null) return [];
  const { results } = await db.prepare('SELECT name FROM d1_migrations ORDER BY id').all<{ name: string }>();
  return results.map(({ name }) => name);
}

/**
 * Applies a migration with its row in the ledger, in one transaction.
 *
 * @param db a local database: the deployed one accepts only a single statement here, not a script
 */
export async function applyMigration(db: D1Database, migration: Migration): Promise<void> {
  await db.batch([db.prepare(CREATE_LEDGER), db.prepare(withLedgerRow(migration))]);
}
