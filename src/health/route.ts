import type { Context } from 'hono';
import { Hono } from 'hono';
import { environmentsOf } from '../databases/environments.ts';
import { isDatabaseReady } from '../db/health.ts';
import { isWithin } from '../lib/age.ts';
import { DependencyUnavailable, orUnavailable, RETRY_AFTER_SECONDS } from '../lib/unavailable.ts';
import { type CallerEnv, requireScope } from '../oauth/bearer.ts';
import { methodNotAllowed } from '../problem.ts';
import { lateReaders } from '../readers/view.ts';

/** Milliseconds for which an isolate reuses a result, so that requests from anywhere cost the database little. */
const MAX_AGE_MS = 1_000;

let last: { readonly isReady: boolean; readonly checkedAt: number } | undefined;

/** For uptime monitors: 200 if every database responds, otherwise 503. For an operator with a token: the late readers, too. */
export const health = new Hono<CallerEnv>();

health.get(
  '/health',
  async (c, next) => {
    const now = Date.now();
    if (last === undefined || !isWithin(MAX_AGE_MS, last.checkedAt, now)) {
      const ready = [...environmentsOf(c.env).values()].map(({ DB }) => isDatabaseReady(DB));
      last = { isReady: (await Promise.all(ready)).every(Boolean), checkedAt: now };
    }
    if (!last.isReady) return unavailable(c);
    return c.req.header('Authorization') === undefined ? c.json({ status: 'ok' }, 200, HEADERS) : next();
  },
  requireScope('readers:read'),
  async (c) => {
    const { accountId } = c.var.caller;
    const now = Math.floor(Date.now() / 1_000);
    const late = await orUnavailable('late readers', lateReaders(c.env.DB, accountId, now));
    return c.json({ status: 'ok', late_readers: late }, 200, HEADERS);
  },
);

health.all('/health', () => methodNotAllowed('GET, HEAD'));

health.onError((error, c) => {
  if (error instanceof DependencyUnavailable) return unavailable(c);
  throw error;
});

const HEADERS = { 'Cache-Control': 'no-store' };

function unavailable(c: Context): Response {
  return c.json({ status: 'unavailable' }, 503, { ...HEADERS, 'Retry-After': String(RETRY_AFTER_SECONDS) });
}
