import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { CONFIG } from '../cloudflare/config.ts';
import { readSettings, SETTINGS_FILE } from '../service/find.ts';
import { missingSecrets, writeSetting } from './secrets.ts';
import { setUpTables } from './tables.ts';

/**
 * Prepares what `wrangler dev` needs: adds the secrets and the tables that are missing. Repeated,
 * it changes nothing.
 *
 * @param directory the project's directory
 * @param persistTo the directory of the local state
 * @param tell called with a line for each addition
 * @returns what was added
 */
export async function prepare(directory: string, persistTo: string, tell: (line: string) => void) {
  const known = await readSettings(directory);
  const secrets = Object.entries(await missingSecrets((name) => Boolean(known[name])));
  for (const [name, value] of secrets) {
    await writeSetting(directory, name, value);
    tell(`Added ${name} to ${SETTINGS_FILE}.`);
  }
  // Even if it existed before.
  await chmod(join(directory, SETTINGS_FILE), 0o600);
  const migrations = await setUpTables(join(directory, CONFIG), persistTo, tell);
  return { settings: secrets.map(([name]) => name), migrations };
}
