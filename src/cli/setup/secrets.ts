import { join } from 'node:path';
import type { JWK } from 'jose';
import { newSecret } from '../../lib/secrets/secrets.ts';
import { generateSigningKey } from '../../oauth/own-keys.ts';
import { replaceFile } from '../command/files.ts';
import { readIfExists, SETTINGS_FILE } from '../service/find.ts';

/**
 * Sets a setting in the file, which only its owner can read. Its other lines remain unchanged.
 *
 * @param value must not contain a single quote
 */
export async function writeSetting(directory: string, name: string, value: string): Promise<void> {
  const file = join(directory, SETTINGS_FILE);
  const setting = new RegExp(
    `^[^\\S\\n]*(export\\s+)?${name}\\s*=[^\\S\\n]*('[^']*'|"[^"]*"|\`[^\`]*\`)?.*\\n?`,
    'gm',
  );
  const others = (await readIfExists(file)).replaceAll(setting, '');
  const lineEnd = others === '' || others.endsWith('\n') ? '' : '\n';
  const quoted = /^[\w.-]+$/.test(value) ? value : `'${value}'`;
  await replaceFile(file, `${others}${lineEnd}${name}=${quoted}\n`);
}

/** The name of the Worker's setting: a JWK set whose first key signs; the others verify. */
export const SIGNING_KEYS = 'SIGNING_KEYS';

/** The name of the setting with the operator's key, and of the former one, while it is replaced. */
export const OPERATOR_KEY = 'OPERATOR_KEY';
export const OPERATOR_KEY_OLD = 'OPERATOR_KEY_OLD';

/**
 * A value of the setting: a new private key, and the public halves of previous keys whose tokens
 * remain valid.
 */
export async function newKeySet(former: readonly JWK[] = []): Promise<string> {
  return JSON.stringify({
    keys: [await generateSigningKey(), ...former.map(({ d: _, ...half }) => half)],
  });
}

/**
 * The keys of a JWK set, as in the setting or as the Worker publishes them; `null` if the text is
 * not a JWK set.
 */
export function parseKeySet(text: string): JWK[] | null {
  try {
    const { keys } = JSON.parse(text);
    return Array.isArray(keys) && keys.length > 0 && keys.every((key) => key instanceof Object)
      ? keys
      : null;
  } catch {
    return null;
  }
}

/**
 * The secrets that the Worker needs and that setup and deployment generate, by the names of their
 * settings.
 */
const GENERATED: Readonly<Record<string, () => string | Promise<string>>> = {
  [SIGNING_KEYS]: newKeySet,
  /** Signs the console's sessions. */
  SESSION_KEY: newSecret,
  /** Encrypts secrets in the database. */
  SEALING_KEY: newSecret,
  /** Lets the operator's program in. */
  [OPERATOR_KEY]: newSecret,
};

/** New values of the secrets that are missing, by the names of their settings. */
export async function missingSecrets(
  exists: (name: string) => boolean,
): Promise<Readonly<Record<string, string>>> {
  const missing: Record<string, string> = {};
  for (const [name, generate] of Object.entries(GENERATED))
    if (!exists(name)) missing[name] = await generate();
  return missing;
}
