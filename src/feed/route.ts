import { type Context, Hono } from 'hono';
import { CHECK_PERIOD, mayCheck } from '../credential-checks.ts';
import { noteUse, USE_NOTED_EVERY } from '../db/snapshots.ts';
import type { AppEnv } from '../env.ts';
import { notModified } from '../lib/conditional.ts';
import { acceptedEncodings, chooseEncoding } from '../lib/encoding.ts';
import { describeError, log } from '../lib/log.ts';
import { logAnswer, requestId } from '../logged.ts';
import { type FeedState, feedHeaders, feedState, isHit, notModifiedAnswer } from './answer.ts';
import { Backlog } from './backlog.ts';
import { feedChunks, feedLength, gather, streamOf } from './body.ts';
import { areWhole, basicCredentials } from './credentials.ts';
import { errorDocument } from './error-document.ts';
import { frameOf } from './frame.ts';
import { freshHead, noteKept, proveHead, readHead } from './head.ts';
import type { Refusal } from './parameters.ts';
import { type FeedRequest, wholeFromStore } from './parts.ts';
import { type PlannedPart, planFeed } from './plan.ts';
import { readQuery, rememberQuery } from './query.ts';
import { type Verdict, verifyReader } from './reader.ts';
import { dropExcess } from './snapshots.ts';

/** The feed script's name, in any letter case, is the last segment of the path; the directory is the agency's affair. */
export const FEED_SCRIPT = '/CreateXMLFeedV3.asp';

/**
 * A feed with at most one part to build, and at most this many bytes kept, is answered whole or refused whole. A larger
 * one is streamed: it fails, if it does, when its reader has the beginning already.
 */
const BUFFERED = 2 * 1024 * 1024;

export const feed = new Hono<AppEnv>();

feed.all(FEED_SCRIPT, answerFeed);

async function answerFeed(c: Context<AppEnv>): Promise<Response> {
  const started = Date.now();
  const response = await readFeed(c, started);
  if (!isHit(response)) logAnswer(c, response, started);
  return response;
}

/** The steps of a feed request, in their order. */
async function readFeed(c: Context<AppEnv>, now: number): Promise<Response> {
  const { method, url, headers: asked } = c.req.raw;
  if (method !== 'GET' && method !== 'HEAD') {
    return errorDocument('method_not_allowed', 'A feed is read with GET or HEAD.', { Allow: 'GET, HEAD' });
  }
  const query = readQuery(url);
  if ('refusals' in query) return refuse(query.refusals);

  const encoding = chooseEncoding(acceptedEncodings(c.req.raw));
  if (encoding === undefined) {
    return errorDocument('no_acceptable_encoding', 'A feed is sent with the encoding gzip or with none.');
  }

  const credentials = areWhole(query.credentials) ? query.credentials : basicCredentials(c.req.raw, query.credentials);
  if (credentials === undefined) return unauthorized('Give U and P, or HTTP Basic credentials that agree with them.');

  const { parameters, set } = query;
  const report = reporter(c);
  let verdict: Verdict;
  try {
    const { account } = credentials;
    const fresh = freshHead(account, set, now);
    const found = fresh ?? (await readHead(c.env.DB, account, set, now));
    verdict = await verifyReader(credentials, found, () => mayCheck(c, `feed:${account}`, report));
    if (fresh === null && verdict.kind === 'welcome') proveHead(account, set);
  } catch (error) {
    report(error);
    return unavailable();
  }
  if (verdict.kind !== 'welcome') return turnAway(verdict.kind);
  if (credentials === query.credentials) rememberQuery(url, query);

  const { head } = verdict;
  const compressed = encoding === 'gzip';
  const state = feedState(head, set, compressed);
  if (notModified(asked, state.etag, state.modified)) return notModifiedAnswer(state);

  const request: FeedRequest = {
    env: c.env,
    accountId: head.accountId,
    parameters,
    set,
    compressed,
    backlog: new Backlog((task) => c.executionCtx.waitUntil(task), report),
    kept: (name, facts) => noteKept(credentials.account, set, name, facts),
    report,
    withoutStore: false,
  };
  try {
    const parts = await planFeed(c.env.DB, head, parameters, set);
    return await answerParts(c, parts, request, state, head.now);
  } catch (error) {
    report(error);
    return unavailable();
  }
}

/** @param now the database's clock, in seconds since 1970-01-01 UTC */
async function answerParts(
  c: Context<AppEnv>,
  parts: readonly PlannedPart[],
  request: FeedRequest,
  state: FeedState,
  now: number,
): Promise<Response> {
  const { accountId, compressed, parameters, set } = request;
  const length = feedLength(parts, frameOf(parameters.version), compressed);
  const whole = c.req.method === 'HEAD' ? null : await wholeFromStore(parts, request);
  const keptParts = parts.filter((part) => part.kept !== null && !request.withoutStore);
  const headers = feedHeaders(state, keptParts.length, parts.length);
  if (c.req.method === 'HEAD') {
    const answer = new Response(null, { headers, encodeBody: 'manual' });
    if (length !== null) answer.headers.set('Content-Length', String(length));
    return answer;
  }
  if (keptParts.some((part) => now - part.kept!.usedAt > USE_NOTED_EVERY)) {
    request.backlog.add(() => noteUse(c.env.DB, accountId, set.parameters));
  }
  if (length === null) request.backlog.add(() => dropExcess(c.env, accountId));
  return new Response(whole ?? (await bodyOf(parts, request, length)), { headers, encodeBody: 'manual' });
}

async function bodyOf(
  parts: readonly PlannedPart[],
  request: FeedRequest,
  length: number | null,
): Promise<ReadableStream<Uint8Array> | Uint8Array> {
  const chunks = feedChunks(parts, request);
  const toBuild = parts.filter(({ kept }) => kept === null).length;
  const keptBytes = parts.reduce(
    (bytes, { kept }) => bytes + ((request.compressed ? kept?.bytes : kept?.length) ?? 0),
    0,
  );
  if (toBuild <= 1 && keptBytes <= BUFFERED) return gather(chunks);
  return streamOf(chunks, length, request.report);
}

/** Logs the first failure of a request, and no other. */
function reporter(c: Context<AppEnv>): (failure: unknown) => void {
  let reported = false;
  return (failure) => {
    if (reported) return;
    reported = true;
    log('error', 'feed', { requestId: requestId(c), error: describeError(failure) });
  };
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
        'Retry-After': String(CHECK_PERIOD),
      });
    case 'unknown':
      return unavailable();
  }
}

function unauthorized(message: string): Response {
  return errorDocument('bad_credentials', message, { 'WWW-Authenticate': 'Basic realm="feed", charset="UTF-8"' });
}

function unavailable(): Response {
  return errorDocument('unavailable', 'The feed cannot be read at present. Try again later.', { 'Retry-After': '30' });
}
