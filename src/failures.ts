import type { Context } from 'hono';
import type { AppEnv } from './env.ts';
import { describeError, log, logUnexpected } from './lib/log.ts';
import { isUnavailable, RETRY_AFTER_SECONDS } from './lib/unavailable.ts';
import { hasOtherIssuer } from './oauth/issuer.ts';
import { TokenError } from './oauth/token-request.ts';
import { allowed, methodNotAllowed, ProblemError, problemResponse } from './problem.ts';
import { interfaceOf } from './request-log.ts';
import { unhealthy } from './service/route.ts';

const RETRY = { 'Retry-After': String(RETRY_AFTER_SECONDS) };

/** The response to an error that a route throws, in the form of its interface. */
export function errorResponse(error: Error, c: Context<AppEnv>): Response {
  if (error instanceof ProblemError) return problemResponse(error.problem, error.headers);
  if (error instanceof TokenError) return error.response;
  const id = c.var.requestId;
  const requested = interfaceOf(c.req.path);
  if (isUnavailable(error)) {
    log('error', 'dependency.unavailable', {
      requestId: id,
      interface: requested,
      error: describeError(error),
    });
    if (requested === 'health') return unhealthy();
    if (requested === 'oauth')
      return new TokenError('temporarily_unavailable', 'Retry later.', 503, RETRY).response;
    const retry = requested === 'units' ? 'Retry later; updates are idempotent.' : 'Retry later.';
    return problemResponse({ code: 'unavailable', detail: retry }, RETRY);
  }
  logUnexpected(error, id);
  const detail = `Please quote request ${id}.`;
  const headers = { 'X-Request-Id': id };
  if (requested === 'oauth') return new TokenError('server_error', detail, 500, headers).response;
  return problemResponse({ code: 'internal', detail }, headers);
}

/** The response to a method that a path does not have. */
export function methodResponse(c: Context<AppEnv>, methods: readonly string[]): Response {
  const allow = allowed(methods);
  if (interfaceOf(c.req.path) !== 'oauth') return methodNotAllowed(allow);
  // If another issuer issues the tokens, these paths do not exist.
  if (hasOtherIssuer(c.env)) return c.res;
  return new TokenError('invalid_request', `Use ${allow}.`, 405, { Allow: allow }).response;
}
