import type { ExecutionContext } from 'hono';
import { getPath } from 'hono/utils/url';
import type { Manifest, ManifestReader } from '../db/manifest.ts';
import { recordUse, USE_RECORDED_EVERY } from '../db/snapshots.ts';
import type { Env } from '../env.ts';
import { notModified, preconditionFails } from '../lib/conditional.ts';
import { acceptedEncodings, chooseEncoding } from '../lib/encoding.ts';
import { describeError, log } from '../lib/log.ts';
import { checkLimited, LIMIT_PERIOD, type LimitedVerdict } from '../rate-limits.ts';
import { countRequest, labelResponse, newRequestId, type RequestDetails } from '../request-log.ts';
import { BackgroundTasks } from './background.ts';
import { collect, feedChunks, feedLength, type StreamEnd, streamOf, TooManyRecords } from './body.ts';
import { type Credentials, credentialsOf, isAccountCode } from './credentials.ts';
import { errorDocument } from './error-document.ts';
import { evictLeastUsed } from './evict.ts';
import { formatAt } from './formats.ts';
import { emptyFeed, type Frame } from './frame.ts';
import { knownReader } from './known-readers.ts';
import { addSnapshot, findSnapshot, freshManifest, loadManifest, markAuthorized } from './manifest-cache.ts';
import type { ParameterError } from './parameters.ts';
import { type FeedContext, openOnlySnapshot } from './parts.ts';
import { type PlannedPart, planFeed } from './plan.ts';
import { cachePreselected, cacheQuery, type FeedQuery, type FeedSelection, readQuery } from './query.ts';
import { type Authorization, authorize, isVerified } from './reader.ts';
import { authorizeKey, type KeyAuthorization } from './reader-access.ts';
import { keyDigest } from './reader-key.ts';
import { ReaderLedger } from './reader-ledger.ts';
import { countRecords } from './record-count.ts';
import { feedHeaders, notModifiedResponse } from './response.ts';
import { FeedTally } from './tally.ts';
import { tracked } from './tracked.ts';
import { emptyPageValidators, type FeedValidators, feedValidators, validatorsOfRead, weakened } from './validators.ts';

/**
 * A feed with at most one part to build, and at most this many cached bytes, is returned complete, or as an error. A larger
 * one is streamed: if it fails, its reader already has the beginning.
 */
const MAX_BUFFERED = 2 * 1024 * 1024;

/** Whether a request is for a feed. */
export function isFeedRequest(request: Request): boolean {
  return formatAt(getPath(request)) !== undefined;
}

/** A response, and the values for its log line. Nearly all come from the cache or are a 304: those have no log line. */
interface FeedResponse extends Omit<RequestDetails, 'interface'> {
  readonly response: Response;
  /** Only if what is sent is not known yet. */
  readonly streamed?: Streamed;
}

/** A body that is built while it is sent. */
interface Streamed {
  /** Receives what it was in the end. */
  onEnd: (details: Partial<RequestDetails>) => void;
}

/** Answers a feed request with the feed, a 304 or an error document. */
export async function handleFeed(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
  const startedAt = Date.now();
  let id: string | undefined;
  const requestId = () => {
    id ??= newRequestId();
    return id;
  };
  const { response, streamed, ...known } = await respond({ request, env, context, now: startedAt, requestId });
  const details: RequestDetails = { interface: 'feed', ...known };
  if (details.cache === 'hit' || details.cache === 'not modified') {
    countRequest(env, response, startedAt, details);
    return response;
  }
  const writeLine = labelResponse(request, response, requestId(), startedAt, details.steps);
  const finish = (late: Partial<RequestDetails>) => {
    writeLine({ ...details, ...late });
    countRequest(env, response, startedAt, { ...details, ...late });
  };
  if (streamed === undefined) finish({});
  else streamed.onEnd = finish;
  const isErrorOfHead = request.method === 'HEAD' && response.body !== null;
  return isErrorOfHead ? new Response(null, response) : response;
}

/** A request with what is needed to respond to it. */
interface Incoming {
  readonly request: Request;
  readonly env: Env;
  readonly context: ExecutionContext;
  /** When the request arrived, in milliseconds since 1970-01-01 UTC. */
  readonly now: number;
  readonly requestId: () => string;
}

