import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import * as z from 'zod';
import { reader } from '../api/readers/schemas.ts';
import { lateReaders } from '../api/readers/view.ts';
import { environmentsOf } from '../databases/environments.ts';
import { isDatabaseReady } from '../db/accounts/accounts.ts';
import type { AppEnv } from '../env.ts';
import { Api } from '../http/api.ts';
import { ok } from '../http/operation.ts';
import { NOT_CACHED, named } from '../http/schemas.ts';
import { isWithin, nowInSeconds } from '../lib/time/time.ts';
import { DependencyUnavailable, RETRY_AFTER_SECONDS } from '../lib/unavailable.ts';
import { type CallerEnv, requireScope } from '../oauth/bearer.ts';

/** Milliseconds for which an isolate reuses a result, so that requests from anywhere cost the database little. */
const MAX_AGE_MS = 1_000;

let last: { readonly isReady: boolean; readonly checkedAt: number } | undefined;

const withToken = requireScope('readers:read');

/** Middleware that requires the scope of an access token if credentials are sent, once the database responds. */
const optionalToken = Object.assign(
  createMiddleware<AppEnv>(async (c, next) => {
    const now = Date.now();
    if (last === undefined || !isWithin(MAX_AGE_MS, last.checkedAt, now)) {
      const ready = [...environmentsOf(c.env).values()].map(({ DB }) => isDatabaseReady(DB));
      last = { isReady: (await Promise.all(ready)).every(Boolean), checkedAt: now };
    }
    if (!last.isReady) throw new DependencyUnavailable('database: one is not responding');
    return c.req.header('Authorization') === undefined ? next() : withToken(c as unknown as Context<CallerEnv>, next);
  }),
  { security: [{}, ...withToken.security] },
);

const healthSchema = named(
  'Health',
  z.object({
    status: z.enum(['ok', 'unavailable']),
    late_readers: z.array(reader).optional().meta({
      description: 'Only with a token with the scope `readers:read`: the readers of its account that are late.',
    }),
  }),
);

/** For uptime monitors: 200 if every database responds, otherwise 503. For an operator with a token: the late readers, too. */
export const health = new Api('Service');

health.read({
  path: '/health',
  operationId: 'getHealth',
  summary: 'Whether the database responds',
  description: 'For uptime monitors; checked at most once a second.',
  middleware: optionalToken,
  responses: {
    200: ok(healthSchema, 'The database is reachable.'),
    503: ok(healthSchema, 'The database is not reachable.', 'Retry-After'),
  },
  problems: {
    missing_token: {
      description: 'the credentials are not an access token.',
      request: { headers: { Authorization: 'Basic bm9ib2R5Og==' } },
      when: undefined,
    },
  },
  examples: {
    ok: { when: 'no credentials', body: { status: 'ok' } },
    lateReaders: { body: { status: 'ok', late_readers: [] } },
    unavailable: { status: 503, when: 'the database fails', body: { status: 'unavailable' } },
  },
  handle: async (c) => {
    const { caller } = c.var;
    const late = caller && { late_readers: await lateReaders(c.env.DB, caller.accountId, nowInSeconds()) };
    return { body: { status: 'ok' as const, ...late }, headers: NOT_CACHED };
  },
});

/** The response if a dependency fails. */
export function unhealthy(): Response {
  const headers = { ...NOT_CACHED, 'Retry-After': String(RETRY_AFTER_SECONDS) };
  return Response.json({ status: 'unavailable' }, { status: 503, headers });
}
