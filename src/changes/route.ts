import { readSetting } from '../accounts/accounts.ts';
import { clientReads, error, errors, ok } from '../api/responses.ts';
import { createRoute, Router } from '../api/router.ts';
import { callerKey } from '../feed/access/callers.ts';
import { SHOWN_FIELDS } from '../feed/formats/formats.ts';
import { type Credentials, keyDigest } from '../feed/request/credentials.ts';
import { selectPreset } from '../feed/request/query.ts';
import { boundedCache } from '../lib/bounded-cache.ts';
import { type EpochMilliseconds, isoTime, isWithin } from '../lib/time/time.ts';
import { withScope } from '../oauth/bearer.ts';
import { existing, ProblemError } from '../problem.ts';
import type { PropertyDocument } from '../properties/documents.ts';
import { requireFeedAccess } from '../readers/api/feed-access.ts';
import { findReaderOfKey } from '../readers/keys.ts';
import { isWithheld, type Policy, withoutWithheld } from '../readers/policy.ts';
import { ALL_LISTED, offersShown, type Selection } from '../readers/selection.ts';
import { serves } from '../request-log.ts';
import { unitView } from '../units/view.ts';
import { COMPASS, directionsIn, ORIENTATION } from '../vocabulary/orientation.ts';
import * as news from './changes.ts';
import { type Cursor, encodeCursor, expiry, propertiesScope, unitsScope } from './cursor.ts';
import * as schemas from './schemas.ts';

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
  const { accountId, preset, channel, policy } = reader;
  const { category, onWebsites, withoutRented, availableOnly, ...selected } = selectPreset(
    preset,
    channel,
    policy,
  ).parameters;
  const listing = {
    category,
    onWebsites,
    withoutRented,
    availableOnly,
    ...(selected.policy && { policy: selected.policy }),
  };
  return { audience: { accountId, listing, channel }, credentials };
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
  request: REQUEST,
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
  const { limit, after } = c.req.valid('query');
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
  return c.json(body, 200, headers);
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

interface Reader {
  /** What it may see. */
  readonly policy: Policy;
  /** The secret of moved places. */
  readonly secret: string;
  /** The offers that it gets. */
  readonly category: Selection['category'];
}

const EVERYTHING: Policy = { withhold: [], place: 'exact', kind: null };

async function readerOf(db: D1Database, { accountId, listing }: news.Audience): Promise<Reader> {
  const { policy = EVERYTHING, category } = listing;
  const secret = policy.place === 'moved' ? await readSetting(db, accountId, 'placeSecret') : '';
  return { policy, secret, category };
}

/** A change as responses show it: the property as it is now, or that the caller no longer sees it. A client is no `reader`. */
function propertyChangeView(
  { id, number, document: stored, directions }: news.PropertyChange,
  reader: Reader | null,
) {
  if (stored === null) return { kind: 'removed', id, number } as const;
  const document =
    directions === null
      ? stored
      : { ...stored, features: featuresFacing(directions, stored.features) };
  const property = reader === null ? { ...document } : shownByFeeds(document, reader);
  return { kind: 'changed', id, number, property } as const;
}

/** The features of a property that is a unit, with the unit's directions instead of its own. */
function featuresFacing(directions: string, features: readonly string[]): string[] {
  const ofUnit = directionsIn(directions).map(
    (code) => `${ORIENTATION}: ${COMPASS[code]?.[0] ?? code}`,
  );
  return [
    ...new Set([...ofUnit, ...features.filter((code) => !code.startsWith(`${ORIENTATION}: `))]),
  ];
}

function unitChangeView(change: news.UnitChange) {
  const { kind, number } = change;
  if (kind === 'changed') return { kind, number, unit: unitView(change.unit) } as const;
  return { kind, number, development_id: change.development, UntName: change.name } as const;
}

/** The fields that a reader gets besides the texts. */
const SHOWN: ReadonlySet<string> = new Set([
  'kind',
  'id',
  'updated_at',
  'unit',
  'pictures',
  ...SHOWN_FIELDS,
]);

