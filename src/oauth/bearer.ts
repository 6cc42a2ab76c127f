import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { AppEnv } from '../env.ts';
import { log } from '../lib/log.ts';
import { type Problem, problemResponse, tooManyRequests } from '../problem.ts';
import { checkLimitedByAddress, LIMIT_PERIOD_SECONDS } from '../rate-limits.ts';
import { recordStep } from '../request-log.ts';
import { hasOtherIssuer, otherIssuer, ownIssuer } from './issuer.ts';
import type { Scope } from './scopes.ts';
import { type Caller, isVerifiedToken, type TokenVerdict, verifyToken } from './verify.ts';

/** The environment of a handler behind {@link requireScope}. */
export interface CallerEnv {
  Bindings: AppEnv['Bindings'];
  Variables: AppEnv['Variables'] & { caller: Caller };
}

/**
 * Middleware that requires an access token with the scope (RFC 6750) and sets `caller`; with the security requirement that
 * the OpenAPI document states.
 *
 * @throws DependencyUnavailable if a setting is invalid, or D1 or the other issuer fails
 */
export function requireScope(scope: Scope) {
  const middleware = createMiddleware<CallerEnv>(async (c, next) => {
    const authorization = c.req.header('Authorization') ?? '';
    if (!/^Bearer( |$)/i.test(authorization)) {
      return deny('missing_token', 'Send the token as Authorization: Bearer.');
    }
    const startedAt = Date.now();
    const verdict = await verify(c, authorization.slice('Bearer'.length).trim());
    recordStep(c, 'token', startedAt);
    if (verdict.kind !== 'authorized') return denyToken(c, verdict);
    const { caller } = verdict;
    if (!caller.scopes.includes(scope)) {
      return deny('insufficient_scope', `The access token lacks the scope ${scope}.`, `, scope="${scope}"`);
    }
    c.set('caller', caller);
    return next();
  });
  return Object.assign(middleware, { security: [{ accessToken: [scope] }] as const });
}

/** The outcome of verifying a token, unless its sender has sent too many invalid ones. */
type Verdict = TokenVerdict | { readonly kind: 'too many attempts' };

async function verify(c: Context<CallerEnv>, token: string): Promise<Verdict> {
  const issuer = hasOtherIssuer(c.env) ? otherIssuer(c.env) : await ownIssuer(c.env, c.req.url);
  const now = Date.now();
  const check = () => verifyToken(c.env.DB, issuer, token, now);
  return isVerifiedToken(issuer, token, now) ? check() : checkLimitedByAddress(c.env, c.req.raw, check);
}

function denyToken(c: Context<CallerEnv>, verdict: Exclude<Verdict, { kind: 'authorized' }>): Response {
  if (verdict.kind === 'too many attempts') return tooManyRequests(LIMIT_PERIOD_SECONDS);
  if (verdict.kind === 'expired') return deny('invalid_token', 'The access token has expired.');
  log('info', 'token.denied', { requestId: c.var.requestId, reason: verdict.reason });
  return deny('invalid_token', 'The access token is malformed, revoked, or meant for another service.');
}

/** A problem with its challenge (RFC 6750 section 3), which contains no error code if no token was sent. */
function deny(code: Problem['code'], detail: string, attributes = ''): Response {
  const error = code === 'missing_token' ? '' : `, error="${code}", error_description="${detail}"`;
  const challenge = `Bearer realm="units"${error}${attributes}`;
  return problemResponse({ code, detail }, { 'WWW-Authenticate': challenge });
}
