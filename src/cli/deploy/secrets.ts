import { ownKeys } from '../../oauth/own-keys.ts';
import { type Cloudflare, unlessMissing } from '../cloudflare/api.ts';
import { Failure } from '../command/failure.ts';
import {
  missingSecrets,
  newKeySet,
  OPERATOR_KEY,
  OPERATOR_KEY_OLD,
  parseKeySet,
  SIGNING_KEYS,
} from '../setup/secrets.ts';

/** Which secrets are replaced. */
export interface Rotation {
  /** Whether new keys sign access tokens; tokens of the previous ones stay valid. */
  readonly rotateKeys?: boolean;
  /**
   * Whether the operator's key is replaced; the former one is accepted until the next replacement.
   */
  readonly rotateOperatorKey?: boolean;
}

/**
 * New values of the secrets that the Worker lacks, and of those that are to be replaced.
 *
 * @param operatorKey the one that this directory knows
 */
export async function newSecrets(
  asked: Rotation,
  worker: string,
  origin: string,
  cloudflare: Cloudflare,
  operatorKey: string | undefined,
): Promise<Readonly<Record<string, string>>> {
  const names = cloudflare.get<{ name: string }[]>(`/workers/scripts/${worker}/secrets`);
  // After any other error, new keys could replace those of an existing Worker.
  const existing = ((await names.catch(unlessMissing)) ?? []).map(({ name }) => name);
  const secrets = { ...(await missingSecrets((name) => existing.includes(name))) };
  if (asked.rotateKeys && existing.includes(SIGNING_KEYS))
    secrets[SIGNING_KEYS] = await rotatedKeys(origin);
  if (asked.rotateOperatorKey && existing.includes(OPERATOR_KEY)) {
    if (operatorKey !== undefined) secrets[OPERATOR_KEY_OLD] = operatorKey;
    Object.assign(secrets, await missingSecrets((name) => name !== OPERATOR_KEY));
  }
  return secrets;
}

/**
 * A new signing key, with the public half of the one that has signed so far: its tokens stay valid
 * until they expire.
 */
async function rotatedKeys(origin: string): Promise<string> {
  const url = `${origin}/.well-known/jwks.json`;
  const response = await fetch(url, { redirect: 'error' }).catch((error: Error) => {
    throw new Failure('no_published_keys', `${url} is not responding: ${error.message}`);
  });
  const keys = response.ok ? parseKeySet(await response.text()) : null;
  if (keys === null)
    throw new Failure(
      'no_published_keys',
      `${url} does not return keys: status ${response.status}`,
    );
  const value = await newKeySet(keys.slice(0, 1));
  await ownKeys(value).catch((error: Error) => {
    throw new Failure('bad_keys', `${url} has unusable keys: ${error.message}.`);
  });
  return value;
}
