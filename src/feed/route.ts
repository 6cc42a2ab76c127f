import { type Context, Hono } from 'hono';
import type { FeedHead } from '../db/feed-head.ts';
import { noteUse, type SnapshotSet, USE_NOTED_EVERY } from '../db/snapshots.ts';
import type { AppEnv } from '../env.ts';
import { httpDate, notModified } from '../lib/conditional.ts';
import { acceptedEncodings, chooseEncoding } from '../lib/encoding.ts';
import { describeError, log } from '../lib/log.ts';
import { feedChunks, feedLength, gather, streamOf, streamOfLength } from './body.ts';
import { accountOf, credentialsOf, USER_FORM } from './credentials.ts';
import { DOCUMENT_FORMAT } from './document.ts';
import { errorDocument } from './error-document.ts';
import { findHead, refreshHead } from './head.ts';
import { canonicalName, type FeedParameters, pickParameters, type Refusal, readParameters } from './parameters.ts';
import type { FeedRequest } from './parts.ts';
import { type PlannedPart, planFeed } from './plan.ts';
import { type Verdict, verifyReader } from './reader.ts';
import { dropExcess } from './snapshots.ts';

/** The feed script's name, in any letter case, is the last segment of the path; the directory is the agency's affair. */
export const FEED_SCRIPT = '/CreateXMLFeedV3.asp';

/**
 * A feed with at most one part to build, and at most this many bytes kept, is answered whole or refused whole. A larger
 * one is streamed: it fails, if it does, when its reader has the beginning already.
 */
const BUFFERED = 2 * 1024 * 1024;

const RETRY_AFTER = { 'Retry-After': '30' };

export const feed = new Hono<AppEnv>();

feed.on(['GET', 'HEAD'], FEED_SCRIPT, answerFeed);

feed.all(FEED_SCRIPT, () =>
  errorDocument('method_not_allowed', 'A feed is read with GET or HEAD.', { Allow: 'GET, HEAD' }),
);

/** The steps of a feed request, in their order. */
async function answerFeed(c: Context<AppEnv>): Promise<Response> {
  const { given, refusals } = pickParameters(new URL(c.req.url).searchParams);
  if (given.U !== undefined && accountOf(given.U) === undefined) {
    refusals.push({ parameter: 'U', reason: `must be ${USER_FORM}` });
  }
  const parameters = readParameters(given);
  if (isRefused(parameters)) return refuse([...refusals, ...parameters]);
  if (refusals.length > 0) return refuse(refusals);

  const encoding = chooseEncoding(acceptedEncodings(c.req.raw));
  if (encoding === undefined) {
    return errorDocument('no_acceptable_encoding', 'A feed is sent with the encoding gzip or with none.');
  }

  const credentials = credentialsOf(given, c.req.header('Authorization'));
  if (credentials === undefined) return unauthorized('Give U and P, or HTTP Basic credentials.');

  const report = reporter(c);
  const set = snapshotSet(parameters);
  let verdict: Verdict;
  try {
    const found = await findHead(c.env.DB, credentials.account, set, Date.now());
    verdict = await verifyReader(credentials, found, () => mayCheck(c, credentials.account, report));
  } catch (error) {
    report(error);
    return unavailable();
  }
  if (verdict.kind !== 'welcome') return turnAway(verdict.kind);

  const { head } = verdict;
  const compressed = encoding === 'gzip';
  const headers = validators(head, set, compressed);
  if (notModified(c.req.raw.headers, headers.get('ETag')!, lastModified(head, set))) {
    headers.set('Cache-Status', cacheStatus('hit', 'not modified'));
    return new Response(null, { status: 304, headers });
  }

  const request: FeedRequest = {
    env: c.env,
    accountId: head.accountId,
    parameters,
    set,
    compressed,
    background: (task) => c.executionCtx.waitUntil(task().catch(report)),
    kept: () => refreshHead(credentials.account, set),
    report,
    storeFailed: false,
  };
  try {
    return await answerParts(c, await planFeed(c.env.DB, head, parameters, set), request, headers, head);
  } catch (error) {
    report(error);
    return unavailable();
  }
}

