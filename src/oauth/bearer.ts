import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import { findAccount, findAccountId } from '../accounts/accounts.ts';
import { environmentsOf } from '../accounts/environments.ts';
import type { AppEnv } from '../env.ts';
import { boundedCache } from '../lib/bounded-cache.ts';
import { log } from '../lib/log.ts';
import { noAccount, type Problem, ProblemError, problemResponse } from '../problem.ts';
import { checkLimitedByAddress, retryAfter, tooManyRequests } from '../rate-limits.ts';
import { recordStep } from '../request-log.ts';
import { findClient } from './clients.ts';
import { hasOtherIssuer, type Issuer, otherIssuer, ownIssuer } from './issuer.ts';
import { isOperatorKey } from './operator-key.ts';
import { SCOPES, type Scope } from './scopes.ts';

/** How far apart an issuer's clock and this one may be. */
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
  /** Whether it is the operator, who may do everything in the account that the query names. */
  readonly isOperator?: boolean;
}

/** The environment of a handler behind {@link requireScope}. */
export type CallerEnv = AppEnv & { Variables: { caller: Caller } };

/**
 * Middleware that requires an access token with the scope (RFC 6750) and sets `caller`.
 *
 * @throws DependencyUnavailable if a setting is invalid, or D1 or the other issuer fails
 */
export function requireScope(scope: Scope) {
  return createMiddleware<CallerEnv>(async (c, next) => {
    const authorization = c.req.header('Authorization') ?? '';
    if (!/^Bearer( |$)/i.test(authorization))
      return deny('missing_token', 'Send the token as Authorization: Bearer.');
    const token = authorization.slice('Bearer'.length).trim();
    if (isOperatorKey(c.env, token)) {
      c.set('caller', await operatorIn(c));
      return next();
    }
    const startedAt = Date.now();
    const verdict = await verify(c, token);
    recordStep(c, 'token', startedAt);
    switch (verdict.kind) {
      case 'too many attempts':
        throw tooManyRequests(retryAfter(c.req.raw));
      case 'expired':
        return deny('invalid_token', 'The access token has expired.');
      case 'denied':
        log('info', 'token.denied', { requestId: c.var.requestId, reason: verdict.reason });
        return deny(
          'invalid_token',
          'The access token is malformed, revoked, or meant for another service.',
        );
    }
    if (!verdict.caller.scopes.includes(scope)) {
      return deny(
        'insufficient_scope',
        `The access token lacks the scope ${scope}.`,
        `, scope="${scope}"`,
      );
    }
    c.set('caller', verdict.caller);
    return next();
  });
}

/** The access of an operation for clients: what it requires, and how the OpenAPI document says so. */
export function withScope(scope: Scope) {
  return { security: [{ accessToken: [scope] }], middleware: requireScope(scope) };
}

/** The operator in the account that `?account=CODE` names. @throws ProblemError if it names none */
async function operatorIn({ env, req }: Context<CallerEnv>): Promise<Caller> {
  const code = req.query('account') ?? '';
  if (code === '')
    throw new ProblemError({
      code: 'bad_parameter',
      detail: 'State the account, as in ?account=COSTA.',
    });
  const accountId = await findAccountId(env.DB, code);
  if (accountId === null) throw new ProblemError(noAccount(code));
  return { accountId, clientId: 'operator', scopes: SCOPES, isOperator: true };
}

/** What a 401 asks for (RFC 9110 section 11.6.1). */
export const BEARER_CHALLENGE = 'Bearer realm="Lindero"';

/** A problem with its challenge (RFC 6750 section 3), which contains no error code if no token was sent. */
function deny(code: Problem['code'], detail: string, attributes = ''): Response {
  const error = code === 'missing_token' ? '' : `, error="${code}", error_description="${detail}"`;
  const challenge = `${BEARER_CHALLENGE}${error}${attributes}`;
  return problemResponse({ code, detail }, { 'WWW-Authenticate': challenge });
}

/** Who has sent the verified tokens, by the token and what was required of it: the requests of a burst share one token. */
const callers = boundedCache<{ caller: Caller; until: number }>({
  maxBytes: 3_000_000,
  valueBytes: 500,
});

async function verify({ env, req }: Context<CallerEnv>, token: string) {
  const issuer = hasOtherIssuer(env) ? otherIssuer(env) : await ownIssuer(env, req.url);
  const now = Date.now();
  const key = [issuer.issuer, issuer.audience, ...issuer.requiredClaims, token].join(' ');
  const cached = callers.get(key);
  if (cached !== undefined && now < cached.until)
    return { kind: 'authorized', caller: cached.caller } as const;
  return checkLimitedByAddress(env, req.raw, async () => {
    try {
      const claims = await verifiedClaims(issuer, token);
      if (claims === null)
        return { kind: 'denied', reason: 'its typ is not that of an access token' } as const;
      const caller = await findCaller(env.DB, issuer, claims);
      if (caller === null)
        return { kind: 'denied', reason: 'its client or account is unknown or disabled' } as const;
      const maxAge = environmentsOf(env).size > 1 ? TOKEN_CACHE_OF_SEVERAL_MS : TOKEN_CACHE_MS;
      callers.set(key, { caller, until: Math.min(now + maxAge, claims.exp! * 1000) });
      return { kind: 'authorized', caller } as const;
    } catch (error) {
      if (error instanceof errors.JWTExpired) return { kind: 'expired' } as const;
      if (error instanceof errors.JOSEError)
        return { kind: 'denied', reason: `${error.code}: ${error.message}` } as const;
      throw error;
    }
  });
}

/**
 * What an access token states, after its signature, algorithm, issuer, audience and times have been verified (RFC 9068
 * section 4); `null` if it is a token of another type.
 */
async function verifiedClaims(
  { keys, types, ...required }: Issuer,
  token: string,
): Promise<JWTPayload | null> {
  const options = { ...required, clockTolerance: CLOCK_TOLERANCE_SECONDS };
  const { payload, protectedHeader } = await jwtVerify(token, keys, options);
  const { typ } = protectedHeader;
  const type = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : typ;
  return types.includes(type) ? payload : null;
}

/** Who has sent a token with these claims; `null` if its client or account is unknown or disabled. */
async function findCaller(
  db: D1Database,
  { accountClaim }: Issuer,
  claims: JWTPayload,
): Promise<Caller | null> {
  const scopes = scopesOf(claims);
  if (accountClaim === null) {
    const clientId = String(claims.client_id);
    const client = await findClient(db, clientId);
    // A later client, even one of another account, can have the id of the deleted client that the token was issued to.
    if (!client?.enabled || client.createdAt !== claims.client_created_at) return null;
    return {
      accountId: client.accountId,
      clientId,
      scopes: scopes.filter((scope) => client.scopes.includes(scope)),
    };
  }
  const code = claims[accountClaim];
  const account =
    typeof code === 'string' ? await findAccount(db, { code: code.toUpperCase() }) : null;
  const clientId =
    [claims.client_id, claims.azp, claims.sub].find((name) => typeof name === 'string') ??
    'unnamed';
  return account === null ? null : { accountId: account.id, clientId, scopes };
}

/** `scope` is defined by RFC 8693 section 4.2; some issuers use `scp` instead, as a string or an array. */
function scopesOf({ scope, scp }: JWTPayload): readonly string[] {
  const claim = scope ?? scp;
  return typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];
}
