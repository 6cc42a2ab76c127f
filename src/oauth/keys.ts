import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';

/** The algorithm of the service's own tokens: ECDSA on P-256 with SHA-256 (RFC 7518 section 3.4). */
export const SIGNING_ALGORITHM = 'ES256';

/**
 * A new private key for signing access tokens, as an entry of the JWK set in `SIGNING_KEYS`: its `kid` is its thumbprint
 * (RFC 7638).
 */
export async function newSigningKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const key = await exportJWK(privateKey);
  return { ...key, kid: await calculateJwkThumbprint(key), alg: SIGNING_ALGORITHM, use: 'sig' };
}
