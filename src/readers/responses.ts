import type { Context } from 'hono';
import { log } from '../lib/log.ts';
import { DependencyUnavailable, RETRY_AFTER_SECONDS } from '../lib/unavailable.ts';
import type { CallerEnv } from '../oauth/bearer.ts';
import { type FieldError, problemResponse } from '../problem.ts';
import { mayUpdate } from '../rate-limits.ts';
import { requestId } from '../request-log.ts';

export const NOT_CACHED = { 'Cache-Control': 'no-store' };

/** A 422 that names the invalid fields. */
export function invalid(errors: readonly FieldError[]): Response {
  return problemResponse({ code: 'invalid_fields', detail: 'See errors for the invalid fields.', errors });
}

/**
 * A 503 if the database fails.
 *
 * @throws any other error
 */
export function unavailable(error: Error, c: Context<CallerEnv>): Response {
  if (!(error instanceof DependencyUnavailable)) throw error;
  log('error', 'dependency.unavailable', { requestId: requestId(c), interface: 'readers', error: error.message });
  const problem = { code: 'unavailable', detail: 'Retry later.' } as const;
  return problemResponse(problem, { 'Retry-After': String(RETRY_AFTER_SECONDS) });
}

/** Whether the client may make another change in this minute. */
export function mayChange(c: Context<CallerEnv>): Promise<boolean> {
  return mayUpdate(c.env, c.var.caller, 1);
}
