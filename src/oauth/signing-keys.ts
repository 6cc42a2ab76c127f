import { createLocalJWKSet, importJWK, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { Unavailable } from '../lib/unavailable.ts';
import { SIGNING_ALGORITHM } from './keys.ts';

/** The service's own keys. */
export interface SigningKeys {
  readonly signing: { readonly kid: string; readonly key: CryptoKey };
  /** The public halves, as they are published (RFC 7517 section 5). */
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
    .refine(([first]) => first?.d !== undefined, 'cannot sign with its first key')
    .refine((keys) => new Set(keys.map(({ kid }) => kid)).size === keys.length, 'has a kid twice'),
});

/** The last setting that was read, and its keys. */
let known: { readonly setting: string; readonly keys: SigningKeys } | undefined;

/**
 * The keys of the setting `SIGNING_KEYS`: the first, a private one, signs; all verify, for which public halves do.
 *
 * @throws Unavailable where the setting is missing or is not such a set of ES256 keys
 */
export async function signingKeys(setting: string | undefined): Promise<SigningKeys> {
  if (setting === undefined || setting === '') throw new Unavailable('SIGNING_KEYS is not set');
  if (known?.setting !== setting) known = { setting, keys: await readKeys(setting) };
  return known.keys;
}

async function readKeys(setting: string): Promise<SigningKeys> {
  try {
    const { keys } = keySetSchema.parse(JSON.parse(setting));
    const read = await Promise.all(keys.map(readKey));
    const published = { keys: read.map((key) => key.published) };
    const { kid } = published.keys[0]!;
    return { signing: { kid, key: read[0]!.key! }, published, verifying: createLocalJWKSet(published) };
  } catch {
    // The reason could hold a part of a key.
    throw new Unavailable(
      'SIGNING_KEYS is not a JWK set of ES256 keys, the first private and each with a kid of its own',
    );
  }
}

/** Imports each half that there is, so that a key that is none shows when the setting is read. */
async function readKey({ d, kid, ...half }: z.output<typeof keySetSchema>['keys'][number]) {
  const published = { ...half, kid, alg: SIGNING_ALGORITHM, use: 'sig' };
  await importJWK(published, SIGNING_ALGORITHM);
  const key = d === undefined ? undefined : ((await importJWK({ ...half, d }, SIGNING_ALGORITHM)) as CryptoKey);
  return { key, published };
}
