import { readSetting } from '../../db/accounts/accounts.ts';
import type { Selection } from '../../db/feed/feed-properties.ts';
import { readManifest } from '../../db/feed/manifest.ts';
import * as news from '../../db/news/changes.ts';
import { callerKey } from '../../feed/access/callers.ts';
import { COMPASS, directionsIn, ORIENTATION } from '../../feed/formats/orientation.ts';
import { type Credentials, keyDigest } from '../../feed/request/credentials.ts';
import { selectPreset } from '../../feed/request/query.ts';
import { Api } from '../../http/api.ts';
import { type Input, ok } from '../../http/operation.ts';
import { boundedCache } from '../../lib/bounded-cache.ts';
import { sha256Hex } from '../../lib/secrets/secrets.ts';
import { type EpochMilliseconds, isoTime, isWithin } from '../../lib/time/time.ts';
import { requireScope } from '../../oauth/bearer.ts';
import type { PropertyDocument } from '../../portfolio/documents.ts';
import { policyIn, redacted } from '../../portfolio/policy.ts';
import { existing, ProblemError } from '../../problem.ts';
import { requireFeedAccess } from '../feed-access.ts';
import { unitView } from '../units/view.ts';
import { encodeCursor, expiry, scopeOf } from './cursor.ts';
import EXAMPLES from './examples.json' with { type: 'json' };
import * as schemas from './schemas.ts';

interface ChangesCaller {
  readonly audience: news.Audience;
  /** What it may see, if it is a reader, who gets only what feeds show; `null` for a client. */
  readonly policy: string | null;
  /** The offers that it gets. */
  readonly category: Selection['category'];
  /** The key of a reader, which can be revoked while its request waits. */
  readonly credentials?: Credentials;
}

/** Reading a manifest takes a parameter set; here, only its reader matters. */
const ANY_SET = selectPreset('', null).set;

/** The readers whose keys this isolate has found to be valid. Their requests are checked again, but not limited. */
const verified = boundedCache<true>(10_000);

/**
 * Middleware that requires the key of a reader by Basic, who sees its channel and what its preset selects, or an access
 * token, whose client sees every listed property of its account.
 */
