import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTVerifyGetKey,
} from 'jose';
import * as z from 'zod';
import { DependencyUnavailable } from '../lib/unavailable.ts';
import { publicKey } from './schemas.ts';

/** The algorithm of this service's own tokens: ECDSA on P-256 with SHA-256 (RFC 7518 section 3.4). */
export const SIGNING_ALGORITHM = 'ES256';

/** The keys of the setting; the private part is `d`. */
const storedKeys = z.array(
  publicKey
    .omit({ alg: true, use: true })
    .extend({ kid: z.string().min(1), d: z.string().optional() }),
);

/** The keys of this service's own tokens. */
export interface OwnKeys {
  readonly signing: { readonly kid: string; readonly key: CryptoKey };
  /** The public keys in the form in which they are published (RFC 7517 section 5). */
  readonly published: { readonly keys: z.output<typeof publicKey>[] };
  readonly verifying: JWTVerifyGetKey;
}

let cached: { readonly setting: string; readonly keys: OwnKeys } | undefined;

/**
 * The keys in the setting `SIGNING_KEYS`. The first, a private key, signs; all of them verify, so older ones may be
 * public keys.
 *
 * @throws DependencyUnavailable if the setting is missing or is not a set of ES256 keys
 */
export async function ownKeys(setting: string | undefined): Promise<OwnKeys> {
  if (!setting)
    throw new DependencyUnavailable(
      'SIGNING_KEYS is not set. Run: npm run setup, or npm run deploy',
    );
  if (cached?.setting !== setting) cached = { setting, keys: await parseKeys(setting) };
  return cached.keys;
}

async function parseKeys(setting: string): Promise<OwnKeys> {
  try {
    const stored = storedKeys.parse(JSON.parse(setting).keys);
    const [{ kid, d } = { kid: '' }] = stored;
    if (d === undefined || new Set(stored.map((key) => key.kid)).size < stored.length)
      throw new TypeError();
    const keys = stored.map(
      ({ d: _, ...key }) => ({ ...key, alg: SIGNING_ALGORITHM, use: 'sig' }) as const,
    );
    // All are imported, so that an invalid one is detected here and not when a token is verified.
    await Promise.all(keys.map((key) => importJWK(key)));
    const key = (await importJWK({ ...keys[0]!, d }, SIGNING_ALGORITHM)) as CryptoKey;
    const published = { keys };
    return { signing: { kid, key }, published, verifying: createLocalJWKSet(published) };
  } catch {
    // The error is not logged: it could contain part of a key.
    throw new DependencyUnavailable(
      'SIGNING_KEYS must be a JWK set of ES256 keys with distinct kids, the first of them private',
    );
  }
}

/** A new private signing key, as an entry of the JWK set in `SIGNING_KEYS`. Its `kid` is its thumbprint (RFC 7638). */
export async function generateSigningKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const key = await exportJWK(privateKey);
  return { ...key, kid: await calculateJwkThumbprint(key), alg: SIGNING_ALGORITHM, use: 'sig' };
}