/** The steps of a feed request, in their order. */
async function respond(incoming: Incoming): Promise<FeedResponse> {
  const { request } = incoming;
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return failed(errorDocument('method_not_allowed', 'A feed is requested with GET or HEAD.', { Allow: 'GET, HEAD' }));
  }
  const query = readQuery(request);
  if ('errors' in query) return failed(badParameters(query.errors));
  if (query.paging.hasReference) {
    return failed(unsupported('Ref is not supported: a feed cannot be reduced to one record.'));
  }
  const encoding = chooseEncoding(acceptedEncodings(request));
  if (encoding === undefined) {
    return failed(errorDocument('no_acceptable_encoding', 'A feed is sent with the encoding gzip, or without any.'));
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
  const { request, env, context, requestId } = incoming;
  const { format, paging } = query;
  const { account } = credentials;
  const report = reportFirst(requestId);
  let ledger: ReaderLedger | null = null;
  try {
    const digest = digestOf(credentials, query);
    const access = await (digest === null
      ? withPassword(incoming, query, credentials)
      : withKey(incoming, query, account, digest));
    if (access.kind === 'bad parameters')
      return { ...failed(badParameters(access.errors)), reader: access.reader.name };
    if (access.kind !== 'authorized') return failed(rejection(access.kind));
    const { manifest, parameters, frame, set, reader, steps } = access;
    const authorizedAt = Date.now();
    if (reader !== null) ledger = new ReaderLedger(env, context, { manifest, reader, format, set });

    if (paging.page !== 1) {
      ledger?.visit();
      return emptyPage(request, emptyPageValidators(frame, set, compressed), frame);
    }

    const feed: FeedContext = {
      env,
      accountId: manifest.accountId,
      tally: new FeedTally(manifest, set),
      format,
      parameters,
      frame,
      set,
      compressed,
      recordLimit: paging.limit,
      background: new BackgroundTasks((task) => context.waitUntil(task), report),
      cached: (name, details) => addSnapshot(account, set, name, details),
      findSnapshot: (name) => findSnapshot(account, set, name),
      report,
    };
    const counted = paging.limit === null ? null : await planFeed(env.DB, manifest, parameters, set);
    if (paging.limit !== null && counted !== null) {
      const records = await countRecords(counted, feed);
      if (records >= paging.limit) return failed(unsupported(tooManyRecords(paging.limit, records)));
    }
    const validators = feedValidators(manifest, set, compressed);
    if (preconditionFails(request.headers, validators.etag, validators.lastModified)) {
      return failed(errorDocument('precondition_failed', 'The feed has changed since then.'));
    }
    if (notModified(request.headers, validators.etag, validators.lastModified)) {
      ledger?.notModified();
      return { response: notModifiedResponse(validators), cache: 'not modified' };
    }
    const parts = counted ?? (await planFeed(env.DB, manifest, parameters, set));
    const isHead = request.method === 'HEAD';
    if (isHead) ledger?.visit();
    const tracking = isHead || ledger === null ? feed : { ...feed, ended: ledger.sending() };
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
    if (error instanceof TooManyRecords) return failed(unsupported(tooManyRecords(paging.limit!, error.records)));
    report(error);
    ledger?.fail();
    return failed(unavailable());
  }
}

/** A request whose credentials are valid: the feed it is for, and whose it is. */
interface Access extends FeedSelection {
  readonly kind: 'authorized';
  readonly manifest: Manifest;
  /** `null` for the password of the account. */
  readonly reader: ManifestReader | null;
  /** Milliseconds per step. */
  readonly steps: Readonly<Record<string, number>>;
}

/** The digest of a reader's key, if the password has the form of one; a cached query has that of its own password. */
function digestOf({ password }: Credentials, query: FeedQuery): string | null {
  return password === query.credentials.password ? query.keyDigest : keyDigest(password);
}

