import type { JWK } from 'jose';
import { newSecret } from '../../lib/secrets/secrets.ts';
import { generateSigningKey } from '../../oauth/own-keys.ts';
import { printedArray } from '../cloudflare/wrangler.ts';
import type { Context } from '../command/context.ts';
import { settingsFile, writeSetting } from './file.ts';

/** The name of the Worker's setting: a JWK set whose first key signs; the others verify. */
export const SIGNING_KEYS = 'SIGNING_KEYS';

/** A value of the setting: a new private key, and the public halves of former keys whose tokens remain valid. */
export async function newKeySet(former: readonly JWK[] = []): Promise<string> {
  return JSON.stringify({ keys: [await generateSigningKey(), ...former.map(({ d: _, ...half }) => half)] });
}

/** The keys of a JWK set, as in the setting or as the Worker publishes them; `null` if the text is not a JWK set. */
export function parseKeySet(text: string): JWK[] | null {
  try {
    const { keys } = JSON.parse(text);
    return Array.isArray(keys) && keys.length > 0 && keys.every((key) => key instanceof Object) ? keys : null;
  } catch {
    return null;
  }
}

/** Writes the setting: as a secret of the deployed Worker, or for development on this machine. */
export async function writeKeySet(value: string, remote: boolean, context: Context): Promise<void> {
  if (remote) await context.wrangler(['secret', 'put', SIGNING_KEYS], value);
  else await writeSetting(settingsFile(context), SIGNING_KEYS, value);
}

export async function listRemoteSecrets(context: Pick<Context, 'wrangler'>): Promise<string[]> {
  const output = await context.wrangler(['secret', 'list', '--format', 'json']);
  return printedArray<{ name: string }>(output).map(({ name }) => name);
}

/** The secrets that the Worker needs and that setup and deployment generate, by the names of their settings. */
const GENERATED: Readonly<Record<string, () => Promise<string>>> = {
  [SIGNING_KEYS]: () => newKeySet(),
  /** Signs the console's sessions. */
  SESSION_KEY: async () => newSecret(),
  /** Encrypts secrets in the database. */
  SEALING_KEY: async () => newSecret(),
};

/** New values of the secrets that are missing, by the names of their settings. */
export async function missingSecrets(
  exists: (name: string) => boolean | Promise<boolean>,
): Promise<Readonly<Record<string, string>>> {
  const missing: Record<string, string> = {};
  for (const [name, generate] of Object.entries(GENERATED)) {
    if (!(await exists(name))) missing[name] = await generate();
  }
  return missing;
}
