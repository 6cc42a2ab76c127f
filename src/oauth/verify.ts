import { errors, type JWTPayload, type JWTVerifyResult, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import { findClient, findEnabledAccountId } from '../db/accounts/clients.ts';
import { isOneOfSeveral } from '../db/connection.ts';
import { isWithin } from '../lib/time/age.ts';
import type { EpochMilliseconds } from '../lib/time/time.ts';
import type { Issuer, OtherIssuer, OwnIssuer } from './issuer.ts';

/** Seconds by which an issuer's clock and this one may differ. */
const CLOCK_TOLERANCE_SECONDS = 30;

/** Milliseconds for which a verified token is not verified again, unless it expires earlier. */
export const TOKEN_CACHE_MS = 30_000;

/** Verified tokens, by the token and what was required of it: the requests of a burst share one token. */
const verifiedTokens = new LRUCache<string, { keys: Issuer['keys']; result: JWTVerifyResult; until: number }>({
  max: 1_000,
});

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

/**
 * Verifies an access token: signature, algorithm, type, issuer, audience and times (RFC 9068 section 4), and that its
 * client and account are not disabled.
 *
 * @throws DependencyUnavailable if D1 fails, or the other issuer's keys cannot be fetched
 */
export async function verifyToken(
  db: D1Database,
  issuer: OwnIssuer | OtherIssuer,
  token: string,
  now: EpochMilliseconds,
): Promise<TokenVerdict> {
  let verified = findVerified(issuer, token, now);
  try {
    verified ??= await verify(issuer, token, now);
  } catch (error) {
    if (error instanceof errors.JWTExpired) return { kind: 'expired' };
    if (error instanceof errors.JOSEError) return { kind: 'denied', reason: `${error.code}: ${error.message}` };
    throw error;
  }
  if (!hasAcceptedType(verified, issuer)) return { kind: 'denied', reason: 'its typ is not that of an access token' };
  const caller = await findCaller(db, issuer, verified.payload, now);
  return caller === undefined
    ? { kind: 'denied', reason: 'its client or account is unknown or disabled' }
    : { kind: 'authorized', caller };
}

/** Whether this isolate has verified a token within the last seconds. */
export function isVerifiedToken(issuer: Issuer, token: string, now: number): boolean {
  return findVerified(issuer, token, now) !== undefined;
}

function cacheKey(issuer: Issuer, token: string): string {
  return [issuer.issuer, issuer.audience, ...issuer.requiredClaims, token].join(' ');
}

function findVerified(issuer: Issuer, token: string, now: number): JWTVerifyResult | undefined {
  const cached = verifiedTokens.get(cacheKey(issuer, token));
  return cached !== undefined && cached.keys === issuer.keys && now < cached.until ? cached.result : undefined;
}

/** @throws JOSEError if the token is invalid */
async function verify(issuer: Issuer, token: string, now: number): Promise<JWTVerifyResult> {
  const result = await jwtVerify(token, issuer.keys, {
    algorithms: issuer.algorithms,
    issuer: issuer.issuer,
    audience: issuer.audience,
    requiredClaims: issuer.requiredClaims,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    currentDate: new Date(now),
  });
  const until = Math.min(now + TOKEN_CACHE_MS, result.payload.exp! * 1000);
  verifiedTokens.set(cacheKey(issuer, token), { keys: issuer.keys, result, until });
  return result;
}

function hasAcceptedType({ protectedHeader: { typ } }: JWTVerifyResult, { types }: Issuer): boolean {
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
    const client = await findCachedClient(db, clientId, now);
    if (!client?.enabled) return undefined;
    return { accountId: client.accountId, clientId, scopes: scopes.filter((scope) => client.scopes.includes(scope)) };
  }
  const code = claims[issuer.accountClaim];
  const accountId = typeof code === 'string' ? await findCachedAccountId(db, code, now) : null;
  return accountId === null ? undefined : { accountId, clientId: clientOf(claims), scopes };
}

/** `scope` is defined by RFC 8693 section 4.2; some issuers use `scp` instead, as a string or an array. */
function scopesOf({ scope, scp }: JWTPayload): string[] {
  const claim = scope ?? scp;
  const scopes = Array.isArray(claim) ? claim : typeof claim === 'string' ? claim.split(' ') : [];
  return scopes.filter((entry) => typeof entry === 'string');
}

function clientOf({ client_id, azp, sub }: JWTPayload): string {
  const names = [client_id, azp, sub].filter((name) => typeof name === 'string');
  return names[0] ?? 'unnamed';
}

/**
 * Milliseconds for which an isolate relies on what it read about a caller: disabling takes effect within 30 s. An account that
 * is moved to another database must be noticed within a second.
 */
const CALLER_CACHE_MS = 30_000;
const CALLER_CACHE_OF_SEVERAL_MS = 1_000;

/** The client that one of this service's own tokens names, read at most half a minute ago. */
const findCachedClient = cached(findClient);

/** The id of the account whose code a token of another issuer names, read at most half a minute ago. */
const findCachedAccountId = cached(findEnabledAccountId);

function cached<Found>(find: (db: D1Database, key: string) => Promise<Found | null>) {
  const entries = new LRUCache<string, { readonly found: Found; readonly readAt: number }>({ max: 10_000 });
  return async (db: D1Database, key: string, now: number): Promise<Found | null> => {
    const entry = entries.get(key);
    const maxAge = isOneOfSeveral(db) ? CALLER_CACHE_OF_SEVERAL_MS : CALLER_CACHE_MS;
    if (entry !== undefined && isWithin(maxAge, entry.readAt, now)) return entry.found;
    const found = await find(db, key);
    // One that is disabled in a database may have been moved to another.
    const isCertain = found !== null && !(isOneOfSeveral(db) && isDisabled(found));
    if (isCertain) entries.set(key, { found, readAt: now });
    return found;
  };
}

function isDisabled(found: unknown): boolean {
  return typeof found === 'object' && found !== null && 'enabled' in found && !found.enabled;
}
