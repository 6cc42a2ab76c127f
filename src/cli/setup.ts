import { join } from 'node:path';
import { findAccountId } from '../db/operator/accounts.ts';
import type { Platform } from './context.ts';
import { addDevelopmentSettings } from './development-settings.ts';
import { applyPendingMigrations } from './migrations.ts';
import { SETTINGS_FILE } from './settings-file.ts';

/** What a setup has added; all empty if nothing was missing. */
export interface Setup {
  /** Names of settings. */
  readonly settings: readonly string[];
  /** Names of migrations. */
  readonly migrations: readonly string[];
  /** Codes of the demo agencies' accounts. */
  readonly accounts: readonly string[];
}

/**
 * Prepares the local state for `wrangler dev`: the settings, the tables and the demo agencies, each where it is missing.
 *
 * @param directory the project's directory
 * @param open opens the local database, once the settings exist
 * @param tell called with a line for each thing that was added
 */
export async function setUp(
  directory: string,
  open: () => Promise<Platform>,
  tell: (line: string) => void,
): Promise<Setup> {
  const settings = await addDevelopmentSettings(join(directory, SETTINGS_FILE));
  for (const name of settings) tell(`Added ${name} to ${SETTINGS_FILE}.`);
  const { env, dispose } = await open();
  try {
    const migrations: string[] = [];
    await applyPendingMigrations(env.DB, join(directory, 'migrations'), (name) => {
      migrations.push(name);
      tell(`Applied migration ${name}.`);
    });
    const accounts = await createDemo(env.DB, (code) => tell(`Created demo account ${code}.`));
    return { settings, migrations, accounts };
  } finally {
    await dispose();
  }
}

/** Loads the demo agencies only if one is missing. */
async function createDemo(db: D1Database, onCreated: (code: string) => void): Promise<string[]> {
  const ids = await Promise.all(['DEMO', 'OTHER'].map((code) => findAccountId(db, code)));
  if (!ids.includes(null)) return [];
  return (await import('./demo/seed.ts')).seedDemo(db, onCreated);
}
