import { chmod } from 'node:fs/promises';
import { keySet, SIGNING_KEYS } from './keys.ts';
import { readSetting, writeSetting } from './settings-file.ts';

/** The Worker's settings in development: a key that signs tokens. */
const SETTINGS: readonly (readonly [name: string, value: () => string | Promise<string>])[] = [
  [SIGNING_KEYS, () => keySet()],
];

/**
 * Adds missing development settings to a file that wrangler reads them from. Its other lines stay; only its owner can
 * read it.
 *
 * @returns the names of the added ones
 */
export async function addDevelopmentSettings(file: string): Promise<string[]> {
  const added: string[] = [];
  for (const [name, value] of SETTINGS) {
    if ((await readSetting(file, name)) !== undefined) continue;
    await writeSetting(file, name, await value());
    added.push(name);
  }
  await chmod(file, 0o600);
  return added;
}
