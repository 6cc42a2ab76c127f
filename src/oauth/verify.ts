import { errors, type JWTPayload, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { findEnabledAccountId } from '../db/accounts/accounts.ts';
import { findClient } from '../db/accounts/clients.ts';
import { isOneOfSeveral } from '../db/connection.ts';
import type { EpochMilliseconds } from '../lib/time/time.ts';
import type { Issuer } from './issuer.ts';

/** Seconds by which an issuer's clock and this one may differ. */
const CLOCK_TOLERANCE_SECONDS = 30;

/**
 * Milliseconds for which an isolate relies on a token that it has verified, unless the token expires earlier: disabling its
 * client takes effect within this time. An account that is moved to another database must be noticed within a second.
 */
export const TOKEN_CACHE_MS = 30_000;
const TOKEN_CACHE_OF_SEVERAL_MS = 1_000;

/** The sender of a request, according to its token. */
export interface Caller {
  readonly accountId: number;
  /** The client's name in the history of units. */
  readonly clientId: string;
  readonly scopes: readonly string[];
}

/** The outcome of verifying a token. The reason is for the log. */
export type TokenVerdict =
  | { readonly kind: 'authorized'; readonly caller: Caller }
  | { readonly kind: 'expired' }
  | { readonly kind: 'denied'; readonly reason: string };

/** Who has sent the verified tokens, by the token and what was required of it: the requests of a burst share one token. */
const callers = new LRUCache<
  string,
  { readonly keys: Issuer['keys']; readonly caller: Caller; readonly until: number }
>({ max: 1_000 });

/** The sender of a token that this isolate has verified within the last seconds. */
export function verifiedCaller(issuer: Issuer, token: string, now: EpochMilliseconds): Caller | undefined {
  const cached = callers.get(cacheKey(issuer, token));
  return cached !== undefined && cached.keys === issuer.keys && now < cached.until ? cached.caller : undefined;
}

function cacheKey(issuer: Issuer, token: string): string {
  return [issuer.issuer, issuer.audience, ...issuer.requiredClaims, token].join(' ');
}

/**
 * Verifies an access token: signature, algorithm, type, issuer, audience and times (RFC 9068 section 4), and that its
 * client and account are not disabled.
 *
 * @throws DependencyUnavailable if D1 fails, or the other issuer's keys cannot be fetched
 */
export async function verifyToken(
  db: D1Database,
  issuer: Issuer,
  token: string,
  now: EpochMilliseconds,
): Promise<TokenVerdict> {
  try {
    const { keys, types, ...required } = issuer;
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      ...required,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(now),
    });
    const { typ } = protectedHeader;
    const type = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : typ;
    if (!types.includes(type)) return { kind: 'denied', reason: 'its typ is not that of an access token' };
    const caller = await findCaller(db, issuer, payload);
    if (caller === null) return { kind: 'denied', reason: 'its client or account is unknown or disabled' };
    const maxAge = isOneOfSeveral(db) ? TOKEN_CACHE_OF_SEVERAL_MS : TOKEN_CACHE_MS;
    callers.set(cacheKey(issuer, token), { keys, caller, until: Math.min(now + maxAge, payload.exp! * 1000) });
    return { kind: 'authorized', caller };
  } catch (error) {
    if (error instanceof errors.JWTExpired) return { kind: 'expired' };
    if (error instanceof errors.JOSEError) return { kind: 'denied', reason: `${error.code}: ${error.message}` };
    throw error;
  }
}

async function findCaller(db: D1Database, { accountClaim }: Issuer, claims: JWTPayload): Promise<Caller | null> {
  const scopes = scopesOf(claims);
  if (accountClaim === null) {
    const clientId = String(claims.client_id);
    const client = await findClient(db, clientId);
    if (!client?.enabled) return null;
    return { accountId: client.accountId, clientId, scopes: scopes.filter((scope) => client.scopes.includes(scope)) };
  }
  const code = claims[accountClaim];
  const accountId = typeof code === 'string' ? await findEnabledAccountId(db, code) : null;
  const clientId = [claims.client_id, claims.azp, claims.sub].find((name) => typeof name === 'string') ?? 'unnamed';
  return accountId === null ? null : { accountId, clientId, scopes };
}

/** `scope` is defined by RFC 8693 section 4.2; some issuers use `scp` instead, as a string or an array. */
function scopesOf({ scope, scp }: JWTPayload): string[] {
  const claim = scope ?? scp;
  const scopes = Array.isArray(claim) ? claim : typeof claim === 'string' ? claim.split(' ') : [];
  return scopes.filter((entry) => typeof entry === 'string');
}
