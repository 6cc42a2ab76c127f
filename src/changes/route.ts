import { clientReads, error, errors, ok } from '../api/responses.ts';
import { createRoute, Router } from '../api/router.ts';
import { callerKey } from '../feed/access/callers.ts';
import { type Credentials, keyDigest } from '../feed/request/credentials.ts';
import { selectPreset } from '../feed/request/query.ts';
import { boundedCache } from '../lib/bounded-cache.ts';
import { withScope } from '../oauth/bearer.ts';
import { requireFeedAccess } from '../readers/api/feed-access.ts';
import { findReaderOfKey } from '../readers/keys.ts';
import { ALL_LISTED, listingOf } from '../readers/selection.ts';
import { serves } from '../request-log.ts';
import { labelsOf } from '../vocabulary/labels.ts';
import { readVocabulary } from '../vocabulary/stored.ts';
import * as news from './changes.ts';
import { propertiesScope, unitsScope } from './cursor.ts';
import { follow } from './follow.ts';
import * as schemas from './schemas.ts';
import { propertyChangeView, readerOf, unitChangeView } from './view.ts';

interface ChangesCaller {
  readonly audience: news.Audience;
  /**
   * The key of a reader, who gets only what feeds show. It can be revoked while a request waits. A client has none.
   */
  readonly credentials?: Credentials;
}

/** The readers whose keys this isolate has found to be valid. Their requests are checked again, but not limited. */
const verified = boundedCache<true>({ maxBytes: 3_000_000, valueBytes: 0 });

/**
 * Middleware that requires the key of a reader by Basic, who sees its channel and what its preset selects, or an access
 * token, whose client sees every listed property of its account.
 */
const requireFollower = requireFeedAccess<ChangesCaller>({
  scope: 'properties:read',
  detail: "Send the account's code and a reader's key.",
  ofClient: async (_, accountId) => ({
    audience: { accountId, listing: ALL_LISTED, channel: null },
  }),
  isVerified: (credentials) => verified.has(callerKey(credentials)),
  ofFeed: async (c, credentials) => {
    const reader = await findReader(c.env.DB, credentials);
    if (reader === null) verified.delete(callerKey(credentials));
    else verified.set(callerKey(credentials), true);
    return reader;
  },
});

async function findReader(db: D1Database, credentials: Credentials): Promise<ChangesCaller | null> {
  const digest = keyDigest(credentials.password);
  if (digest === null) return null;
  const reader = await findReaderOfKey(db, credentials.account, digest);
  if (reader === null) return null;
  const { id, accountId, preset, channel, policy } = reader;
  const listing = listingOf(selectPreset(preset, channel, policy).parameters);
  return { audience: { accountId, listing, channel, reader: id }, credentials };
}

const REQUEST = { query: schemas.changesQuery, headers: schemas.preferHeader };

/** The errors of following changes. */
const CURSOR_ERRORS = [
  error(
    'bad_parameter',
    '`limit` or `after` is invalid.',
    'limit must be an integer from 1 to 500.',
  ),
  error(
    'cursor_expired',
    'the database has been restored, or what the caller may see has changed.',
    `The cursor was given out for another account, channel or selection. ${schemas.BEGIN_AGAIN}`,
  ),
];

/** What has changed since: of properties for clients and readers, of units for clients. */
export const changes = new Router();

changes.use('/v1/changes/*', serves('changes'));
changes.use('/v1/units/changes/*', serves('changes'));

const listChanges = createRoute({
  method: 'get',
  path: '/v1/changes',
  operationId: 'listChanges',
  tags: ['Changes'],
  summary: 'What has changed in an agency’s properties',
  description:
    'Each property that has changed since the last request: once, and as it is now, or that it ' +
    'was removed (sold, withdrawn, deleted, or no longer in the reader’s channel or selection). ' +
    'A property that is a unit has the unit’s status, sale price and directions, as in feeds. ' +
    'The first request, without `after`, gets everything; pass `next` as `after` from then on. ' +
    'The credentials are a token with the scope `properties:read`; or a reader’s, by HTTP ' +
    'Basic, who gets its channel and what its preset selects.',
  security: [{ feedBasic: [] }, { accessToken: ['properties:read'] }],
  middleware: requireFollower,
  request: { ...REQUEST, query: schemas.propertyChangesQuery },
  responses: {
    200: ok(schemas.propertyChanges, 'Changes, in their order.', {
      headers: ['Preference-Applied'],
    }),
    ...errors(
      clientReads('properties:read'),
      CURSOR_ERRORS,
      error(
        'bad_credentials',
        'the key is not that of a reader.',
        "Send the account's code and a reader's key.",
      ),
    ),
  },
});

changes.openapi(listChanges, async (c) => {
  const db = c.env.DB;
  const { audience, credentials } = c.var.granted;
  const seenBy = credentials === undefined ? null : await readerOf(db, audience);
  const { limit, after, labels: language } = c.req.valid('query');
  const { body, headers } = await follow({
    db,
    accountId: audience.accountId,
    scope: propertiesScope(audience),
    isSame: async () =>
      credentials === undefined ||
      JSON.stringify(await findReader(db, credentials)) === JSON.stringify(c.var.granted),
    after,
    prefer: c.req.valid('header').Prefer,
    read: (position) => news.readPropertyChanges(db, audience, position, limit),
    view: (change) => propertyChangeView(change, seenBy),
  });
  if (language === undefined) return c.json(body, 200, headers);
  const shown = body.changes.flatMap((change) =>
    change.kind === 'changed' ? [change.property] : [],
  );
  const labels = labelsOf(await readVocabulary(db, audience.accountId), shown, language);
  return c.json({ ...body, labels }, 200, headers);
});

const listUnitChanges = createRoute({
  method: 'get',
  path: '/v1/units/changes',
  operationId: 'listUnitChanges',
  tags: ['Changes'],
  summary: 'What has changed in the units of developments',
  description:
    'Each unit that has changed since the last request: once, and as it is now, or that it was ' +
    'removed. As with properties, begin without `after`, and pass `next` as `after` from then ' +
    'on.',
  ...withScope('units:read'),
  request: REQUEST,
  responses: {
    200: ok(schemas.unitChanges, 'Changes, in their order.', {
      headers: ['Preference-Applied'],
      examples: {
        changes: {
          changes: [
            {
              kind: 'changed',
              number: 1,
              unit: {
                UntName: 'A-101',
                UntStatus: 8,
                UntPrice: 325_000,
                UntDirections: [['S', 'SE']],
                development_id: 'sol-azul',
                version: 2,
                changed_at: '2026-11-01T09:30:00Z',
              },
            },
          ],
          next: 'MS4xLjMudS0x',
          has_more: true,
          as_of: '2026-11-01T09:30:00Z',
        },
      },
    }),
    ...errors(clientReads('units:read'), CURSOR_ERRORS),
  },
});

changes.openapi(listUnitChanges, async (c) => {
  const db = c.env.DB;
  const { accountId } = c.var.caller;
  const { limit, after } = c.req.valid('query');
  const { body, headers } = await follow({
    db,
    accountId,
    scope: unitsScope(accountId),
    after,
    prefer: c.req.valid('header').Prefer,
    read: (position) => news.readUnitChanges(db, accountId, position, limit),
    view: unitChangeView,
  });
  return c.json(body, 200, headers);
});