const requireFollower = requireFeedAccess<ChangesCaller>({
  scope: 'properties:read',
  detail: "Send the account's code and a reader's key.",
  ofClient: async (_, accountId) => ({
    audience: { accountId, states: news.ALL_STATES, channel: null, kind: null },
    policy: null,
    category: 'All',
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
  const { manifest, reader } = await readManifest(db, credentials.account, ANY_SET, { digest, ofPreset: false });
  if (manifest === null || reader === null) return null;
  const { preset, channel, policy } = reader;
  const { parameters } = selectPreset(preset, channel);
  const { accountId } = manifest;
  const audience = { accountId, states: news.statesOf(parameters), channel, kind: policyIn(policy).kind };
  return { audience, policy, category: parameters.category, credentials };
}

const REQUEST = { query: schemas.changesQuery, headers: schemas.preferHeader };

/** What has changed since: of properties for clients and readers, of units for clients. */
export const changes = new Api('Changes', EXAMPLES);

changes.read({
  path: '/v1/changes',
  operationId: 'listChanges',
  summary: 'What has changed in an agency’s properties',
  description:
    'Each property that has changed since the last request: once, and as it is now, or that it was removed (sold, ' +
    'withdrawn, deleted, or no longer in the reader’s channel or selection). A property that is a unit has the unit’s ' +
    'status, sale price and directions, as in feeds. The first request, without `after`, gets everything; pass `next` as ' +
    '`after` from then on. The credentials are a token with the scope `properties:read`; or a reader’s, by HTTP Basic, ' +
    'who gets its channel and what its preset selects.',
  middleware: requireFollower,
  request: REQUEST,
  responses: { 200: ok(schemas.propertyChanges, 'Changes, in their order.', 'Preference-Applied') },
  handle: async (c, request) => {
    const db = c.env.DB;
    const { audience, policy, category, credentials } = c.var.granted;
    const { accountId, states, channel } = audience;
    const seenBy = policy === null ? null : await readerOf(db, accountId, policy, category);
    // A number for each policy: a reader who may now see more or less has to read everything again.
    const ofPolicy = policy ? [Number.parseInt(sha256Hex(policy).slice(0, 8), 16)] : [];
    const scope = scopeOf('properties', accountId, states, channel, ...ofPolicy);
    const read = (after: news.Position | null) => news.readPropertyChanges(db, audience, after, request.query.limit);
    const isSame = async () =>
      credentials === undefined || JSON.stringify(await findReader(db, credentials)) === JSON.stringify(c.var.granted);
    const view = (change: news.PropertyChange) => propertyChangeView(change, seenBy);
    return follow(db, { accountId, scope, isSame }, request, read, view);
  },
});

changes.read({
  path: '/v1/units/changes',
  operationId: 'listUnitChanges',
  summary: 'What has changed in the units of developments',
  description:
    'Each unit that has changed since the last request: once, and as it is now, or that it was removed. As with ' +
    'properties, begin without `after`, and pass `next` as `after` from then on.',
  middleware: requireScope('units:read'),
  request: REQUEST,
  responses: { 200: ok(schemas.unitChanges, 'Changes, in their order.', 'Preference-Applied') },
  handle: async (c, request) => {
    const db = c.env.DB;
    const { accountId } = c.var.caller;
    const read = (after: news.Position | null) => news.readUnitChanges(db, accountId, after, request.query.limit);
    return follow(db, { accountId, scope: scopeOf('units', accountId) }, request, read, unitChangeView);
  },
});

/** What a reader may see, with the secret of moved places. */
type Reader = Awaited<ReturnType<typeof readerOf>>;

async function readerOf(db: D1Database, accountId: number, policyText: string, category: Selection['category']) {
  const policy = policyIn(policyText);
  const secret = policy.place === 'moved' ? await readSetting(db, accountId, 'placeSecret') : '';
  return { policy, secret, category };
}

/** A change as responses show it: the property as it is now, or that the caller no longer sees it. A client is no `reader`. */
function propertyChangeView({ id, number, document: stored, directions }: news.PropertyChange, reader: Reader | null) {
  if (stored === null) return { kind: 'removed', id, number } as const;
  const document = directions === null ? stored : { ...stored, features: featuresFacing(directions, stored.features) };
  const property = reader === null ? { ...document } : shownByFeeds(document, reader);
  return { kind: 'changed', id, number, property } as const;
}

/** The features of a property that is a unit, with the unit's directions instead of its own. */
function featuresFacing(directions: string, features: readonly string[]): string[] {
  const ofUnit = directionsIn(directions).map((code) => `${ORIENTATION}: ${COMPASS[code]?.[0] ?? code}`);
  return [...new Set([...ofUnit, ...features.filter((code) => !code.startsWith(`${ORIENTATION}: `))])];
}

function unitChangeView(change: news.UnitChange) {
  const { kind, number } = change;
  if (kind === 'changed') return { kind, number, unit: unitView(change.unit) } as const;
  return { kind, number, development_id: change.development, UntName: change.name } as const;
}

/** The offers that a feed for sale or for rent alone does not show. */
const HIDDEN_OFFERS = { SALE: { long_term: null, short_term: null }, RENT: { sale: null }, All: {} };

/** The fields of a property that a reader's feeds show, with the times that they show. */
function shownByFeeds(document: PropertyDocument, { policy, secret, category }: Reader) {
  const { address, channels, commission, email, floor, prime, restrictions, source_changed_at, texts, ...shown } =
    redacted(document, policy, secret);
  const withoutTitles = Object.entries(texts).map(([language, { title, ...text }]) => [language, text]);
  const later = (time: string | null) => [time ?? '', isoTime(policy.since ?? 0)].sort()[1]!;
  return {
    ...shown,
    offers: { ...shown.offers, ...HIDDEN_OFFERS[category] },
    sale_updated_at: later(shown.sale_updated_at),
    rental_updated_at: later(shown.rental_updated_at),
    texts: Object.fromEntries(withoutTitles),
  };
}

/** Milliseconds between reads of an account's number, and between checks of the number that was read. */
const INTERVAL_MS = 1_000;
const LOOK_MS = 200;

/**
 * The response with a page of changes; with an empty one only after the time for which the caller prefers to wait.
 *
 * @param caller its account; its `scope`, what it sees, from {@link scopeOf}; and whether that is still the same after a wait
 * @param read reads a page after a position; `null` if the account no longer exists
 * @throws ProblemError if the cursor has expired, or the account no longer exists
 */
async function follow<Change, View>(
  db: D1Database,
  caller: { readonly accountId: number; readonly scope: string; readonly isSame?: () => Promise<boolean> },
  { query: { after: cursor }, headers }: Input<typeof REQUEST>,
  read: (after: news.Position | null) => Promise<(news.ChangesPage<Change> & news.ChangeState) | null>,
  view: (change: Change) => View,
) {
  const { accountId, scope, isSame = async () => true } = caller;
  const wait = preferredWait(headers.Prefer);
  const end = Date.now() + wait * 1_000;
  let after: news.Position | null = cursor;
  for (;;) {
    const page = existing(await read(after), { code: 'not_found', detail: 'The account no longer exists.' });
    const expired = cursor && expiry(cursor, page, scope);
    if (expired) throw new ProblemError({ code: 'cursor_expired', detail: `${expired} ${schemas.BEGIN_AGAIN}` });
    const isEmpty = page.changes.length === 0;
    if (isEmpty && (await changesBefore(end, db, accountId, page.next.number)) && (await isSame())) {
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
      headers: { 'Cache-Control': 'private, no-store', ...(wait > 0 && { 'Preference-Applied': `wait=${wait}` }) },
    };
  }
}

/** The seconds for which a caller prefers to wait (`Prefer: wait=30`, RFC 7240 section 4.3); 0 without a preference. */
function preferredWait(prefer: string | undefined): number {
  const [, seconds] = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,9})"?(?:$|[,;\s])/i.exec(prefer ?? '') ?? [];
  return Math.min(Number(seconds ?? 0), schemas.MAX_WAIT_SECONDS);
}

/** The numbers of accounts as this isolate last read them for all requests that wait. They are values: see `manifest-cache.ts`. */
const readings = boundedCache<{ readonly readAt: EpochMilliseconds; number: number }>(10_000);

/** Waits for an account to change after a number, and returns whether it did before `end`. */
async function changesBefore(end: EpochMilliseconds, db: D1Database, accountId: number, number: number) {
  const key = String(accountId);
  for (let now = Date.now(); now < end; now = Date.now()) {
    await scheduler.wait(Math.min(LOOK_MS, end - now));
    let reading = readings.get(key);
    if (reading === undefined || !isWithin(INTERVAL_MS, reading.readAt, Date.now())) {
      reading = { readAt: Date.now(), number: 0 };
      readings.set(key, reading);
      // If the account no longer exists, the next page says so.
      reading.number = (await news.readChangeState(db, accountId))?.number ?? Number.MAX_SAFE_INTEGER;
    }
    if (reading.number > number) return true;
  }
  return false;
}
