import { randomBytes } from 'node:crypto';
import { newKeySet, SIGNING_KEYS } from './signing-keys.ts';

/** The name of the Worker's setting that signs the console's sessions. */
export const SESSION_KEY = 'SESSION_KEY';

/** The name of the Worker's setting that encrypts secrets in the database. */
export const SEALING_KEY = 'SEALING_KEY';

/** The secrets that the Worker needs and that setup and deployment generate, by the names of their settings. */
const GENERATED: Readonly<Record<string, () => Promise<string>>> = {
  [SIGNING_KEYS]: () => newKeySet(),
  [SESSION_KEY]: async () => randomBytes(32).toString('base64url'),
  [SEALING_KEY]: async () => randomBytes(32).toString('base64url'),
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
