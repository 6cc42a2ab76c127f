import { Buffer } from 'node:buffer';
import { SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { findClient } from '../db/accounts/clients.ts';
import { digestsEqual, sha256Hex } from '../lib/secrets/secrets.ts';
import type { EpochMilliseconds } from '../lib/time/time.ts';
import type { OwnIssuer } from './issuer.ts';
import { SIGNING_ALGORITHM } from './own-keys.ts';

/** Seconds for which an access token is valid. */
export const TOKEN_LIFETIME_SECONDS = 3600;

/** Digests of secrets that this isolate has verified, by client: repeated token requests do not count as attempts. */
const verifiedSecrets = new LRUCache<string, string>({ max: 10_000 });

/** Whether this isolate has verified the secret of a client before, and has not found it to be invalid since. */
export function isVerifiedSecret(clientId: string, secret: string): boolean {
  return hasDigest(secret, verifiedSecrets.get(clientId));
}

/**
 * Checks the secret of a client. An unknown client is denied like a wrong secret.
 *
 * @throws DependencyUnavailable if D1 fails
 */
export async function authenticateClient(db: D1Database, clientId: string, secret: string) {
  const client = await findClient(db, clientId);
  if (!hasDigest(secret, client?.secret) || !client?.enabled) {
    if (isVerifiedSecret(clientId, secret)) verifiedSecrets.delete(clientId);
    return { kind: 'denied' } as const;
  }
  verifiedSecrets.set(clientId, client.secret);
  return { kind: 'authorized', client } as const;
}

/** Compares in constant time. Without a stored digest, a check costs the same: no secret has the one compared with. */
function hasDigest(secret: string, stored = '-'.repeat(64)): boolean {
  return digestsEqual(Buffer.from(sha256Hex(secret)), Buffer.from(stored));
}

/**
 * The scopes to issue a token for: the requested ones (RFC 6749 section 3.3), by default all that the client has;
 * `undefined` if the client lacks one of them, or if there are none.
 */
export function grantScopes(requested: string | undefined, allowed: readonly string[]): readonly string[] | undefined {
  const scopes = requested === undefined ? allowed : [...new Set(requested.split(' '))];
  return scopes.length > 0 && scopes.every((scope) => allowed.includes(scope)) ? scopes : undefined;
}

/** An access token for a client that acts on its own behalf, as a signed JWT (RFC 9068 section 2). */
export function issueToken(
  { issuer, audience, signing }: OwnIssuer,
  clientId: string,
  scope: string,
  now: EpochMilliseconds,
): Promise<string> {
  const issuedAt = Math.floor(now / 1000);
  return new SignJWT({ client_id: clientId, scope })
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: 'at+jwt', kid: signing.kid })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(clientId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + TOKEN_LIFETIME_SECONDS)
    .setJti(crypto.randomUUID())
    .sign(signing.key);
}
