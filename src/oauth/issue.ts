import { SignJWT } from 'jose';
import type { OwnIssuer } from './issuer.ts';
import { SIGNING_ALGORITHM } from './keys.ts';

/** Seconds that an access token is good for. */
export const TOKEN_LIFETIME = 3600;

/**
 * An access token for a client acting for itself, as a signed JWT (RFC 9068 section 2).
 *
 * @param now milliseconds since 1970-01-01 UTC
 */
export function issueToken(
  { issuer, audience, signing }: OwnIssuer,
  clientId: string,
  scopes: readonly string[],
  now: number,
): Promise<string> {
  const issuedAt = Math.floor(now / 1000);
  return new SignJWT({ client_id: clientId, scope: scopes.join(' ') })
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: 'at+jwt', kid: signing.kid })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(clientId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + TOKEN_LIFETIME)
    .setJti(crypto.randomUUID())
    .sign(signing.key);
}

/**
 * The scopes that a token is issued for: those asked for (RFC 6749 section 3.3), or all that the client has; `undefined`
 * where it asks for one that it has not, or for none.
 */
export function grantScopes(asked: string | undefined, has: readonly string[]): readonly string[] | undefined {
  const scopes = asked === undefined ? has : [...new Set(asked.split(' '))];
  return scopes.length > 0 && scopes.every((scope) => has.includes(scope)) ? scopes : undefined;
}
