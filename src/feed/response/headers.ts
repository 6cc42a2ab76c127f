import { httpDate } from '../../lib/http/conditional.ts';
import type { EpochMilliseconds } from '../../lib/time/time.ts';
import type { Frame } from '../document/envelope.ts';
import type { FeedValidators } from './validators.ts';

/** The 304 of a feed, with the headers of RFC 9110 section 15.4.5. */
export function notModifiedResponse({ etag }: FeedValidators): Response {
  const headers = { ...sharedHeaders(etag), 'Cache-Status': cacheStatus('hit', 'not modified') };
  return new Response(null, { status: 304, headers });
}

/**
 * The headers of a feed, except for its length.
 *
 * @param cached how many of its parts come from KV
 * @param parts how many it has
 */
export function feedHeaders(
  { etag, lastModified, compressed }: FeedValidators,
  { mediaType }: Frame,
  cached: number,
  parts: number,
): Record<string, string> {
  return {
    ...sharedHeaders(etag),
    ...(lastModified === null ? {} : { 'Last-Modified': httpDate(lastModified) }),
    ...(compressed ? { 'Content-Encoding': 'gzip' } : {}),
    'Content-Type': mediaType,
    'Cache-Status': partsStatus(cached, parts),
  };
}

/**
 * Marks a feed, or its 304, as possibly out of date while D1 fails: `Age` (RFC 9111 section 5.1) and `Warning: 110` (RFC 7234
 * section 5.5.1).
 *
 * @param staleSince when its manifest was read
 */
export function markStale({ headers }: Response, staleSince: EpochMilliseconds, now: EpochMilliseconds): void {
  headers.set('Age', String(Math.max(0, Math.round((now - staleSince) / 1_000))));
  headers.set('Warning', '110 - "Response is Stale"');
}

/** The headers of the 200 that a 304 repeats. Cloudflare may decompress or recompress a response that does not forbid it. */
function sharedHeaders(etag: string) {
  return { ETag: etag, 'Cache-Control': 'private, no-cache, no-transform', Vary: 'Accept-Encoding' };
}

function partsStatus(cached: number, parts: number): string {
  const detail = `${cached} of ${parts} parts cached`;
  if (cached === parts) return cacheStatus('hit', detail);
  return cacheStatus(cached === 0 ? 'fwd=miss' : 'fwd=partial', detail);
}

/** RFC 9211. */
function cacheStatus(how: string, detail: string): string {
  return `Lindero; ${how}; detail="${detail}"`;
}
