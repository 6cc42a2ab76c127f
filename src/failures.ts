import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { AppEnv } from './env.ts';
import { describeError, log, logUnexpected } from './lib/log.ts';
import { isUnavailable, RETRY_AFTER_SECONDS } from './lib/unavailable.ts';
import { allowed, methodNotAllowed, ProblemError, problemResponse } from './problem.ts';

/** The response to an error that a route throws, in the format of its interface. */
export function errorResponse(error: Error, c: Context<AppEnv>): Response {
  if (error instanceof ProblemError) return problemResponse(error.problem, error.headers);
  if (error instanceof HTTPException) return error.getResponse();
  const { requestId, errorFormat = {}, interface: name = 'other' } = c.var;
  if (isUnavailable(error)) {
    log('error', 'dependency.unavailable', {
      requestId,
      interface: name,
      error: describeError(error),
    });
    const retry = { 'Retry-After': String(RETRY_AFTER_SECONDS) };
    return (
      errorFormat.unavailable?.(retry) ??
      problemResponse({ code: 'unavailable', detail: 'Retry later.' }, retry)
    );
  }
  logUnexpected(error, requestId);
  const detail = `Please quote request ${requestId}.`;
  const headers = { 'X-Request-Id': requestId };
  return (
    errorFormat.internal?.(detail, headers) ??
    problemResponse({ code: 'internal', detail }, headers)
  );
}

/** The response to a method that a path does not have. */
export function methodResponse(c: Context<AppEnv>, methods: readonly string[]): Response {
  const allow = allowed(methods);
  return c.var.errorFormat?.methodNotAllowed?.(c, allow) ?? methodNotAllowed(allow);
}
