import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { AppEnv } from '../env.ts';
import { log } from '../lib/log.ts';
import { requestId } from '../logged.ts';
import { problem, type Refusal } from '../problem.ts';
import { hasOtherIssuer, otherIssuer, ownIssuer } from './issuer.ts';
import type { Scope } from './scopes.ts';
import { type Caller, type TokenVerdict, verifyToken } from './verify.ts';

/** What a handler behind {@link requireScope} has. */
export interface CallerEnv {
  Bindings: AppEnv['Bindings'];
  Variables: AppEnv['Variables'] & { caller: Caller };
}

/**
 * Lets pass who has an access token with the scope (RFC 6750), and tells the handler who it is.
 *
 * @throws Unavailable where a setting, D1 or the other issuer fails
 */
export function requireScope(scope: Scope) {
  return createMiddleware<CallerEnv>(async (c, next) => {
    const authorization = c.req.header('Authorization') ?? '';
    if (!/^Bearer( |$)/i.test(authorization)) {
      return refuse('missing_token', 'Give it as Authorization: Bearer.');
    }
    const verdict = await verify(c, authorization.slice('Bearer'.length).trim());
    if (verdict.kind !== 'welcome') return turnAway(c, verdict);
    const { caller } = verdict;
    if (!caller.scopes.includes(scope)) {
      return refuse('insufficient_scope', `The access token is not for ${scope}.`, `, scope="${scope}"`);
    }
    c.set('caller', caller);
    return next();
  });
}

async function verify(c: Context<CallerEnv>, token: string): Promise<TokenVerdict> {
  const issuer = hasOtherIssuer(c.env) ? otherIssuer(c.env) : await ownIssuer(c.env, c.req.url);
  return verifyToken(c.env.DB, issuer, token, Date.now());
}

function turnAway(c: Context<CallerEnv>, verdict: Exclude<TokenVerdict, { kind: 'welcome' }>): Response {
  if (verdict.kind === 'expired') return refuse('invalid_token', 'The access token has expired.');
  log('info', 'token refused', { requestId: requestId(c), reason: verdict.reason });
  return refuse('invalid_token', 'The access token is malformed, revoked, or for another service.');
}

/** A refusal with its challenge (RFC 6750 section 3), which names no error where no token was given. */
function refuse(code: Refusal['code'], detail: string, attributes = ''): Response {
  const error = code === 'missing_token' ? '' : `, error="${code}", error_description="${detail}"`;
  const challenge = `Bearer realm="units"${error}${attributes}`;
  return problem({ code, detail }, { 'WWW-Authenticate': challenge });
}
