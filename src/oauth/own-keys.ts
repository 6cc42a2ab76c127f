import { createLocalJWKSet, importJWK, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { DependencyUnavailable } from '../lib/unavailable.ts';

/** The algorithm of this service's own tokens: ECDSA on P-256 with SHA-256 (RFC 7518 section 3.4). */
export const SIGNING_ALGORITHM = 'ES256';

/** This service's own keys. */
export interface OwnKeys {
  readonly signing: { readonly kid: string; readonly key: CryptoKey };
  /** The public keys in the form in which they are published (RFC 7517 section 5). */
  readonly published: JSONWebKeySet;
  readonly verifying: JWTVerifyGetKey;
}

const keySetSchema = z.object({
  keys: z
    .array(
      z.object({
        kty: z.literal('EC'),
        crv: z.literal('P-256'),
        x: z.string(),
        y: z.string(),
        d: z.string().optional(),
        kid: z.string().min(1),
      }),
    )
    .min(1)
    .refine(([first]) => first?.d !== undefined)
    .refine((keys) => new Set(keys.map(({ kid }) => kid)).size === keys.length),
});

/** The setting that was parsed last, and its keys. */
let cached: { readonly setting: string; readonly keys: OwnKeys } | undefined;

/**
 * The keys in the setting `SIGNING_KEYS`. The first, a private key, signs; all of them verify, so older ones may be
 * public keys.
 *
 * @throws DependencyUnavailable if the setting is missing or is not such a set of ES256 keys
 */
export async function ownKeys(setting: string | undefined): Promise<OwnKeys> {
  if (setting === undefined || setting === '')
    throw new DependencyUnavailable('SIGNING_KEYS is not set. Run: npm run setup, or npm run deploy');
  if (cached?.setting !== setting) cached = { setting, keys: await parseKeys(setting) };
  return cached.keys;
}

async function parseKeys(setting: string): Promise<OwnKeys> {
  try {
    const { keys } = keySetSchema.parse(JSON.parse(setting));
    const imported = await Promise.all(keys.map(importKey));
    const published = { keys: imported.map((key) => key.published) };
    const { kid } = published.keys[0]!;
    return { signing: { kid, key: imported[0]!.key! }, published, verifying: createLocalJWKSet(published) };
  } catch {
    // The error is not logged: it could contain part of a key.
    throw new DependencyUnavailable(
      'SIGNING_KEYS must be a JWK set of ES256 keys with distinct kids, the first of them private',
    );
  }
}

/** Imports the public key as well, so that an invalid one is detected here and not when a token is verified. */
async function importKey({ d, kid, ...publicKey }: z.output<typeof keySetSchema>['keys'][number]) {
  const published = { ...publicKey, kid, alg: SIGNING_ALGORITHM, use: 'sig' };
  await importJWK(published, SIGNING_ALGORITHM);
  const key = d === undefined ? undefined : ((await importJWK({ ...publicKey, d }, SIGNING_ALGORITHM)) as CryptoKey);
  return { key, published };
}
