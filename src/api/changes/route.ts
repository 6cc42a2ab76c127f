import { readPlaceSecret } from '../../db/accounts/accounts.ts';
import {
  type ChangeState,
  type ChangesPage,
  type Position,
  type PropertyChange,
  readPropertyChanges,
  readUnitChanges,
} from '../../db/news/changes.ts';
import { Api } from '../../http/api.ts';
import { ok } from '../../http/operation.ts';
import { MAX_LIMIT } from '../../http/page.ts';
import { isoTime } from '../../lib/time/time.ts';
import { requireScope } from '../../oauth/bearer.ts';
import { policyIn } from '../../portfolio/policy.ts';
import { READER_KINDS } from '../../portfolio/restrictions.ts';
import { ProblemError } from '../../problem.ts';
import { A_101 } from '../units/examples.ts';
import { requireFollower } from './caller.ts';
import { type Cursor, encodeCursor, expiry, scopeOf } from './cursor.ts';
import { changesQuery, preferHeader, propertyChanges, unitChanges } from './schemas.ts';
import { propertyChangeView, unitChangeView } from './view.ts';
import { changedBefore, preferredWait } from './wait.ts';

/** What has changed since: of properties for clients and readers, of units for clients. */
export const changes = new Api('Changes');

const BEGIN_AGAIN = 'Begin again without after: the first load contains everything that is listed.';

/** @param cursor of another account */
function problems(cursor: string) {
  return {
    bad_parameter: {
      description: '`limit` or `after` is invalid.',
      detail: `limit must be an integer from 1 to ${MAX_LIMIT}.`,
      request: { query: { limit: '0' } },
    },
    cursor_expired: {
      description: 'the database has been restored, or the caller sees something else than before.',
      detail: `It was given for another account, channel or selection. ${BEGIN_AGAIN}`,
      request: { query: { after: btoa(cursor).replace(/=+$/, '') } },
    },
  };
}

changes.operation(
  {
    method: 'get',
    path: '/v1/changes',
    operationId: 'listChanges',
    summary: 'What has changed in an agency’s properties',
    description:
      'Each property that has changed since a request, once, as it is now; or that it was removed: sold, withdrawn, ' +
      'deleted, or no longer in the reader’s channel or selection. The first load and following it are the same request: ' +
      'begin without `after`, and pass `next` from then on. The credentials are a token with the scope `properties:read`, ' +
      'or by Basic those of a reader, who gets its channel and what its preset selects. HEAD works as well.',
    middleware: requireFollower,
    request: { query: changesQuery, headers: preferHeader },
    responses: { 200: ok(propertyChanges, 'Changes, in their order.', 'Preference-Applied') },
    problems: {
      ...problems('1.0.0.p-0'),
      bad_credentials: {
        description: 'the key is not that of a reader.',
        detail: "Send the account's code and a reader's key.",
        request: { headers: { Authorization: `Basic ${btoa('OWNPROPERTIES@DEMO:wrong')}` } },
        headers: ['WWW-Authenticate'],
      },
    },
    examples: { changes: {} },
  },
  async (c) => {
    const { audience, policy } = c.var.follower;
    const { accountId, states, channel, kind } = audience;
    const { after, limit } = c.req.valid('query');
    const wait = preferredWait(c.req.valid('header').Prefer);
    const seenBy = policy === null ? null : await audienceOf(c.env.DB, accountId, policy);
    const page = await awaitPage(c.env.DB, accountId, wait, {
      cursor: after,
      scope: scopeOf('properties', accountId, states, channel, ...(kind === null ? [] : [READER_KINDS.indexOf(kind)])),
      view: (change: PropertyChange) => propertyChangeView(change, seenBy),
      read: (position) => readPropertyChanges(c.env.DB, audience, position, limit),
    });
    return c.json(page, 200, headersOf(wait));
  },
);

changes.operation(
  {
    method: 'get',
    path: '/v1/units/changes',
    operationId: 'listUnitChanges',
    summary: 'What has changed in the units of developments',
    description:
      'Each unit that has changed since a request, once, as it is now; or that it was removed. As with properties, begin ' +
      'without `after`, and pass `next` from then on. HEAD works as well.',
    middleware: requireScope('units:read'),
    request: { query: changesQuery, headers: preferHeader },
    responses: { 200: ok(unitChanges, 'Changes, in their order.', 'Preference-Applied') },
    problems: problems('1.0.0.u-0'),
    examples: {
      changes: {
        request: { query: { limit: '1' } },
        body: {
          changes: [{ kind: 'changed', number: 1, unit: A_101 }],
          next: 'MS4xLjMudS0x',
          has_more: true,
          as_of: '2026-11-01T09:30:00Z',
        },
      },
    },
  },
  async (c) => {
    const { accountId } = c.var.caller;
    const { after, limit } = c.req.valid('query');
    const wait = preferredWait(c.req.valid('header').Prefer);
    const page = await awaitPage(c.env.DB, accountId, wait, {
      cursor: after,
      scope: scopeOf('units', accountId),
      view: unitChangeView,
      read: (position) => readUnitChanges(c.env.DB, accountId, position, limit),
    });
    return c.json(page, 200, headersOf(wait));
  },
);

/** What a reader with this policy may see. */
async function audienceOf(db: D1Database, accountId: number, policy: string) {
  const isMoved = policyIn(policy).place === 'moved';
  return { policy: policyIn(policy), secret: isMoved ? await readPlaceSecret(db, accountId) : '' };
}

/** Which changes are asked for. */
interface Following<Change, View> {
  readonly cursor: Cursor | null;
  readonly scope: string;
  readonly view: (change: Change) => View;
  /** Reads a page after a position; `null` if the account no longer exists. */
  readonly read: (after: Position | null) => Promise<(ChangesPage<Change> & ChangeState) | null>;
}

/**
 * A page of changes; an empty one only after the time for which the caller prefers to wait.
 *
 * @param wait seconds
 * @throws ProblemError if the cursor has expired, or the account no longer exists
 */
async function awaitPage<Change, View>(
  db: D1Database,
  accountId: number,
  wait: number,
  { cursor, scope, view, read }: Following<Change, View>,
) {
  const end = Date.now() + wait * 1_000;
  let after: Position | null = cursor;
  for (;;) {
    const readAt = Date.now();
    const page = await read(after);
    if (page === null) throw new ProblemError({ code: 'not_found', detail: 'The account no longer exists.' });
    const expired = cursor && expiry(cursor, page, scope);
    if (expired) throw new ProblemError({ code: 'cursor_expired', detail: `${expired} ${BEGIN_AGAIN}` });
    const isOver = page.changes.length > 0 || page.hasMore;
    if (!isOver && (await changedBefore(db, accountId, page.next.number, readAt, end))) {
      after = page.next;
      continue;
    }
    return {
      changes: page.changes.map(view),
      next: encodeCursor({ ...page.next, incarnation: page.incarnation, scope }),
      has_more: page.hasMore,
      as_of: isoTime(page.now),
    };
  }
}

function headersOf(wait: number): Record<string, string> {
  return { 'Cache-Control': 'private, no-store', ...(wait > 0 && { 'Preference-Applied': `wait=${wait}` }) };
}
