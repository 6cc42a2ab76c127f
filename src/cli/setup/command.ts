import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { setUpDatabases } from '../../db/operator/databases.ts';
import { movePictures } from '../../db/operator/demo-pictures.ts';
import { appliedMigrations, applyMigration } from '../../db/operator/migrations.ts';
import type { EpochSeconds } from '../../lib/time/time.ts';
import { command, databasesOf, type Platform } from '../command/command.ts';
import { usageFailure } from '../command/failure.ts';
import { pendingMigrations } from '../platform/database.ts';
import { missingSecrets, readSettings, SETTINGS_FILE, writeSetting } from '../platform/secrets.ts';
import { readDemo, seedAgencies } from './agencies.ts';

export const setup = command({
  command: 'setup',
  describe: 'Prepare the local state for wrangler dev: add missing signing keys, tables and demo accounts',
  async run(args, context) {
    if (args.remote) throw usageFailure('setup prepares the local state only. To deploy: npm run deploy');
    const tell = (line: string) => context.err(args.json ? '' : `${line}\n`);
    const added = await setUp(context.directory, context.now(), () => context.open(args), tell);
    return { json: added, text: 'The local state is ready. To serve it: npm start, or npx wrangler dev\n' };
  },
});

/**
 * Prepares the local state for `wrangler dev`: adds the secrets, the tables and the demo accounts that are missing.
 *
 * @param directory the project's directory
 * @param now the demo's times are relative to it
 * @param open opens the local database
 * @param tell called with a line for each addition
 * @param origin where the demo's pictures are served; by default, their URLs remain unchanged
 * @returns what was added
 */
export async function setUp(
  directory: string,
  now: EpochSeconds,
  open: () => Promise<Platform>,
  tell: (line: string) => void,
  origin?: string,
) {
  const known = await readSettings(directory);
  const secrets = Object.entries(await missingSecrets((name) => Boolean(known[name])));
  for (const [name, value] of secrets) {
    await writeSetting(directory, name, value);
    tell(`Added ${name} to ${SETTINGS_FILE}.`);
  }
  // Even if it existed before.
  await chmod(join(directory, SETTINGS_FILE), 0o600);
  await using platform = await open();
  const { env } = platform;
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
  const accounts = await seedAgencies(env.DB, await readDemo(directory, now));
  for (const code of accounts) tell(`Created demo account ${code}.`);
  if (origin !== undefined) await movePictures(env.DB, origin);
  return { settings: secrets.map(([name]) => name), migrations, accounts };
}
