import type { ExecutionContext } from 'hono';
import { getPath } from 'hono/utils/url';
import type { Env } from '../env.ts';
import { notModified, preconditionFails } from '../lib/conditional.ts';
import { acceptedEncodings, chooseEncoding } from '../lib/encoding.ts';
import { describeError, log, logUnexpected } from '../lib/log.ts';
import { countRequest, labelResponse, newRequestId, type RequestDetails } from '../request-log.ts';
import { type Access, authorizeRequest, type IncomingRequest } from './access/access.ts';
import { BackgroundTasks } from './build/background.ts';
import type { FeedContext } from './build/parts.ts';
import { FeedTally } from './build/tally.ts';
import { ReaderLedger } from './deliveries/reader-ledger.ts';
import { errorDocument } from './document/error-document.ts';
import { formatAt } from './formats/formats.ts';
import { addSnapshot, findSnapshot } from './manifest/manifest-cache.ts';
import { planFeed } from './manifest/plan.ts';
import { type Credentials, credentialsOf, isAccountCode } from './request/credentials.ts';
import { type FeedQuery, readQuery } from './request/query.ts';
import { TooManyRecords } from './response/body.ts';
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

/** Whether a request is for a feed. */
export function isFeedRequest(request: Request): boolean {
  return formatAt(getPath(request)) !== undefined;
}

/** Answers a feed request with the feed, a 304 or an error document, and logs it. */
export async function handleFeed(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
  let id: string | undefined;
  const requestId = () => {
    id ??= newRequestId();
    return id;
  };
  const unexpected = (error: unknown) => {
    logUnexpected(error, requestId());
    return internalError(requestId());
  };
  const incoming: Incoming = { request, env, context, now: Date.now(), requestId };
  let answer: FeedResponse;
  try {
    answer = await respond(incoming);
  } catch (error) {
    answer = failed(unexpected(error));
  }
  try {
    return logged(incoming, answer);
  } catch (error) {
    return unexpected(error);
  }
}

/** The response, once its log line is written or will be, and its data point. */
function logged({ request, env, now: startedAt, requestId }: Incoming, answer: FeedResponse): Response {
  if (answer.cache === 'hit' || answer.cache === 'not modified') {
    countRequest(env, 'feed', answer.response, startedAt, answer);
    return answer.response;
  }
  const { response, streamed, ...known } = answer;
  const details: RequestDetails = { interface: 'feed', ...known };
  const writeLine = labelResponse(request, response, requestId(), startedAt, details.steps);
  const finish = (late: Partial<RequestDetails>) => {
    writeLine({ ...details, ...late });
    countRequest(env, 'feed', response, startedAt, { ...details, ...late });
  };
  if (streamed === undefined) finish({});
  else streamed.onEnd = finish;
  const isErrorOfHead = request.method === 'HEAD' && response.body !== null;
  return isErrorOfHead ? new Response(null, response) : response;
}

/** A request with what is needed to respond to it. */
interface Incoming extends IncomingRequest {
  readonly context: ExecutionContext;
  /** Its id in the log, which most requests never need. */
  readonly requestId: () => string;
}

/** The steps of a feed request, in their order. */
async function respond(incoming: Incoming): Promise<FeedResponse> {
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

  if (!isAccountCode(credentials.account)) return failed(rejection('denied'));
  const response = await respondToReader(incoming, query, credentials, encoding === 'gzip');
  return { ...response, account: credentials.account };
}

/** The steps that need the database. */
async function respondToReader(
  incoming: Incoming,
  query: FeedQuery,
  credentials: Credentials,
  compressed: boolean,
): Promise<FeedResponse> {
  const report = reportFirst(incoming.requestId);
  try {
    const access = await authorizeRequest(incoming, query, credentials);
    if (access.kind === 'bad parameters')
      return { ...failed(badParameters(access.errors)), reader: access.reader.name };
    if (access.kind !== 'authorized') return failed(rejection(access.kind));
    const answer = await respondWithFeed(incoming, query, access, { account: credentials.account, compressed, report });
    if (access.staleSince !== null && answer.response.status < 400) {
      markStale(answer.response, access.staleSince, incoming.now);
    }
    return answer;
  } catch (error) {
    report(error);
    return failed(unavailable());
  }
}

/** The steps of a request that has access. */
async function respondWithFeed(
  incoming: Incoming,
  query: FeedQuery,
  access: Access,
  shared: SharedContext,
): Promise<FeedResponse> {
  const { request, env, context } = incoming;
  const { format, paging } = query;
  const { compressed, report } = shared;
  let ledger: ReaderLedger | null = null;
  try {
    const { manifest, parameters, frame, set, reader, steps } = access;
    const authorizedAt = Date.now();
    if (reader !== null) ledger = new ReaderLedger(env, context, { manifest, reader, format, set });

    if (!paging.isFirstPage) {
      ledger?.visit();
      return emptyPage(request, emptyPageValidators(frame, set, compressed), frame);
    }

    // Not before it is needed: most requests end with a 304.
    const contextOf = () => feedContext(incoming, query, access, shared);
    const counted =
      paging.limit === null ? null : { feed: contextOf(), parts: await planFeed(env.DB, manifest, parameters, set) };
    if (paging.limit !== null && counted !== null) {
      const records = await countRecords(counted.parts, counted.feed);
      if (records >= paging.limit) return failed(tooManyRecords(paging.limit, records));
    }
    const validators = feedValidators(manifest, set, compressed);
    if (preconditionFails(request.headers, validators.etag, validators.lastModified)) {
      return failed(errorDocument('precondition_failed', 'The feed has changed since then.'));
    }
    if (notModified(request.headers, validators.etag, validators.lastModified)) {
      ledger?.notModified();
      return { response: notModifiedResponse(validators), cache: 'not modified' };
    }
    const feed = counted?.feed ?? contextOf();
    const parts = counted?.parts ?? (await planFeed(env.DB, manifest, parameters, set));
    const isHead = request.method === 'HEAD';
    if (isHead) ledger?.visit();
    const ended = isHead ? undefined : ledger?.sending();
    const tracking = ended === undefined ? feed : { ...feed, ended };
    const response = isHead
      ? headResponse(parts, feed, validators)
      : await feedResponse(parts, tracking, validators, manifest);
    if (response.cache !== undefined) ledger?.sentFrom(response.cache);
    return {
      ...response,
      ...(reader === null ? {} : { reader: reader.name }),
      revision: `${manifest.revisions.sale}.${manifest.revisions.rental}`,
      steps: { ...steps, parts: Date.now() - authorizedAt },
    };
  } catch (error) {
    if (error instanceof TooManyRecords) return failed(tooManyRecords(paging.limit!, error.records));
    report(error);
    ledger?.fail();
    return failed(unavailable());
  }
}

/** What the steps of a response share with its parts. */
type SharedContext = Pick<FeedContext, 'compressed' | 'report'> & { readonly account: string };

/** What all parts of a response share. */
function feedContext(
  { env, context }: Incoming,
  { format, paging }: FeedQuery,
  { manifest, parameters, frame, set }: Access,
  { account, ...response }: SharedContext,
): FeedContext {
  return {
    env,
    accountId: manifest.accountId,
    tally: new FeedTally(manifest, set),
    format,
    parameters,
    frame,
    set,
    recordLimit: paging.limit,
    background: new BackgroundTasks((task) => context.waitUntil(task), response.report),
    cached: (name, details) => addSnapshot(account, set, name, details),
    findSnapshot: (name) => findSnapshot(account, set, name),
    ...response,
  };
}

/** Logs the first error of a request and no other: the rest usually follows from it. */
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
