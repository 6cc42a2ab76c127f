import { errors, type JWTPayload, type JWTVerifyResult, jwtVerify } from 'jose';
import { LruMap } from '../lib/lru.ts';
import type { Issuer, OtherIssuer, OwnIssuer } from './issuer.ts';
import { findAccountStanding, findClientStanding } from './standing.ts';

/** Seconds by which an issuer's clock and this one may differ. */
const CLOCK_TOLERANCE = 30;

/** Milliseconds for which a token that was found good is not checked again, while it has not expired. */
export const TOKEN_MEMORY = 30_000;

/** Tokens that were found good, by what was asked of them and themselves: a burst of requests has one. */
const good = new LruMap<string, { keys: Issuer['keys']; verified: JWTVerifyResult; until: number }>(1_000);

/** Who calls, by a token. */
export interface Caller {
  readonly accountId: number;
  /** Who it is in the history of units. */
  readonly clientId: string;
  readonly scopes: readonly string[];
}

/** What came of checking a token. The reason is for the log. */
export type TokenVerdict =
  | { readonly kind: 'welcome'; readonly caller: Caller }
  | { readonly kind: 'expired' }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Checks an access token: signature, algorithm, type, issuer, audience and times (RFC 9068 section 4), and that its
 * client and account are not disabled.
 *
 * @param now milliseconds since 1970-01-01 UTC
 * @throws Unavailable where D1 fails, or the other issuer's keys cannot be had
 */
export async function verifyToken(
  db: D1Database,
  issuer: OwnIssuer | OtherIssuer,
  token: string,
  now: number,
): Promise<TokenVerdict> {
  const key = [issuer.issuer, issuer.audience, ...issuer.requiredClaims, token].join(' ');
  const before = good.get(key);
  const known = before !== undefined && before.keys === issuer.keys && now < before.until;
  let verified: JWTVerifyResult;
  try {
    verified = known
      ? before.verified
      : await jwtVerify(token, issuer.keys, {
          algorithms: issuer.algorithms,
          issuer: issuer.issuer,
          audience: issuer.audience,
          requiredClaims: issuer.requiredClaims,
          clockTolerance: CLOCK_TOLERANCE,
          currentDate: new Date(now),
        });
  } catch (error) {
    if (error instanceof errors.JWTExpired) return { kind: 'expired' };
    if (error instanceof errors.JOSEError) return { kind: 'refused', reason: `${error.code}: ${error.message}` };
    throw error;
  }
  if (!hasType(verified, issuer)) return { kind: 'refused', reason: 'not an access token by its typ' };
  if (!known) {
    const until = Math.min(now + TOKEN_MEMORY, verified.payload.exp! * 1000);
    good.set(key, { keys: issuer.keys, verified, until });
  }
  const caller = await findCaller(db, issuer, verified.payload, now);
  return caller === undefined
    ? { kind: 'refused', reason: 'its client or account is unknown or disabled' }
    : { kind: 'welcome', caller };
}

function hasType({ protectedHeader: { typ } }: JWTVerifyResult, { types }: Issuer): boolean {
  return types.includes(typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : typ);
}

async function findCaller(
  db: D1Database,
  issuer: OwnIssuer | OtherIssuer,
  claims: JWTPayload,
  now: number,
): Promise<Caller | undefined> {
  const scopes = scopesOf(claims);
  if (issuer.kind === 'own') {
    const clientId = String(claims.client_id);
    const client = await findClientStanding(db, clientId, now);
    if (!client?.enabled) return undefined;
    return { accountId: client.accountId, clientId, scopes: scopes.filter((scope) => client.scopes.includes(scope)) };
  }
  const code = claims[issuer.accountClaim];
  const accountId = typeof code === 'string' ? await findAccountStanding(db, code, now) : null;
  return accountId === null ? undefined : { accountId, clientId: clientOf(claims), scopes };
}

/** `scope` is that of RFC 8693 section 4.2; some issuers write `scp`, as a text or a list. */
function scopesOf({ scope, scp }: JWTPayload): string[] {
  const given = scope ?? scp;
  const list = Array.isArray(given) ? given : typeof given === 'string' ? given.split(' ') : [];
  return list.filter((entry) => typeof entry === 'string');
}

function clientOf({ client_id, azp, sub }: JWTPayload): string {
  const names = [client_id, azp, sub].filter((name) => typeof name === 'string');
  return names[0] ?? 'unnamed';
}
