import type { ExecutionContext } from 'hono';
import { getPath } from 'hono/utils/url';
import { isAccountCode } from '../accounts/directory.ts';
import type { Env } from '../env.ts';
import { acceptedEncodings, chooseEncoding } from '../lib/bytes/encoding.ts';
import { notModified, preconditionFails } from '../lib/http/conditional.ts';
import { describeError, log, logUnexpected } from '../lib/log.ts';
import type { KeyReader } from '../readers/keys.ts';
import { countRequest, labelResponse, type RequestDetails } from '../request-log.ts';
import { type Access, authorizeRequest, type IncomingRequest } from './access/access.ts';
import { feedContext } from './build/context.ts';
import { isRepetition, type Outcome, type Requested, recordOutcome } from './deliveries/ledger.ts';
import { formatAt } from './formats/formats.ts';
import { invalidateManifests } from './manifest/manifest-cache.ts';
import { type PlannedPart, planFeed } from './manifest/plan.ts';
import { type Credentials, credentialsOf } from './request/credentials.ts';
import { type FeedQuery, readQuery } from './request/query.ts';
import { countRecords, UnitsMoved } from './response/body.ts';
import type { Ending } from './response/ending.ts';
import {
  badParameters,
  errorDocument,
  FeedError,
  rejection,
  tooManyRecords,
  unauthorized,
  unavailable,
} from './response/errors.ts';
import {
  type FeedResponse,
  feedResponse,
  headResponse,
  markStale,
  notModifiedResponse,
} from './response/send.ts';
import { emptyPageValidators, feedValidators } from './response/validators.ts';
import { hasLocalCache, withLocalSnapshots } from './snapshots/local.ts';

/** Whether a request is for a feed. */
export function isFeedRequest(request: Request): boolean {
  return formatAt(getPath(request)) !== undefined;
}

interface Incoming extends IncomingRequest {
  readonly context: ExecutionContext;
  /** Logs the first error of the request and no other: the rest usually follows from it. */
  readonly report: (error: unknown) => void;
}

/** A response, and what it means for the ledger if its body is taken completely. */
interface Answer extends FeedResponse {
  readonly outcome?: Outcome;
  /** What a reader with a key has requested. */
  readonly requested?: Requested;
}

/** Something other than the feed was sent, without an error. */
const OTHER: Outcome = { kind: 'other', answer: 'no_feed', bytes: 0 };

/**
 * Answers a feed request with the feed, a 304 or an error document. Its log line, its data point
 * and its entry in the ledger follow, once it is known how it has ended.
 */
export async function handleFeed(
  request: Request,
  env: Env,
  context: ExecutionContext,
): Promise<Response> {
  const now = Date.now();
  // Most requests never need an id.
  let id: string | undefined;
  const requestId = () => (id ??= crypto.randomUUID());
  let isReported = false;
  const report = (error: unknown) => {
    if (!isReported)
      log('error', 'feed.failed', { requestId: requestId(), error: describeError(error) });
    isReported = true;
  };
  const failed = (error: unknown): Response => {
    logUnexpected(error, requestId());
    const headers = { 'X-Request-Id': requestId() };
    const internal = new FeedError('internal', `Please quote request ${requestId()}.`, headers);
    return errorResponse(request, internal);
  };
  const answer = await respond({ request, env, context, now, report }).catch(
    (error: unknown): Answer => ({ response: failed(error) }),
  );
  try {
    const { response, ending, outcome, requested, ...known } = answer;
    const details: RequestDetails = { interface: 'feed', ...known };
    const isLogged = answer.cache !== 'hit' && answer.cache !== 'not modified';
    const writeLine = isLogged
      ? labelResponse(request, response, requestId(), now, details.steps)
      : () => {};
    const finish = (end?: Ending) => {
      const all = { ...details, ...end };
      writeLine(all);
      countRequest(env, response, now, all);
      const { status } = response;
      return requested && recordOutcome(env.DB, requested, outcomeOf(outcome, status, end), status);
    };
    const finished = ending === undefined ? finish() : ending.then(finish);
    if (finished !== undefined) context.waitUntil(finished);
    const isErrorOfHead = request.method === 'HEAD' && response.body !== null;
    return isErrorOfHead ? new Response(null, response) : response;
  } catch (error) {
    return failed(error);
  }
}

/** What a reader was sent, once the body has ended. A body that nobody observes repeats one that was taken completely. */
function outcomeOf(
  outcome: Outcome | undefined,
  status: number,
  ending: Ending | undefined,
): Outcome {
  if (outcome === undefined)
    return { kind: 'other', answer: status < 500 ? 'refused' : 'failed', bytes: 0 };
  if (outcome.kind !== 'sent' || ending === undefined) return outcome;
  const { bytes, end } = ending;
  if (end === 'complete') return { ...outcome, bytes, records: ending.records ?? outcome.records };
  return { kind: 'other', answer: end === 'aborted' ? 'failed' : 'interrupted', bytes };
}

function errorResponse(request: Request, error: FeedError): Response {
  return errorDocument(error, formatAt(getPath(request))?.mediaType === 'application/json');
}

/** The steps of a feed request, in their order. */
async function respond(incoming: Incoming): Promise<Answer> {
  const { request } = incoming;
  let asked: ValidRequest;
  try {
    asked = readRequest(request);
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    return { response: errorResponse(request, error) };
  }
  const { account } = asked.credentials;
  try {
    return { account, ...(await answer(incoming, asked)) };
  } catch (error) {
    if (error instanceof FeedError) return { account, response: errorResponse(request, error) };
    incoming.report(error);
    return { account, response: errorResponse(request, unavailable()) };
  }
}

/** A request that could be answered with a feed, if its credentials are right. */
interface ValidRequest {
  readonly query: FeedQuery;
  readonly credentials: Credentials;
  readonly compressed: boolean;
}

