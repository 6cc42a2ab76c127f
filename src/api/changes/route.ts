import { readSetting } from '../../db/accounts/accounts.ts';
import { type PropertyChange, readPropertyChanges, readUnitChanges } from '../../db/news/changes.ts';
import { Api } from '../../http/api.ts';
import { ok } from '../../http/operation.ts';
import { MAX_LIMIT } from '../../http/page.ts';
import { requireScope } from '../../oauth/bearer.ts';
import { policyIn } from '../../portfolio/policy.ts';
import { READER_KINDS } from '../../portfolio/restrictions.ts';
import { A_101 } from '../units/examples.ts';
import { NO_KEY, requireFollower } from './caller.ts';
import { scopeOf } from './cursor.ts';
import { follow } from './following.ts';
import { BEGIN_AGAIN, changesQuery, preferHeader, propertyChanges, unitChanges } from './schemas.ts';
import { propertyChangeView, unitChangeView } from './view.ts';

/** What has changed since: of properties for clients and readers, of units for clients. */
export const changes = new Api('Changes');

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

changes.read({
  path: '/v1/changes',
  operationId: 'listChanges',
  summary: 'What has changed in an agency’s properties',
  description:
    'Each property that has changed since a request, once, as it is now; or that it was removed: sold, withdrawn, ' +
    'deleted, or no longer in the reader’s channel or selection. The first load and following it are the same request: ' +
    'begin without `after`, and pass `next` from then on. The credentials are a token with the scope `properties:read`, ' +
    'or by Basic those of a reader, who gets its channel and what its preset selects.',
  middleware: requireFollower,
  request: { query: changesQuery, headers: preferHeader },
  responses: { 200: ok(propertyChanges, 'Changes, in their order.', 'Preference-Applied') },
  problems: {
    ...problems('1.0.0.p-0'),
    bad_credentials: {
      description: 'the key is not that of a reader.',
      detail: NO_KEY,
      request: { headers: { Authorization: `Basic ${btoa('OWNPROPERTIES@DEMO:wrong')}` } },
      headers: ['WWW-Authenticate'],
    },
  },
  examples: { changes: {} },
  handle: async (c, { query: { after, limit }, headers }) => {
    const db = c.env.DB;
    const { audience, policy } = c.var.granted;
    const { accountId, states, channel, kind } = audience;
    const seenBy = policy === null ? null : await audienceOf(db, accountId, policy);
    return follow({
      ...{ db, accountId, cursor: after, prefer: headers.Prefer },
      scope: scopeOf('properties', accountId, states, channel, ...(kind === null ? [] : [READER_KINDS.indexOf(kind)])),
      view: (change: PropertyChange) => propertyChangeView(change, seenBy),
      read: (position) => readPropertyChanges(db, audience, position, limit),
    });
  },
});

changes.read({
  path: '/v1/units/changes',
  operationId: 'listUnitChanges',
  summary: 'What has changed in the units of developments',
  description:
    'Each unit that has changed since a request, once, as it is now; or that it was removed. As with properties, begin ' +
    'without `after`, and pass `next` from then on.',
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
  handle: async (c, { query: { after, limit }, headers }) => {
    const db = c.env.DB;
    const { accountId } = c.var.caller;
    return follow({
      ...{ db, accountId, cursor: after, prefer: headers.Prefer },
      scope: scopeOf('units', accountId),
      view: unitChangeView,
      read: (position) => readUnitChanges(db, accountId, position, limit),
    });
  },
});

/** What a reader with this policy may see. */
async function audienceOf(db: D1Database, accountId: number, policy: string) {
  const isMoved = policyIn(policy).place === 'moved';
  return { policy: policyIn(policy), secret: isMoved ? await readSetting(db, accountId, 'placeSecret') : '' };
}
