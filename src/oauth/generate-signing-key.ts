import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import { SIGNING_ALGORITHM } from './own-keys.ts';

/** A new private signing key, as an entry of the JWK set in `SIGNING_KEYS`. Its `kid` is its thumbprint (RFC 7638). */
export async function generateSigningKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const key = await exportJWK(privateKey);
  return { ...key, kid: await calculateJwkThumbprint(key), alg: SIGNING_ALGORITHM, use: 'sig' };
}
