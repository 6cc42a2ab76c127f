import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { AppEnv } from '../env.ts';
import { log } from '../lib/log.ts';
import { type Problem, problemResponse, tooManyRequests } from '../problem.ts';
import { checkLimitedByAddress, LIMIT_PERIOD_SECONDS } from '../rate-limits.ts';
import { recordStep } from '../request-log.ts';
import { hasOtherIssuer, otherIssuer, ownIssuer } from './issuer.ts';
import type { Scope } from './scopes.ts';
import { type Caller, verifiedCaller, verifyToken } from './verify.ts';

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
    if (!/^Bearer( |$)/i.test(authorization)) return deny('missing_token', 'Send the token as Authorization: Bearer.');
    const startedAt = Date.now();
    const verdict = await verify(c, authorization.slice('Bearer'.length).trim());
    recordStep(c, 'token', startedAt);
    switch (verdict.kind) {
      case 'too many attempts':
        throw tooManyRequests(LIMIT_PERIOD_SECONDS);
      case 'expired':
        return deny('invalid_token', 'The access token has expired.');
      case 'denied':
        log('info', 'token.denied', { requestId: c.var.requestId, reason: verdict.reason });
        return deny('invalid_token', 'The access token is malformed, revoked, or meant for another service.');
    }
    if (!verdict.caller.scopes.includes(scope)) {
      return deny('insufficient_scope', `The access token lacks the scope ${scope}.`, `, scope="${scope}"`);
    }
    c.set('caller', verdict.caller);
    return next();
  });
  return Object.assign(middleware, { security: [{ accessToken: [scope] }] as const });
}

async function verify(c: Context<CallerEnv>, token: string) {
  const issuer = hasOtherIssuer(c.env) ? otherIssuer(c.env) : await ownIssuer(c.env, c.req.url);
  const now = Date.now();
  const caller = verifiedCaller(issuer, token, now);
  if (caller !== undefined) return { kind: 'authorized', caller } as const;
  return checkLimitedByAddress(c.env, c.req.raw, () => verifyToken(c.env.DB, issuer, token, now));
}

/** A problem with its challenge (RFC 6750 section 3), which contains no error code if no token was sent. */
function deny(code: Problem['code'], detail: string, attributes = ''): Response {
  const error = code === 'missing_token' ? '' : `, error="${code}", error_description="${detail}"`;
  const challenge = `Bearer realm="units"${error}${attributes}`;
  return problemResponse({ code, detail }, { 'WWW-Authenticate': challenge });
}