/** Authorizes a request by the password of the account. */
async function withPassword(
  { request, env, now }: Incoming,
  query: FeedQuery,
  credentials: Credentials,
): Promise<Access | Rejected> {
  const { parameters, frame, set, verifiedAgainst } = query;
  const { account, password } = credentials;
  let manifestAt = now;
  const check = async () => {
    const found = freshManifest(account, set, now) ?? (await loadManifest(env.DB, account, set, now));
    manifestAt = Date.now();
    return authorize(credentials, verifiedAgainst, found);
  };
  const authorization = isVerified(credentials, verifiedAgainst)
    ? await check()
    : await checkLimited({ env, request, subject: `feed:${account}`, secret: password }, check);
  if (authorization.kind !== 'authorized') return authorization;
  const { manifest } = authorization;
  markAuthorized(account, set);
  if (query.verifiedAgainst !== manifest.password) cacheQuery(request.url, query, manifest.password);
  const steps = { manifest: manifestAt - now, password: Date.now() - manifestAt };
  return { kind: 'authorized', manifest, parameters, frame, set, reader: null, steps };
}

/** Authorizes a request by the key of a reader. */
async function withKey(
  { request, env, now }: Incoming,
  query: FeedQuery,
  account: string,
  digest: string,
): Promise<Access | LimitedVerdict | Exclude<KeyAuthorization, { kind: 'authorized' }>> {
  const check = () => authorizeKey(env.DB, { query, account, digest, now });
  const authorization =
    knownReader(account, digest) === undefined
      ? await checkLimited({ env, request, subject: `feed:${account}`, secret: digest }, check)
      : await check();
  if (authorization.kind !== 'authorized') return authorization;
  const { manifest, reader, selection } = authorization;
  if (selection !== query.preselected) cachePreselected(request.url, query, reader, selection);
  return { kind: 'authorized', manifest, reader, ...selection, steps: { manifest: Date.now() - now } };
}

/** A page after the first: a complete document without records. */
function emptyPage(request: Request, validators: FeedValidators, frame: Frame): FeedResponse {
  if (notModified(request.headers, validators.etag, validators.lastModified)) {
    return { response: notModifiedResponse(validators), cache: 'not modified' };
  }
  const bytes = emptyFeed(frame, validators.compressed);
  const headers = { ...feedHeaders(validators, 0, 0), 'Content-Length': String(bytes.length) };
  const body = request.method === 'HEAD' ? null : bytes;
  return { response: new Response(body, { headers, encodeBody: 'manual' }), cache: 'hit' };
}

function headResponse(parts: readonly PlannedPart[], feed: FeedContext, validators: FeedValidators): FeedResponse {
  const cached = cachedParts(parts);
  const length = feedLength(parts, feed.frame, feed.compressed);
  const isExact = length !== null || isBuffered(parts, feed);
  const headers = feedHeaders(isExact ? validators : weakened(validators), cached.length, parts.length);
  const response = new Response(null, { headers, encodeBody: 'manual' });
  if (length !== null) response.headers.set('Content-Length', String(length));
  return { response, ...cacheDetails(parts.length, cached.length) };
}

/** The feed. Its strong ETag, if it has one, names the bytes that are sent, even if a change occurs meanwhile. */
async function feedResponse(
  planned: readonly PlannedPart[],
  feed: FeedContext,
  validators: FeedValidators,
  manifest: Manifest,
): Promise<FeedResponse> {
  const { env, accountId, compressed, set, background } = feed;
  const only = compressed && planned.length === 1 ? planned[0]!.snapshot : null;
  const stream = only === null || only.bytes === 0 ? null : await openOnlySnapshot(only, feed);
  const isLost = only !== null && only.bytes > 0 && stream === null;
  const parts = isLost ? planned.map((part) => ({ ...part, snapshot: null, isLost })) : planned;

  const cached = cachedParts(parts);
  if (cached.some(({ lastUsedAt }) => manifest.now - lastUsedAt > USE_RECORDED_EVERY)) {
    background.add(() => recordUse(env.DB, accountId, set.parameters));
  }
  if (cached.length < parts.length) background.add(() => evictLeastUsed(env, accountId).then(() => {}));
  if (stream !== null) {
    const headers = feedHeaders(validators, cached.length, parts.length);
    const body = feed.ended === undefined ? stream : tracked(stream, only!.bytes, feed.ended);
    return {
      response: new Response(body, { headers, encodeBody: 'manual' }),
      ...cacheDetails(parts.length, cached.length),
    };
  }
  const { body, validators: sent, ...details } = await bodyOf(parts, feed, validators, manifest);
  // A part that was cached may have been lost, and one that was not may have been cached since.
  const found = details.streamed === undefined ? parts.length - feed.tally.misses : cached.length;
  const headers = feedHeaders(sent, found, parts.length);
  const response = new Response(body, { headers, encodeBody: 'manual' });
  return { response, ...cacheDetails(parts.length, found), ...details };
}

