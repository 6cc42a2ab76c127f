import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { findAccountId } from '../../db/operator/accounts.ts';
import { setUpDatabases } from '../../db/operator/databases.ts';
import { findPicturesOrigin } from '../../db/operator/demo-pictures.ts';
import { appliedMigrations, applyMigration } from '../../db/operator/migrations.ts';
import type { Platform } from '../command/context.ts';
import { databasesOf } from '../command/databases.ts';
import { pendingMigrations } from '../platform/migrations.ts';
import { readSetting, SETTINGS_FILE, settingsFile, writeSetting } from '../settings/file.ts';
import { missingSecrets } from '../settings/secrets.ts';

/**
 * Prepares the local state for `wrangler dev`: adds the secrets, the tables and the demo accounts that are missing.
 *
 * @param directory the project's directory
 * @param now the demo's times are relative to it
 * @param open opens the local database
 * @param tell called with a line for each addition
 * @returns what was added, and the origin from which the demo's pictures are loaded
 */
export async function setUp(directory: string, now: Date, open: () => Promise<Platform>, tell: (line: string) => void) {
  const settings = await addSecrets(settingsFile({ directory }));
  for (const name of settings) tell(`Added ${name} to ${SETTINGS_FILE}.`);
  const { env, dispose } = await open();
  try {
    const migrations: string[] = [];
    const all = databasesOf(env);
    for (const { name: database, db } of all) {
      for (const migration of await pendingMigrations(join(directory, 'migrations'), await appliedMigrations(db))) {
        await applyMigration(db, migration);
        migrations.push(migration.name);
        tell(`Applied migration ${migration.name}${all.length > 1 ? ` to ${database}` : ''}.`);
      }
    }
    await setUpDatabases(all);
    const accounts = await createDemo(env.DB, directory, now, (code) => tell(`Created demo account ${code}.`));
    return { settings, migrations, accounts, pictures: await findPicturesOrigin(env.DB) };
  } finally {
    await dispose();
  }
}

/** Adds the secrets that a settings file lacks, and restricts the file to its owner. */
async function addSecrets(file: string): Promise<string[]> {
  const missing = await missingSecrets(async (name) => (await readSetting(file, name)) !== undefined);
  for (const [name, value] of Object.entries(missing)) await writeSetting(file, name, value);
  await chmod(file, 0o600);
  return Object.keys(missing);
}

/** Creates the demo accounts that do not exist; their data are only loaded if one is missing. */
async function createDemo(
  db: D1Database,
  directory: string,
  now: Date,
  onCreated: (code: string) => void,
): Promise<string[]> {
  const ids = await Promise.all(['DEMO', 'OTHER'].map((code) => findAccountId(db, code)));
  if (!ids.includes(null)) return [];
  const { readDemo, seedAgencies } = await import('./agencies.ts');
  return seedAgencies(db, await readDemo(directory, now), onCreated);
}
