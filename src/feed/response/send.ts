import { httpDate } from '../../lib/http/conditional.ts';
import type { EpochMilliseconds } from '../../lib/time/time.ts';
import type { RequestDetails } from '../../request-log.ts';
import type { FeedContext } from '../build/context.ts';
import { feedOf } from '../build/parts.ts';
import { evictLeastUsed } from '../invalidation/evict.ts';
import type { PlannedPart } from '../manifest/plan.ts';
import { recordUse, USE_RECORDED_EVERY_SECONDS } from '../snapshots/table.ts';
import { collect, feedChunks, feedLength } from './body.ts';
import { type Ending, streamOf } from './ending.ts';
import { type FeedValidators, weakened } from './validators.ts';

/**
 * A feed with at most this many cached bytes, and at most one part of properties and one of a development to build (a unit changes
 * both), is returned complete, or as an error. A larger one is streamed: if it fails, its reader already has the beginning.
 */
const MAX_BUFFERED_BYTES = 2 * 1024 * 1024;

/** Bytes up to which such a feed is returned complete even if its one part turns out to be large. */
const MAX_BUILT_BYTES = 8 * 1024 * 1024;

/** A response with the values of its log line. Most responses have none, since they come from the cache or are a 304. */
export interface FeedResponse extends Omit<RequestDetails, 'interface'> {
  readonly response: Response;
  /** How the sending of the body ends; absent if nobody needs to know. */
  readonly ending?: Promise<Ending>;
}

/** The 304 of a feed, with the headers of RFC 9110 section 15.4.5. */
export function notModifiedResponse({ etag }: FeedValidators): Response {
  const headers = { ...sharedHeaders(etag), 'Cache-Status': cacheStatus('hit', 'not modified') };
  return new Response(null, { status: 304, headers });
}

/**
 * Marks a feed, or its 304, as possibly out of date while D1 fails: `Age` (RFC 9111 section 5.1) and `Warning: 110` (RFC 7234
 * section 5.5.1).
 *
 * @param staleSince when its manifest was read
 */
export function markStale(
  { headers }: Response,
  staleSince: EpochMilliseconds,
  now: EpochMilliseconds,
): void {
  headers.set('Age', String(Math.max(0, Math.round((now - staleSince) / 1_000))));
  headers.set('Warning', '110 - "Response is Stale"');
}

export function headResponse(
  parts: readonly PlannedPart[],
  feed: FeedContext,
  validators: FeedValidators,
): FeedResponse {
  const cached = cachedParts(parts);
  const length = feedLength(parts, feed.envelope, feed.compressed);
  const isExact = length !== null || isBuffered(parts, feed);
  const details = cacheDetails(parts.length, cached.length);
  const headers = feedHeaders(isExact ? validators : weakened(validators), feed, details);
  const response = new Response(null, { headers, encodeBody: 'manual' });
  if (length !== null) response.headers.set('Content-Length', String(length));
  return { response, ...details };
}

interface Requirements {
  /** The reader takes only a feed of fewer records; `null` if it takes any. */
  readonly recordLimit: number | null;
  /** Whether somebody needs to know if the body was taken completely. */
  readonly isObserved: boolean;
}

/** The feed. Its strong ETag, if it has one, names the bytes that are sent, even if a change occurs in the meantime. */
export async function feedResponse(
  planned: readonly PlannedPart[],
  feed: FeedContext,
  validators: FeedValidators,
  requirements: Requirements,
): Promise<FeedResponse> {
  const { isObserved } = requirements;
  const { env, manifest, compressed, set, background } = feed;
  const failed = (error: unknown) => {
    feed.report(error);
    return null;
  };
  const [first] = planned;
  const isOnly = planned.length === 1 && !('development' in first!.scope);
  const only = compressed && isOnly ? first!.snapshot : null;
  const isStored = only !== null && only.bytes > 0;
  // The complete feed: KV has it, unless it fails or has lost it.
  const stored = isStored ? await feedOf(only, feed).catch(failed) : null;
  const isLost = isStored && stored === null;
  const parts = isLost ? planned.map((part) => ({ ...part, snapshot: null, isLost })) : planned;

  const cached = cachedParts(parts);
  if (cached.some(({ lastUsedAt }) => manifest.now - lastUsedAt > USE_RECORDED_EVERY_SECONDS)) {
    background.add(() => recordUse(env.DB, manifest.accountId, set.parameters));
  }
  if (cached.length < parts.length)
    background.add(() => evictLeastUsed(env, manifest.accountId).then(() => {}));
  const sent =
    stored === null
      ? await bodyOf(parts, feed, validators, requirements)
      : {
          // The runtime copies a body that is not a stream, for as long as its reader takes.
          ...(isObserved || stored.length > MAX_BUFFERED_BYTES
            ? streamOf([stored].values(), stored.length, feed.report)
            : { body: stored }),
          validators,
        };
  const { body, validators: valid, ...sending } = sent;
  // A part that was cached may have been lost, and one that was not may have been cached since.
  const missed = Object.values(feed.metrics.missed).reduce((sum, count) => sum + count, 0);
  const details = cacheDetails(
    parts.length,
    'bytes' in sending ? parts.length - missed : cached.length,
  );
  const response = new Response(body, {
    headers: feedHeaders(valid, feed, details),
    encodeBody: 'manual',
  });
  if (body instanceof Uint8Array) response.headers.set('Content-Length', String(body.length));
  return { response, ...details, ...sending };
}

