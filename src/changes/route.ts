import { type Context, Hono } from 'hono';
import {
  type ChangeState,
  type ChangesPage,
  type Position,
  readPropertyChanges,
  readUnitChanges,
} from '../db/changes.ts';
import type { AppEnv } from '../env.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../http/page.ts';
import { log } from '../lib/log.ts';
import { isoTime } from '../lib/time.ts';
import { DependencyUnavailable, orUnavailable, RETRY_AFTER_SECONDS } from '../lib/unavailable.ts';
import { type CallerEnv, requireScope } from '../oauth/bearer.ts';
import { methodNotAllowed, problemResponse } from '../problem.ts';
import { requestId } from '../request-log.ts';
import { type ChangesCaller, clientOf, readerOf } from './caller.ts';
import { decodeCursor, encodeCursor, expiry, scopeOf } from './cursor.ts';
import { propertyChangeView, unitChangeView } from './view.ts';
import { changedBefore, preferredWait } from './wait.ts';

const PROPERTIES = '/v1/changes';
const UNITS = '/v1/units/changes';

/** What has changed since: of properties for clients and readers, of units for clients. */
export const changes = new Hono<AppEnv>();

changes.get(PROPERTIES, async (c, next) => {
  if (!/^Basic( |$)/i.test(c.req.header('Authorization') ?? '')) return next();
  const caller = await readerOf(c);
  return caller instanceof Response ? caller : propertyChanges(c, caller);
});
changes.get(PROPERTIES, requireScope('properties:read'), (c) =>
  propertyChanges(c as unknown as Context<AppEnv>, clientOf(c.var.caller.accountId)),
);
changes.get(UNITS, requireScope('units:read'), (c: Context<CallerEnv>) => {
  const { accountId } = c.var.caller;
  return respond(
    c as unknown as Context<AppEnv>,
    accountId,
    scopeOf('units', accountId),
    unitChangeView,
    (after, limit) => readUnitChanges(c.env.DB, accountId, after, limit),
  );
});
changes.on('ALL', [PROPERTIES, UNITS], () => methodNotAllowed('GET, HEAD'));

changes.onError((error, c) => {
  if (!(error instanceof DependencyUnavailable)) throw error;
  log('error', 'dependency.unavailable', { requestId: requestId(c), error: error.message });
  return problemResponse(
    { code: 'unavailable', detail: 'Retry later.' },
    { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  );
});

function propertyChanges(c: Context<AppEnv>, { audience, isReader }: ChangesCaller): Promise<Response> {
  const { accountId, states, channel } = audience;
  const scope = scopeOf('properties', accountId, states, channel);
  const view = (change: Parameters<typeof propertyChangeView>[0]) => propertyChangeView(change, isReader);
  return respond(c, accountId, scope, view, (after, limit) => readPropertyChanges(c.env.DB, audience, after, limit));
}

/** Reads a page after a position; `null` if the account no longer exists. */
type ReadPage<Change> = (after: Position | null, limit: number) => Promise<(ChangesPage<Change> & ChangeState) | null>;

/** A page of changes; an empty one only after the time for which the caller prefers to wait. */
async function respond<Change>(
  c: Context<AppEnv>,
  accountId: number,
  scope: string,
  view: (change: Change) => unknown,
  read: ReadPage<Change>,
): Promise<Response> {
  const limit = c.req.query('limit') ?? String(DEFAULT_LIMIT);
  if (!/^[1-9]\d{0,2}$/.test(limit) || Number(limit) > MAX_LIMIT) {
    return problemResponse({ code: 'bad_parameter', detail: `limit must be an integer from 1 to ${MAX_LIMIT}.` });
  }
  const text = c.req.query('after');
  const cursor = text === undefined ? null : decodeCursor(text);
  if (text !== undefined && cursor === null) {
    return problemResponse({ code: 'bad_parameter', detail: 'after must be the `next` of an earlier response.' });
  }
  const wait = preferredWait(c.req.header('Prefer'));
  const end = Date.now() + wait * 1_000;
  let after: Position | null = cursor;
  for (;;) {
    const readAt = Date.now();
    const page = await orUnavailable('changes', read(after, Number(limit)));
    if (page === null) return problemResponse({ code: 'not_found', detail: 'The account no longer exists.' });
    const expired = cursor && expiry(cursor, page, scope);
    if (expired) {
      const detail = `${expired} Begin again without after: the first load contains everything that is listed.`;
      return problemResponse({ code: 'cursor_expired', detail });
    }
    const isOver = page.changes.length > 0 || page.hasMore;
    if (
      !isOver &&
      (await orUnavailable('changes', changedBefore(c.env.DB, accountId, page.next.number, readAt, end)))
    ) {
      after = page.next;
      continue;
    }
    return c.json(
      {
        changes: page.changes.map(view),
        next: encodeCursor({ ...page.next, incarnation: page.incarnation, scope }),
        has_more: page.hasMore,
        as_of: isoTime(page.now),
      },
      200,
      { 'Cache-Control': 'private, no-store', ...(wait > 0 ? { 'Preference-Applied': `wait=${wait}` } : {}) },
    );
  }
}