/** @throws FeedError for a request that nobody would get a feed for */
function readRequest(request: Request): ValidRequest {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    throw new FeedError('method_not_allowed', 'Use GET or HEAD.', { Allow: 'GET, HEAD' });
  }
  const query = readQuery(request);
  if ('errors' in query) throw badParameters(query.errors);
  if (query.paging.hasReference) {
    throw new FeedError(
      'unsupported_parameter',
      'Ref is not supported: a feed cannot be reduced to one record.',
    );
  }
  const encoding = chooseEncoding(acceptedEncodings(request));
  if (encoding === undefined) {
    throw new FeedError(
      'no_acceptable_encoding',
      'Only gzip and identity encodings are supported.',
    );
  }
  const credentials = credentialsOf(request, query.credentials);
  if (credentials === undefined) {
    throw unauthorized('Send the parameters U and P, or HTTP Basic credentials.');
  }
  if (!isAccountCode(credentials.account)) throw rejection('denied', request);
  return { query, credentials, compressed: encoding === 'gzip' };
}

/**
 * The feed, or why the sender does not get it.
 *
 * @param isRepeated whether a unit has moved between two parts while the feed was being built
 */
async function answer(
  incoming: Incoming,
  { query, credentials, compressed }: ValidRequest,
  isRepeated = false,
): Promise<Answer> {
  const access = await authorizeRequest(incoming, query, credentials);
  const requestedOf = (reader: KeyReader, feed: Requested['feed']): Requested => ({
    reader,
    format: query.format,
    feed,
    compressed,
    userAgent: incoming.request.headers.get('User-Agent'),
  });
  if (access.kind === 'bad parameters') {
    const response = errorResponse(incoming.request, badParameters(access.errors));
    const { reader } = access;
    return {
      response,
      ...(reader && { reader: reader.name, requested: requestedOf(reader, null) }),
    };
  }
  if (access.kind !== 'authorized') throw rejection(access.kind, incoming.request);
  const { reader, manifest, staleSince, selection } = access;
  const requested = reader
    ? requestedOf(reader, { set: selection.set, revision: manifest.revision.number })
    : undefined;
  const known = requested && { reader: requested.reader.name, requested };
  try {
    const feed = await respondWithFeed(incoming, query, access, compressed, requested);
    if (staleSince !== null) markStale(feed.response, staleSince, incoming.now);
    return { ...feed, ...known };
  } catch (error) {
    if (error instanceof UnitsMoved) {
      // Another attempt must read the present state.
      invalidateManifests(manifest.accountId);
      if (!isRepeated) return answer(incoming, { query, credentials, compressed }, true);
    }
    if (!(error instanceof FeedError)) incoming.report(error);
    const refusal = error instanceof FeedError ? error : unavailable();
    return { response: errorResponse(incoming.request, refusal), ...known };
  }
}

/** The records of parts that are all cached; `null` if they have yet to be counted. */
function recordsIn(parts: readonly PlannedPart[]): number | null {
  let records = 0;
  for (const { snapshot } of parts) {
    if (snapshot === null) return null;
    records += snapshot.records;
  }
  return records;
}

async function respondWithFeed(
  { request, env, context, now, report }: Incoming,
  { format, paging: { limit, isFirstPage } }: FeedQuery,
  { manifest, selection: { parameters, envelope, set } }: Access,
  compressed: boolean,
  requested: Requested | undefined,
): Promise<Answer> {
  const authorizedAt = Date.now();
  const missing = format.missing?.(parameters) ?? [];
  if (missing.length > 0) throw badParameters(missing);
  // An order by listing date is part of the record of its snapshots, so these are always in KV.
  const isLocal = !set.byListing && hasLocalCache(request, env);
  const shown = {
    manifest,
    format,
    parameters,
    envelope,
    set,
    compressed,
    hasLocalCache: isLocal,
    report,
  };
  // Not before they are needed: most requests end with a 304. A page after the first has no parts.
  const planned = async () => {
    const inKv = isFirstPage ? await planFeed(env.DB, manifest, parameters, set) : [];
    const parts = isLocal ? await withLocalSnapshots(env, inKv, manifest, set) : inKv;
    return { parts, feed: feedContext(env, context, shown) };
  };
  const counted = limit === null ? null : await planned();
  if (limit !== null && counted !== null) {
    const records = await countRecords(counted.parts, counted.feed);
    if (records >= limit) throw tooManyRecords(limit, records);
  }
  const validators = isFirstPage
    ? feedValidators(manifest, set, compressed, parameters.policy?.since)
    : emptyPageValidators(envelope, set, compressed);
  if (preconditionFails(request.headers, validators.etag, validators.lastModified)) {
    throw new FeedError('precondition_failed', 'The feed has changed since then.');
  }
  const match = notModified(request.headers, validators.etag, validators.lastModified);
  if (match !== null) {
    const outcome: Outcome = isFirstPage ? { kind: 'not modified', match } : OTHER;
    return { response: notModifiedResponse(validators), cache: 'not modified', outcome };
  }
  const { parts, feed } = counted ?? (await planned());
  const isHead = request.method === 'HEAD';
  const isObserved = isFirstPage && requested !== undefined && !isRepetition(requested);
  const response = isHead
    ? headResponse(parts, feed, validators)
    : await feedResponse(parts, feed, validators, { recordLimit: limit, isObserved });
  return {
    ...response,
    outcome:
      isHead || !isFirstPage
        ? OTHER
        : {
            kind: 'sent',
            bytes: null,
            origin: response.cache!,
            records: response.records ?? recordsIn(parts),
          },
    revision: manifest.revision.number,
    steps: { access: authorizedAt - now, parts: Date.now() - authorizedAt },
  };
}
