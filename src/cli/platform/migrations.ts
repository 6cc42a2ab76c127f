import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Migration } from '../../db/operator/migrations.ts';

/** The migrations of a folder, in the order in which wrangler applies them: that of their names. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(names.map(async (name) => ({ name, sql: await readFile(join(folder, name), 'utf8') })));
}

/** The migrations of a folder that are still to be applied to a database. */
export async function pendingMigrations(folder: string, applied: readonly string[]): Promise<Migration[]> {
  return (await readMigrations(folder)).filter(({ name }) => !applied.includes(name));
}
