import type { ExecutionContext } from 'hono';
import { getPath } from 'hono/utils/url';
import type { Env } from '../env.ts';
import { acceptedEncodings, chooseEncoding } from '../lib/bytes/encoding.ts';
import { notModified, preconditionFails } from '../lib/http/conditional.ts';
import { describeError, log, logUnexpected } from '../lib/log.ts';
import { countRequest, labelResponse, newRequestId, type RequestDetails } from '../request-log.ts';
import { type Access, authorizeRequest, type IncomingRequest } from './access/access.ts';
import { feedContext } from './build/context.ts';
import { isRepetition, type Outcome, type Requested, recordOutcome } from './deliveries/ledger.ts';
import { asJson, errorDocument } from './document/error-document.ts';
import { formatAt } from './formats/formats.ts';
import { nameOf, type PlannedPart, planFeed } from './manifest/plan.ts';
import { credentialsOf, isAccountCode } from './request/credentials.ts';
import { type FeedQuery, readQuery } from './request/query.ts';
import { TooManyRecords } from './response/body.ts';
import type { Ending } from './response/ending.ts';
import { markStale, notModifiedResponse } from './response/headers.ts';
import { countRecords } from './response/record-count.ts';
import {
  badParameters,
  internalError,
  rejection,
  tooManyRecords,
  unauthorized,
  unavailable,
  unsupportedParameter,
} from './response/rejections.ts';
import { emptyPage, type FeedResponse, feedResponse, headResponse } from './response/send.ts';
import { emptyPageValidators, feedValidators } from './response/validators.ts';
import { hasLocalCache } from './snapshots/local.ts';
import { withLocalSnapshots } from './snapshots/locate.ts';

/** Whether a request is for a feed. */
export function isFeedRequest(request: Request): boolean {
  return formatAt(getPath(request)) !== undefined;
}

/** A request with what is needed to respond to it. */
interface Incoming extends IncomingRequest {
  readonly context: ExecutionContext;
  /** Its id in the log, which most requests never need. */
  readonly requestId: () => string;
  /** Logs the first error of the request and no other: the rest usually follows from it. */
  readonly report: (error: unknown) => void;
}

/** A response, and what it means for the ledger if its body is taken completely. */
interface Answer extends FeedResponse {
  /** The request of a reader with a key. */
  readonly requested?: Requested;
  readonly outcome?: Outcome;
}

/** Answers a feed request with the feed, a 304 or an error document. */
export async function handleFeed(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
  let id: string | undefined;
  const requestId = () => {
    id ??= newRequestId();
    return id;
  };
  const incoming = { request, env, context, now: Date.now(), requestId, report: reportFirst(requestId) };
  const unexpected = (error: unknown) => {
    logUnexpected(error, requestId());
    return failed(internalError(requestId()));
  };
  const answer = await respond(incoming).catch(unexpected);
  try {
    return conclude(incoming, answer);
  } catch (error) {
    return formed(request, unexpected(error).response);
  }
}

/** The response. Its log line, its data point and its entry in the ledger follow, once it is known how it has ended. */
function conclude({ request, env, context, now, requestId }: Incoming, answer: Answer): Response {
  const { response: sent, ending, requested, outcome = VISIT, ...known } = answer;
  const response = formed(request, sent);
  const details: RequestDetails = { interface: 'feed', ...known };
  const isLogged = answer.cache !== 'hit' && answer.cache !== 'not modified';
  const writeLine = isLogged ? labelResponse(request, response, requestId(), now, details.steps) : () => {};
  const finish = (end?: Ending) => {
    writeLine({ ...details, ...end });
    countRequest(env, 'feed', response, now, { ...details, ...end });
    return requested && recordOutcome(env.DB, requested, outcomeOf(outcome, end));
  };
  const finished = ending === undefined ? finish() : ending.then(finish);
  if (finished !== undefined) context.waitUntil(finished);
  const isErrorOfHead = request.method === 'HEAD' && response.body !== null;
  return isErrorOfHead ? new Response(null, response) : response;
}

/** A response in the form of the requested format: errors of one that is JSON are JSON. */
function formed(request: Request, response: Response): Response {
  const isJson = response.status >= 400 && formatAt(getPath(request))?.mediaType === 'application/json';
  return isJson ? asJson(response) : response;
}

