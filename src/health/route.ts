import { Hono } from 'hono';
import { isDatabaseReady } from '../db/health.ts';
import type { AppEnv } from '../env.ts';
import { isWithin } from '../lib/age.ts';
import { RETRY_AFTER } from '../lib/unavailable.ts';
import { methodNotAllowed } from '../problem.ts';

/** Milliseconds for which an isolate reuses a result, so that requests from anywhere cost the database little. */
const MAX_AGE = 1_000;

let last: { readonly isReady: boolean; readonly checkedAt: number } | undefined;

/** For uptime monitors: 200 if the database responds, otherwise 503. */
export const health = new Hono<AppEnv>();

health.get('/health', async (c) => {
  const now = Date.now();
  if (last === undefined || !isWithin(MAX_AGE, last.checkedAt, now)) {
    last = { isReady: await isDatabaseReady(c.env.DB), checkedAt: now };
  }
  const headers = { 'Cache-Control': 'no-store' };
  if (last.isReady) return c.json({ status: 'ok' }, 200, headers);
  return c.json({ status: 'unavailable' }, 503, { ...headers, 'Retry-After': String(RETRY_AFTER) });
});

health.all('/health', () => methodNotAllowed('GET, HEAD'));