/** A body, and the validators that hold for it. */
interface SentBody extends Pick<FeedResponse, 'bytes' | 'records' | 'missed' | 'streamed'> {
  readonly body: ReadableStream<Uint8Array> | Uint8Array;
  readonly validators: FeedValidators;
}

async function bodyOf(
  parts: readonly PlannedPart[],
  feed: FeedContext,
  validators: FeedValidators,
  manifest: Manifest,
): Promise<SentBody> {
  const { compressed, frame, set } = feed;
  if (isBuffered(parts, feed)) {
    const { bytes, revisions } = await collect(feedChunks(parts, feed, false));
    const { records, missed } = feed.tally;
    const details = { bytes: bytes.length, records, missed };
    const body = feed.ended === undefined ? bytes : tracked(bytes, bytes.length, feed.ended);
    return { body, validators: validatorsOfRead(manifest, set, compressed, parts, revisions), ...details };
  }
  const length = feedLength(parts, frame, compressed);
  const streamed: Streamed = { onEnd: () => {} };
  const onEnd = (end: StreamEnd) => {
    feed.ended?.(end.end === 'complete' ? end.bytes : null);
    streamed.onEnd({ ...end, records: feed.tally.records, missed: feed.tally.missed });
  };
  const body = streamOf(feedChunks(parts, feed, length !== null), length, feed, onEnd);
  return { body, validators: length === null ? weakened(validators) : validators, streamed };
}

function isBuffered(parts: readonly PlannedPart[], { compressed }: FeedContext): boolean {
  const cached = cachedParts(parts);
  const size = cached.reduce((sum, { bytes, length }) => sum + (compressed ? bytes : length), 0);
  return parts.length - cached.length <= 1 && size <= MAX_BUFFERED;
}

function cachedParts(parts: readonly PlannedPart[]): NonNullable<PlannedPart['snapshot']>[] {
  return parts.flatMap(({ snapshot }) => snapshot ?? []);
}

function cacheDetails(parts: number, cachedParts: number): Pick<FeedResponse, 'cache' | 'parts' | 'cachedParts'> {
  const cache = cachedParts === parts ? 'hit' : cachedParts === 0 ? 'miss' : 'partial';
  return { cache, parts, cachedParts };
}

/** Logs the first error of a request and no other: the rest usually follows from it. */
function reportFirst(requestId: () => string): (error: unknown) => void {
  let reported = false;
  return (error) => {
    if (reported) return;
    reported = true;
    log('error', 'feed', { requestId: requestId(), error: describeError(error) });
  };
}

function failed(response: Response): FeedResponse {
  return { response };
}

/** The outcomes of checking credentials that are not valid. */
type Rejected = LimitedVerdict | Exclude<Authorization, { kind: 'authorized' }>;

function badParameters(errors: readonly ParameterError[]): Response {
  const message = errors.map(({ parameter, reason }) => `${parameter} ${reason}.`).join(' ');
  return errors.every(({ unsupported }) => unsupported)
    ? unsupported(message)
    : errorDocument('bad_parameter', message);
}

function rejection(kind: Rejected['kind']): Response {
  switch (kind) {
    case 'denied':
      return unauthorized('The account or the password is wrong.');
    case 'too many attempts':
      return errorDocument('too_many_attempts', 'Too many password attempts. Retry in a minute.', {
        'Retry-After': String(LIMIT_PERIOD),
      });
    case 'unverifiable':
      return unavailable();
  }
}

function unauthorized(message: string): Response {
  return errorDocument('bad_credentials', message, { 'WWW-Authenticate': 'Basic realm="feed", charset="UTF-8"' });
}

function unsupported(message: string): Response {
  return errorDocument('unsupported_parameter', message);
}

function tooManyRecords(limit: number, records: number): string {
  return `N is ${limit}, but the feed has ${records} records: it is always complete. Omit N or set it above ${records}.`;
}

function unavailable(): Response {
  return errorDocument('unavailable', 'The feed is temporarily unavailable. Retry later.', { 'Retry-After': '30' });
}