async function bodyOf(
  parts: readonly PlannedPart[],
  feed: FeedContext,
  validators: FeedValidators,
  needs: Requirements,
) {
  const { recordLimit, isObserved } = needs;
  const { compressed, envelope, metrics } = feed;
  const collected = isBuffered(parts, feed)
    ? await collect(feedChunks(parts, feed, { recordLimit }), MAX_BUILT_BYTES)
    : null;
  if (collected?.bytes !== undefined) {
    const { bytes, isAsPlanned } = collected;
    const { records, missed } = metrics;
    const sent = isObserved
      ? streamOf([bytes].values(), bytes.length, feed.report)
      : { body: bytes };
    const valid = isAsPlanned ? validators : weakened(validators);
    return { ...sent, validators: valid, bytes: bytes.length, records, missed };
  }
  const length = collected === null ? feedLength(parts, envelope, compressed) : null;
  const chunks =
    collected?.chunks ?? feedChunks(parts, feed, { recordLimit, mustMatchPlan: length !== null });
  const { body, ending } = streamOf(chunks, length, feed.report);
  const counted = ending.then((end) => ({
    ...end,
    records: metrics.records,
    missed: metrics.missed,
  }));
  return { body, ending: counted, validators: length === null ? weakened(validators) : validators };
}

function isBuffered(parts: readonly PlannedPart[], { compressed }: FeedContext): boolean {
  const size = cachedParts(parts).reduce(
    (sum, { bytes, length }) => sum + (compressed ? bytes : length),
    0,
  );
  const missing = parts.filter(({ snapshot }) => snapshot === null);
  const ofDevelopments = missing.filter(({ scope }) => 'development' in scope).length;
  return ofDevelopments <= 1 && missing.length - ofDevelopments <= 1 && size <= MAX_BUFFERED_BYTES;
}

function cachedParts(parts: readonly PlannedPart[]): NonNullable<PlannedPart['snapshot']>[] {
  return parts.flatMap(({ snapshot }) => snapshot ?? []);
}

/** How much of a feed came from the cache. */
interface CacheDetails {
  readonly cache: 'hit' | 'miss' | 'partial';
  readonly parts: number;
  readonly cachedParts: number;
}

function cacheDetails(parts: number, cachedParts: number): CacheDetails {
  const cache = cachedParts === parts ? 'hit' : cachedParts === 0 ? 'miss' : 'partial';
  return { cache, parts, cachedParts };
}

/** The headers of a feed, except for its length. */
function feedHeaders(
  { etag, lastModified, compressed }: FeedValidators,
  { envelope: { mediaType }, set: { channel }, parameters: { policy } }: FeedContext,
  { cache, parts, cachedParts }: CacheDetails,
): Record<string, string> {
  // The number of parts tells how many properties there are, also those that the reader may not see.
  const isOfAll = channel === null && policy === undefined;
  return {
    ...sharedHeaders(etag),
    ...(lastModified === null ? {} : { 'Last-Modified': httpDate(lastModified) }),
    ...(compressed ? { 'Content-Encoding': 'gzip' } : {}),
    'Content-Type': mediaType,
    'Cache-Status': cacheStatus(
      cache === 'hit' ? cache : `fwd=${cache}`,
      isOfAll ? `${cachedParts} of ${parts} parts cached` : undefined,
    ),
  };
}

/** The headers of the 200 that a 304 repeats. Cloudflare may decompress or recompress a response that does not forbid it. */
function sharedHeaders(etag: string) {
  return {
    ETag: etag,
    'Cache-Control': 'private, no-cache, no-transform',
    Vary: 'Accept-Encoding',
    'X-Content-Type-Options': 'nosniff',
  };
}

function cacheStatus(how: string, detail?: string): string {
  return `Lindero; ${how}${detail === undefined ? '' : `; detail="${detail}"`}`;
}
