import { recordUse, USE_RECORDED_EVERY_SECONDS } from '../../db/feed/snapshots.ts';
import { notModified } from '../../lib/http/conditional.ts';
import type { RequestDetails } from '../../request-log.ts';
import type { FeedContext } from '../build/context.ts';
import { openOnlySnapshot } from '../build/parts.ts';
import { emptyFeed, type Frame } from '../document/envelope.ts';
import { evictLeastUsed } from '../invalidation/evict.ts';
import type { PlannedPart } from '../manifest/plan.ts';
import { collect, feedChunks, feedLength } from './body.ts';
import { type Ending, observed, streamOf } from './ending.ts';
import { feedHeaders, notModifiedResponse } from './headers.ts';
import { type FeedValidators, validatorsOfRead, weakened } from './validators.ts';

/**
 * A feed with at most one part of properties and one development to build, which a unit changes together, and at most this many
 * cached bytes, is returned complete, or as an error. A larger one is streamed: if it fails, its reader already has the beginning.
 */
const MAX_BUFFERED = 2 * 1024 * 1024;

/** Bytes up to which such a feed is returned complete even if its one part turns out to be large. */
const MAX_BUILT = 8 * 1024 * 1024;

/** A response, and the values for its log line. Nearly all come from the cache or are a 304: those have no log line. */
export interface FeedResponse extends Omit<RequestDetails, 'interface'> {
  readonly response: Response;
  /** How sending the body ends; absent if nobody has to know. */
  readonly ending?: Promise<Ending>;
}

/** A page after the first: a complete document without records. */
export function emptyPage(request: Request, validators: FeedValidators, frame: Frame): FeedResponse {
  if (notModified(request.headers, validators.etag, validators.lastModified) !== null) {
    return { response: notModifiedResponse(validators), cache: 'not modified' };
  }
  const bytes = emptyFeed(frame, validators.compressed);
  const body = request.method === 'HEAD' ? null : bytes;
  const response = new Response(body, { headers: feedHeaders(validators, frame, 0, 0), encodeBody: 'manual' });
  response.headers.set('Content-Length', String(bytes.length));
  return { response, cache: 'hit' };
}

/** The headers of the feed. */
export function headResponse(
  parts: readonly PlannedPart[],
  feed: FeedContext,
  validators: FeedValidators,
): FeedResponse {
  const cached = cachedParts(parts);
  const length = feedLength(parts, feed.frame, feed.compressed);
  const isExact = length !== null || isBuffered(parts, feed);
  const headers = feedHeaders(isExact ? validators : weakened(validators), feed.frame, cached.length, parts.length);
  const response = new Response(null, { headers, encodeBody: 'manual' });
  if (length !== null) response.headers.set('Content-Length', String(length));
  return { response, ...cacheDetails(parts.length, cached.length) };
}

/** What a response must fulfil. */
export interface Requirements {
  /** The reader takes only a feed of fewer records; `null` if it takes any. */
  readonly recordLimit: number | null;
  /** Whether somebody has to know if the body was taken completely. */
  readonly isObserved: boolean;
}

/** The feed. Its strong ETag, if it has one, names the bytes that are sent, even if a change occurs meanwhile. */
export async function feedResponse(
  planned: readonly PlannedPart[],
  feed: FeedContext,
  validators: FeedValidators,
  requirements: Requirements,
): Promise<FeedResponse> {
  const { env, manifest, compressed, set, background } = feed;
  const [first] = planned;
  const isOnly = planned.length === 1 && !('development' in first!.scope);
  const only = compressed && isOnly ? first!.snapshot : null;
  const stream = only === null || only.bytes === 0 ? null : await openOnlySnapshot(only, feed);
  const isLost = only !== null && only.bytes > 0 && stream === null;
  const parts = isLost ? planned.map((part) => ({ ...part, snapshot: null, isLost })) : planned;

  const cached = cachedParts(parts);
  if (cached.some(({ lastUsedAt }) => manifest.now - lastUsedAt > USE_RECORDED_EVERY_SECONDS)) {
    background.add(() => recordUse(env.DB, manifest.accountId, set.parameters));
  }
  if (cached.length < parts.length) background.add(() => evictLeastUsed(env, manifest.accountId).then(() => {}));
  const sent =
    stream === null
      ? await bodyOf(parts, feed, validators, requirements)
      : { ...(requirements.isObserved ? observed(stream, only!.bytes) : { body: stream }), validators };
  const { body, validators: valid, ...details } = sent;
  // A part that was cached may have been lost, and one that was not may have been cached since.
  const found = 'bytes' in details ? parts.length - feed.tally.misses : cached.length;
  const response = new Response(body, {
    headers: feedHeaders(valid, feed.frame, found, parts.length),
    encodeBody: 'manual',
  });
  return { response, ...cacheDetails(parts.length, found), ...details };
}

/** A body, and the validators that hold for it. */
interface SentBody extends Pick<FeedResponse, 'bytes' | 'records' | 'missed' | 'ending'> {
  readonly body: ReadableStream<Uint8Array> | Uint8Array;
  readonly validators: FeedValidators;
}

async function bodyOf(
  parts: readonly PlannedPart[],
  feed: FeedContext,
  validators: FeedValidators,
  { recordLimit, isObserved }: Requirements,
): Promise<SentBody> {
  const { compressed, frame, set, manifest, tally } = feed;
  const collected = isBuffered(parts, feed) ? await collect(feedChunks(parts, feed, { recordLimit }), MAX_BUILT) : null;
  if (collected !== null && 'bytes' in collected) {
    const { bytes, revisions } = collected;
    const { records, missed } = tally;
    const sent = isObserved ? observed(bytes, bytes.length) : { body: bytes };
    const valid = validatorsOfRead(manifest, set, compressed, parts, revisions);
    return { ...sent, validators: valid, bytes: bytes.length, records, missed };
  }
  const length = collected === null ? feedLength(parts, frame, compressed) : null;
  const chunks = collected?.chunks ?? feedChunks(parts, feed, { recordLimit, mustMatchPlan: length !== null });
  const { body, ending } = streamOf(chunks, length, feed.report);
  const counted = ending.then((end) => ({ ...end, records: tally.records, missed: tally.missed }));
  return { body, ending: counted, validators: length === null ? weakened(validators) : validators };
}

function isBuffered(parts: readonly PlannedPart[], { compressed }: FeedContext): boolean {
  const size = cachedParts(parts).reduce((sum, { bytes, length }) => sum + (compressed ? bytes : length), 0);
  const missing = parts.filter(({ snapshot }) => snapshot === null);
  const ofDevelopments = missing.filter(({ scope }) => 'development' in scope).length;
  return ofDevelopments <= 1 && missing.length - ofDevelopments <= 1 && size <= MAX_BUFFERED;
}

function cachedParts(parts: readonly PlannedPart[]): NonNullable<PlannedPart['snapshot']>[] {
  return parts.flatMap(({ snapshot }) => snapshot ?? []);
}

function cacheDetails(parts: number, cachedParts: number): Pick<FeedResponse, 'cache' | 'parts' | 'cachedParts'> {
  const cache = cachedParts === parts ? 'hit' : cachedParts === 0 ? 'miss' : 'partial';
  return { cache, parts, cachedParts };
}