/** The steps of a feed request, in their order. */
async function respond(incoming: Incoming): Promise<Answer> {
  const { request } = incoming;
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return failed(errorDocument('method_not_allowed', 'Use GET or HEAD.', { Allow: 'GET, HEAD' }));
  }
  const query = readQuery(request);
  if ('errors' in query) return failed(badParameters(query.errors));
  if (query.paging.hasReference) {
    return failed(unsupportedParameter('Ref is not supported: a feed cannot be reduced to one record.'));
  }
  const encoding = chooseEncoding(acceptedEncodings(request));
  if (encoding === undefined) {
    return failed(errorDocument('no_acceptable_encoding', 'Only gzip and identity encodings are supported.'));
  }
  const credentials = credentialsOf(request, query.credentials);
  if (credentials === undefined) {
    return failed(unauthorized('U and P are required, or HTTP Basic credentials that do not contradict them.'));
  }
  const { account } = credentials;
  if (!isAccountCode(account)) return failed(rejection('denied'));
  try {
    const access = await authorizeRequest(incoming, query, credentials);
    if (access.kind === 'bad parameters') {
      return { ...failed(badParameters(access.errors)), account, reader: access.reader.name };
    }
    if (access.kind !== 'authorized') return { ...failed(rejection(access.kind)), account };
    return { ...(await respondToReader(incoming, query, access, account, encoding === 'gzip')), account };
  } catch (error) {
    incoming.report(error);
    return { ...failed(unavailable()), account };
  }
}

/** The response to a request that has access. */
async function respondToReader(
  incoming: Incoming,
  query: FeedQuery,
  access: Access,
  account: string,
  compressed: boolean,
): Promise<Answer> {
  const { reader, staleSince, manifest, set } = access;
  const requested = reader === null ? undefined : { manifest, reader, format: query.format, set };
  const answer = await respondWithFeed(incoming, query, access, account, compressed, requested);
  if (staleSince !== null && answer.response.status < 400) markStale(answer.response, staleSince, incoming.now);
  return requested === undefined ? answer : { ...answer, reader: requested.reader.name, requested };
}

async function respondWithFeed(
  incoming: Incoming,
  { format, paging }: FeedQuery,
  { manifest, parameters, frame, set, steps }: Access,
  account: string,
  compressed: boolean,
  requested: Requested | undefined,
): Promise<Answer> {
  const { request, env, context, report } = incoming;
  const { limit } = paging;
  try {
    const authorizedAt = Date.now();
    const missing = format.missing?.(parameters) ?? [];
    if (missing.length > 0) return failed(badParameters(missing));
    if (!paging.isFirstPage) return emptyPage(request, emptyPageValidators(frame, set, compressed), frame);

    // Not before they are needed: most requests end with a 304.
    const planned = async () => {
      // An order by listing date is part of the record of its snapshots, so these are always in KV.
      const isLocal = !set.byListing && hasLocalCache(request, env);
      const feed = { account, manifest, format, parameters, frame, set, compressed, hasLocalCache: isLocal, report };
      const inKv = await planFeed(env.DB, manifest, parameters, set);
      const name = ({ part, revisions }: PlannedPart) => nameOf(manifest.accountId, set, part, revisions);
      const parts = isLocal ? await withLocalSnapshots(inKv, name, manifest.now) : inKv;
      return { parts, feed: feedContext(env, context, feed) };
    };
    const counted = limit === null ? null : await planned();
    if (limit !== null && counted !== null) {
      const records = await countRecords(counted.parts, counted.feed);
      if (records >= limit) return failed(tooManyRecords(limit, records));
    }
    const validators = feedValidators(manifest, set, compressed);
    if (preconditionFails(request.headers, validators.etag, validators.lastModified)) {
      return failed(errorDocument('precondition_failed', 'The feed has changed since then.'));
    }
    const match = notModified(request.headers, validators.etag, validators.lastModified);
    if (match !== null) {
      const outcome = { kind: 'not modified', match } as const;
      return { response: notModifiedResponse(validators), cache: 'not modified', outcome };
    }
    const { parts, feed } = counted ?? (await planned());
    const isObserved = requested !== undefined && !isRepetition(requested);
    const isHead = request.method === 'HEAD';
    const response = isHead
      ? headResponse(parts, feed, validators)
      : await feedResponse(parts, feed, validators, { recordLimit: limit, isObserved });
    return {
      ...response,
      ...(isHead ? {} : { outcome: { kind: 'sent', bytes: null, origin: response.cache! } as const }),
      revision: `${manifest.revisions.sale}.${manifest.revisions.rental}`,
      steps: { ...steps, parts: Date.now() - authorizedAt },
    };
  } catch (error) {
    if (error instanceof TooManyRecords) return failed(tooManyRecords(limit!, error.records));
    report(error);
    return failed(unavailable());
  }
}

const VISIT: Outcome = { kind: 'visit' };

/** What a reader was sent, once its body has ended; one that nobody observes repeats another that was taken completely. */
function outcomeOf(outcome: Outcome, ending: Ending | undefined): Outcome {
  if (outcome.kind !== 'sent' || ending === undefined) return outcome;
  return ending.end === 'complete' ? { ...outcome, bytes: ending.bytes } : VISIT;
}

function reportFirst(requestId: () => string): (error: unknown) => void {
  let reported = false;
  return (error) => {
    if (reported) return;
    reported = true;
    log('error', 'feed.failed', { requestId: requestId(), error: describeError(error) });
  };
}

function failed(response: Response): FeedResponse {
  return { response };
}