/** What a reader gets of a property: what feeds show, with the time that they show. */
function shownByFeeds(document: PropertyDocument, { policy, secret, category }: Reader) {
  const seen = withoutWithheld(document, policy, secret);
  const shown = Object.fromEntries(Object.entries(seen).filter(([name]) => SHOWN.has(name)));
  const texts = Object.entries(document.texts).map(([language, { description, url }]) => [
    language,
    isWithheld(policy, 'url') ? { description } : { description, url },
  ]);
  return {
    ...shown,
    offers: offersShown(seen.offers!, { category }),
    updated_at: [document.updated_at ?? '', isoTime(policy.since ?? 0)].sort()[1]!,
    texts: Object.fromEntries(texts),
  };
}

/** Milliseconds between reads of an account's number, and between checks of the number that was read. */
const INTERVAL_MS = 1_000;
const LOOK_MS = 200;

/** Who follows the changes of an account, and from where. */
interface Following<Change, View> {
  readonly db: D1Database;
  readonly accountId: number;
  /** Names what the caller sees. */
  readonly scope: string;
  /** Whether the caller still sees the same after a wait. */
  readonly isSame?: () => Promise<boolean>;
  readonly after: Cursor | null;
  readonly prefer: string | undefined;
  /** Reads a page after a position; `null` if the account no longer exists. */
  readonly read: (
    after: news.Position | null,
  ) => Promise<(news.ChangesPage<Change> & news.ChangeState) | null>;
  readonly view: (change: Change) => View;
}

/**
 * A page of changes and the headers of its response; an empty one only after the time for which the
 * caller prefers to wait.
 *
 * @throws ProblemError if the cursor has expired, or the account no longer exists
 */
async function follow<Change, View>({
  db,
  accountId,
  scope,
  isSame = async () => true,
  after: cursor,
  prefer,
  read,
  view,
}: Following<Change, View>) {
  const wait = preferredWait(prefer);
  const end = Date.now() + wait * 1_000;
  let after: news.Position | null = cursor;
  for (;;) {
    const page = existing(await read(after), {
      code: 'not_found',
      detail: 'The account no longer exists.',
    });
    const expired = cursor && expiry(cursor, page, scope);
    if (expired)
      throw new ProblemError({
        code: 'cursor_expired',
        detail: `${expired} ${schemas.BEGIN_AGAIN}`,
      });
    const isEmpty = page.changes.length === 0;
    if (
      isEmpty &&
      (await changesBefore(end, db, accountId, page.next.number)) &&
      (await isSame())
    ) {
      after = page.next;
      continue;
    }
    return {
      body: {
        changes: page.changes.map(view),
        next: encodeCursor({ ...page.next, incarnation: page.incarnation, scope }),
        has_more: page.hasMore,
        as_of: isoTime(page.now),
      },
      headers: {
        'Cache-Control': 'private, no-store',
        ...(wait > 0 && { 'Preference-Applied': `wait=${wait}` }),
      },
    };
  }
}

/** The seconds for which a caller prefers to wait (`Prefer: wait=30`, RFC 7240 section 4.3); 0 without a preference. */
function preferredWait(prefer: string | undefined): number {
  const [, seconds] = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,9})"?(?:$|[,;\s])/i.exec(prefer ?? '') ?? [];
  return Math.min(Number(seconds ?? 0), schemas.MAX_WAIT_SECONDS);
}

/** The numbers of accounts as this isolate last read them for all requests that wait. They are values: see `manifest-cache.ts`. */
const readings = boundedCache<{ readonly readAt: EpochMilliseconds; number: number }>({
  maxBytes: 2_000_000,
  valueBytes: 50,
});

/** Waits for an account to change after a number, and returns whether it did before `end`. */
async function changesBefore(
  end: EpochMilliseconds,
  db: D1Database,
  accountId: number,
  number: number,
) {
  const key = String(accountId);
  for (let now = Date.now(); now < end; now = Date.now()) {
    await scheduler.wait(Math.min(LOOK_MS, end - now));
    let reading = readings.get(key);
    if (reading === undefined || !isWithin(INTERVAL_MS, reading.readAt, Date.now())) {
      reading = { readAt: Date.now(), number: 0 };
      readings.set(key, reading);
      // If the account no longer exists, the next page says so.
      reading.number =
        (await news.readChangeState(db, accountId))?.number ?? Number.MAX_SAFE_INTEGER;
    }
    if (reading.number > number) return true;
  }
  return false;
}