async function answerParts(
  c: Context<AppEnv>,
  parts: readonly PlannedPart[],
  request: FeedRequest,
  headers: Headers,
  head: FeedHead,
): Promise<Response> {
  const { accountId, compressed, parameters, set } = request;
  const length = feedLength(parts, parameters.version, compressed);
  const keptParts = parts.filter((part) => part.kept !== null);
  headers.set('Content-Type', 'application/xml; charset=utf-8');
  headers.set('Cache-Status', partsStatus(keptParts.length, parts.length));
  if (compressed) headers.set('Content-Encoding', 'gzip');
  if (c.req.method === 'HEAD') {
    if (length !== null) headers.set('Content-Length', String(length));
    return new Response(null, { headers, encodeBody: 'manual' });
  }
  if (keptParts.some((part) => head.now - part.kept!.usedAt > USE_NOTED_EVERY)) {
    request.background(() => noteUse(c.env.DB, accountId, set.parameters));
  }
  if (length === null) request.background(() => dropExcess(c.env, accountId));
  const chunks = feedChunks(parts, request);
  const keptBytes = keptParts.reduce((bytes, { kept }) => bytes + (compressed ? kept!.bytes : kept!.length), 0);
  if (parts.length - keptParts.length <= 1 && keptBytes <= BUFFERED) {
    return new Response(await gather(chunks), { headers, encodeBody: 'manual' });
  }
  const stream = streamOf(chunks, request.report);
  const body = length === null ? stream : streamOfLength(length, stream, request.background);
  return new Response(body, { headers, encodeBody: 'manual' });
}

/** The snapshots that a parameter set is served from. */
function snapshotSet(parameters: FeedParameters): SnapshotSet {
  return {
    format: DOCUMENT_FORMAT,
    parameters: canonicalName(parameters),
    dependsOn: { sale: parameters.category !== 'RENT', rental: parameters.category !== 'SALE' },
    byListing: parameters.listingDate,
  };
}

/** The headers that a 304 has as well. */
function validators(head: FeedHead, set: SnapshotSet, compressed: boolean): Headers {
  const { sale, rental } = head.revisions;
  const revisions = [set.dependsOn.sale ? `s${sale}` : '', set.dependsOn.rental ? `r${rental}` : ''].join('');
  const name = `${set.format}/${head.accountId}/${revisions}/${set.parameters}`;
  const modified = lastModified(head, set);
  return new Headers({
    ETag: `"${name}${compressed ? '/gzip' : ''}"`,
    ...(modified === null ? {} : { 'Last-Modified': httpDate(modified) }),
    'Cache-Control': 'private, no-cache',
    Vary: 'Accept-Encoding',
  });
}

/**
 * When a feed last changed, in seconds since 1970-01-01 UTC; `null` while that second lasts, since a second change in it
 * would have the same date.
 */
function lastModified(head: FeedHead, { dependsOn }: SnapshotSet): number | null {
  const { sale, rental } = head.changedAt;
  const changed = Math.max(dependsOn.sale ? sale : 0, dependsOn.rental ? rental : 0);
  return changed < head.now ? changed : null;
}

function partsStatus(kept: number, all: number): string {
  if (kept === all) return cacheStatus('hit', `${kept} of ${all} parts kept`);
  if (kept === 0) return cacheStatus('fwd=miss', `none of ${all} parts kept at this revision`);
  return cacheStatus('fwd=partial', `${kept} of ${all} parts kept at this revision`);
}

/** RFC 9211. */
function cacheStatus(how: string, detail: string): string {
  return `Lindero; ${how}; detail="${detail}"`;
}

async function mayCheck(c: Context<AppEnv>, account: string, report: (failure: unknown) => void): Promise<boolean> {
  try {
    const key = `feed:${account}:${c.req.header('CF-Connecting-IP') ?? ''}`;
    return (await c.env.CREDENTIAL_CHECKS.limit({ key })).success;
  } catch (error) {
    report(error);
    return true;
  }
}

/** Logs the first failure of a request, and no other. */
function reporter(c: Context<AppEnv>): (failure: unknown) => void {
  let reported = false;
  return (failure) => {
    if (reported) return;
    reported = true;
    log('error', 'feed', { requestId: c.get('requestId'), error: describeError(failure) });
  };
}

function isRefused(read: FeedParameters | Refusal[]): read is Refusal[] {
  return Array.isArray(read);
}

function refuse(refusals: readonly Refusal[]): Response {
  return errorDocument('bad_parameter', refusals.map(({ parameter, reason }) => `${parameter} ${reason}.`).join(' '));
}

function turnAway(why: Exclude<Verdict['kind'], 'welcome'>): Response {
  switch (why) {
    case 'refused':
      return unauthorized('The account or the password is wrong.');
    case 'too many attempts':
      return errorDocument('too_many_attempts', 'Too many passwords were tried. Try again in a minute.', {
        'Retry-After': '60',
      });
    case 'unknown':
      return unavailable();
  }
}

function unauthorized(message: string): Response {
  return errorDocument('bad_credentials', message, { 'WWW-Authenticate': 'Basic realm="feed", charset="UTF-8"' });
}

function unavailable(): Response {
  return errorDocument('unavailable', 'The feed cannot be read at present. Try again later.', RETRY_AFTER);
}
