import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { appliedMigrations, applyMigration, type Migration } from '../../db/operator/migrations.ts';

/** The migrations of a folder, in the order in which wrangler applies them: that of their names. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(names.map(async (name) => ({ name, sql: await readFile(join(folder, name), 'utf8') })));
}

/** The migrations that are still to be applied to a database. */
export function pendingMigrations(migrations: readonly Migration[], applied: readonly string[]): Migration[] {
  return migrations.filter(({ name }) => !applied.includes(name));
}

/**
 * Applies the pending migrations of a folder to the local database, each in a transaction of its own.
 *
 * @param onApplied called with the name of each once it is applied
 */
export async function applyPendingMigrations(
  db: D1Database,
  folder: string,
  onApplied: (name: string) => void,
): Promise<void> {
  const pending = pendingMigrations(await readMigrations(folder), await appliedMigrations(db));
  for (const migration of pending) {
    await applyMigration(db, migration);
    onApplied(migration.name);
  }
}
