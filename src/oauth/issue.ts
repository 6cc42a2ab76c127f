import { SignJWT } from 'jose';
import type { EpochMilliseconds } from '../lib/time/time.ts';
import type { OwnIssuer } from './issuer.ts';
import { SIGNING_ALGORITHM } from './own-keys.ts';

/** Seconds for which an access token is valid. */
export const TOKEN_LIFETIME_SECONDS = 3600;

/**
 * An access token for a client that acts on its own behalf, as a signed JWT (RFC 9068 section 2).
 */
export function issueToken(
  { issuer, audience, signing }: OwnIssuer,
  clientId: string,
  scopes: readonly string[],
  now: EpochMilliseconds,
): Promise<string> {
  const issuedAt = Math.floor(now / 1000);
  return new SignJWT({ client_id: clientId, scope: scopes.join(' ') })
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: 'at+jwt', kid: signing.kid })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(clientId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + TOKEN_LIFETIME_SECONDS)
    .setJti(crypto.randomUUID())
    .sign(signing.key);
}

/**
 * The scopes to issue a token for: the requested ones (RFC 6749 section 3.3), by default all that the client has;
 * `undefined` if the client lacks one of them, or if there are none.
 */
export function grantScopes(requested: string | undefined, allowed: readonly string[]): readonly string[] | undefined {
  const scopes = requested === undefined ? allowed : [...new Set(requested.split(' '))];
  return scopes.length > 0 && scopes.every((scope) => allowed.includes(scope)) ? scopes : undefined;
}
