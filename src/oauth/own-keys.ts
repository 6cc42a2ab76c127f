import { createLocalJWKSet, importJWK, type JWTVerifyGetKey } from 'jose';
import type * as z from 'zod';
import { DependencyUnavailable } from '../lib/unavailable.ts';
import type { keySet } from './schemas.ts';

/** The algorithm of this service's own tokens: ECDSA on P-256 with SHA-256 (RFC 7518 section 3.4). */
export const SIGNING_ALGORITHM = 'ES256';

/** This service's own keys. */
export interface OwnKeys {
  readonly signing: { readonly kid: string; readonly key: CryptoKey };
  /** The public keys in the form in which they are published (RFC 7517 section 5). */
  readonly published: z.output<typeof keySet>;
  readonly verifying: JWTVerifyGetKey;
}

/** An entry of the setting. */
interface StoredKey {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
  /** The private part. */
  readonly d?: string;
  readonly kid: string;
}

/** The setting that was parsed last, and its keys. */
let cached: { readonly setting: string; readonly keys: OwnKeys } | undefined;

/**
 * The keys in the setting `SIGNING_KEYS`. The first, a private key, signs; all of them verify, so older ones may be
 * public keys.
 *
 * @throws DependencyUnavailable if the setting is missing or is not a set of ES256 keys
 */
export async function ownKeys(setting: string | undefined): Promise<OwnKeys> {
  if (setting === undefined || setting === '')
    throw new DependencyUnavailable('SIGNING_KEYS is not set. Run: npm run setup, or npm run deploy');
  if (cached?.setting !== setting) cached = { setting, keys: await parseKeys(setting) };
  return cached.keys;
}

async function parseKeys(setting: string): Promise<OwnKeys> {
  try {
    const stored: unknown = JSON.parse(setting).keys;
    if (!isKeySet(stored)) throw new TypeError('Not a set of signing keys');
    const keys = await Promise.all(stored.map(importKey));
    const published = { keys: keys.map((key) => key.published) };
    const { kid } = stored[0]!;
    return { signing: { kid, key: keys[0]!.key! }, published, verifying: createLocalJWKSet(published) };
  } catch {
    // The error is not logged: it could contain part of a key.
    throw new DependencyUnavailable(
      'SIGNING_KEYS must be a JWK set of ES256 keys with distinct kids, the first of them private',
    );
  }
}

function isKeySet(keys: unknown): keys is readonly StoredKey[] {
  if (!Array.isArray(keys) || !keys.every(isStoredKey)) return false;
  return keys[0]?.d !== undefined && new Set(keys.map(({ kid }) => kid)).size === keys.length;
}

/** Its other members are checked when the key is imported. */
function isStoredKey(key: Partial<StoredKey> | null): boolean {
  return key?.kty === 'EC' && key.crv === 'P-256' && typeof key.kid === 'string' && key.kid !== '';
}

/** Imports the public key as well, so that an invalid one is detected here and not when a token is verified. */
async function importKey({ kty, crv, x, y, d, kid }: StoredKey) {
  const published = { kty, crv, x, y, kid, alg: SIGNING_ALGORITHM, use: 'sig' } as const;
  await importJWK(published, SIGNING_ALGORITHM);
  const key = d === undefined ? undefined : ((await importJWK({ ...published, d }, SIGNING_ALGORITHM)) as CryptoKey);
  return { key, published };
}
