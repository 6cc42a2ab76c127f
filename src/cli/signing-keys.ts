import type { Context } from './context.ts';
import { SIGNING_KEYS } from './keys.ts';
import { SETTINGS_FILE, settingsFile, writeSetting } from './settings-file.ts';
import { printedArray } from './wrangler.ts';

/** Sets the keys: as a secret of the deployed Worker, or for `wrangler dev` on this machine. */
export async function setSigningKeys(value: string, remote: boolean, context: Context): Promise<void> {
  if (remote) await context.wrangler(['secret', 'put', SIGNING_KEYS], value);
  else await writeSetting(settingsFile(context), SIGNING_KEYS, value);
}

/** From when on keys that have been set are in use. */
export function since(remote: boolean): string {
  return remote ? 'from now on' : `once npm start is started again; it stands in ${SETTINGS_FILE}`;
}

/** The names of the deployed Worker's secrets. */
export async function remoteSecrets(context: Pick<Context, 'wrangler'>): Promise<string[]> {
  const output = await context.wrangler(['secret', 'list', '--format', 'json']);
  return printedArray<{ name: string }>(output).map(({ name }) => name);
}
