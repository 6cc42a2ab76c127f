import { chmod } from 'node:fs/promises';
import { keySet, SIGNING_KEYS } from './keys.ts';
import { readSetting, writeSetting } from './settings-file.ts';

/** What the Worker needs in development: a key to sign tokens with, and the demo agency's pictures. */
const SETTINGS: readonly (readonly [name: string, value: () => string | Promise<string>])[] = [
  [SIGNING_KEYS, () => keySet()],
  ['DEMO', () => 'true'],
];

/**
 * Adds to a file of settings, as wrangler reads them in development, those that the Worker needs there and that are
 * missing. Its other lines stay; only its owner can read it.
 */
export async function addDevelopmentSettings(file: string): Promise<void> {
  for (const [name, value] of SETTINGS) {
    if ((await readSetting(file, name)) === undefined) await writeSetting(file, name, await value());
  }
  await chmod(file, 0o600);
}
