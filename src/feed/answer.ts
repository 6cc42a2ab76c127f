import type { FeedHead } from '../db/feed-head.ts';
import type { SnapshotSet } from '../db/snapshots.ts';
import { httpDate } from '../lib/conditional.ts';
import { LruMap } from '../lib/lru.ts';

/** The state of a feed that an answer gives, or would give. */
export interface FeedState {
  readonly etag: string;
  /** Seconds since 1970-01-01 UTC, or `null` where no date can be given. */
  readonly modified: number | null;
  readonly compressed: boolean;
}

/** The state that a head gives of the feed of a parameter set. */
export function feedState(head: FeedHead, set: SnapshotSet, compressed: boolean): FeedState {
  return { etag: entityTag(head, set, compressed), modified: lastModified(head, set), compressed };
}

/** Names the bytes of a feed: its form, the account, the revisions that it depends on, its parameters and its encoding. */
function entityTag(head: FeedHead, { format, parameters, dependsOn }: SnapshotSet, compressed: boolean): string {
  const sale = dependsOn.sale ? `s${head.revisions.sale}` : '';
  const rental = dependsOn.rental ? `r${head.revisions.rental}` : '';
  return `"${format}/${head.accountId}/${sale}${rental}/${parameters}${compressed ? '/gzip' : ''}"`;
}

/**
 * When every isolate shows what a feed last changed to, in seconds since 1970-01-01 UTC: a second after the second of the
 * change; `null` before, since a second change would have the same date. Not the second itself, since a reader that sends
 * the Date of an answer in place of its Last-Modified may have got that before the change, or from an isolate that had not
 * seen it yet.
 */
function lastModified(head: FeedHead, { dependsOn }: SnapshotSet): number | null {
  const { sale, rental } = head.changedAt;
  const settled = 2 + Math.max(dependsOn.sale ? sale : 0, dependsOn.rental ? rental : 0);
  return settled <= head.now ? settled : null;
}

/** What answers have said before: to say it anew is a fifth of the work of a 304. */
const notModifiedAnswers = new LruMap<string, Response>(500);
const headersOfFeeds = new LruMap<string, Headers>(500);

/** The 304 of a feed. It has no body, so the same one is sent every time: it must not be changed. */
export function notModifiedAnswer({ etag }: FeedState): Response {
  const known = notModifiedAnswers.get(etag);
  if (known !== undefined) return known;
  const headers = { ...validators(etag), 'Cache-Status': cacheStatus('hit', 'not modified') };
  const answer = new Response(null, { status: 304, headers });
  notModifiedAnswers.set(etag, answer);
  return answer;
}

/**
 * The headers of a feed, but for its length. They are shared, and must not be changed.
 *
 * @param kept how many of its parts are kept
 * @param parts how many it has
 */
export function feedHeaders({ etag, modified, compressed }: FeedState, kept: number, parts: number): Headers {
  const key = `${etag} ${modified} ${kept} of ${parts}`;
  const known = headersOfFeeds.get(key);
  if (known !== undefined) return known;
  const headers = new Headers({
    ...validators(etag),
    ...(modified === null ? {} : { 'Last-Modified': httpDate(modified) }),
    ...(compressed ? { 'Content-Encoding': 'gzip' } : {}),
    'Content-Type': 'application/xml; charset=utf-8',
    'Cache-Status': partsStatus(kept, parts),
  });
  headersOfFeeds.set(key, headers);
  return headers;
}

/** Whether an answer was begun from what is kept, or is a 304: nearly all are, and the log has no line of them. */
export function isHit(answer: Response): boolean {
  return answer.headers.get('Cache-Status')?.startsWith('Lindero; hit') ?? false;
}

/** What a 304 repeats of the 200 (RFC 9110 section 15.4.5). */
function validators(etag: string): Record<string, string> {
  return { ETag: etag, 'Cache-Control': 'private, no-cache', Vary: 'Accept-Encoding' };
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
