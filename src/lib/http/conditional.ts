import type { EpochSeconds } from '../time/time.ts';

/** What matched: the ETag itself, the very date of the last change, or something that anyone can send (`*`, a later date). */
export type Match = 'etag' | 'date' | 'other';

/**
 * What makes the response to a conditional GET or HEAD a 304 (RFC 9110 section 13.2.2): If-None-Match, compared weakly, or
 * else If-Modified-Since; `null` if nothing does.
 *
 * @param etag its opaque part contains no quote and does not begin with a comma or white space, so that a list of ETags
 * contains it as a substring if and only if it is a member
 * @param lastModified `null` if unknown
 */
export function notModified(
  headers: Headers,
  etag: string,
  lastModified: EpochSeconds | null,
): Match | null {
  const tags = headers.get('If-None-Match');
  if (tags !== null) return !isListed(etag, tags) ? null : tags.trim() === '*' ? 'other' : 'etag';
  const time = parseHttpDate(headers.get('If-Modified-Since'));
  if (lastModified === null || time === null || time < lastModified) return null;
  return time === lastModified ? 'date' : 'other';
}

/**
 * Whether a conditional GET or HEAD gets a 412 (RFC 9110 section 13.2.2): by If-Match, or else by If-Unmodified-Since.
 * Parameters as in {@link notModified}. If-Match is compared weakly, because Cloudflare weakens the ETag of a response that
 * it compresses.
 */
export function preconditionFails(
  headers: Headers,
  etag: string,
  lastModified: number | null,
): boolean {
  const tags = headers.get('If-Match');
  if (tags !== null) return !isListed(etag, tags);
  const time = parseHttpDate(headers.get('If-Unmodified-Since'));
  return lastModified !== null && time !== null && time < lastModified;
}

/**
 * The opaque tags in an If-Match header (RFC 9110 section 13.1.1); `undefined` if it is absent or `*`, which every
 * existing resource matches. Weak tags count, although by section 8.8.3.2 they never match here: Cloudflare weakens the ETag
 * of a response that it compresses, and clients send back what they received.
 */
export function allowedTags(ifMatch: string | undefined): string[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  return [...ifMatch.matchAll(/"([^"]*)"/g)].map(([, tag]) => tag!);
}

function isListed(etag: string, tags: string): boolean {
  return tags.trim() === '*' || tags.includes(etag.slice(etag.indexOf('"')));
}

/** A time as an HTTP-date (RFC 9110 section 5.6.7). */
export function httpDate(seconds: EpochSeconds): string {
  return new Date(seconds * 1000).toUTCString();
}

/** IMF-fixdate, and the two obsolete formats, RFC 850 and asctime. */
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]+day, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/,
];

/** An HTTP-date (RFC 9110 section 5.6.7) as a time; `null` if it is not one. */
function parseHttpDate(date: string | null): EpochSeconds | null {
  if (date === null || !HTTP_DATES.some((format) => format.test(date))) return null;
  const milliseconds = Date.parse(date.endsWith('GMT') ? date : `${date} GMT`);
  return Number.isNaN(milliseconds) ? null : milliseconds / 1000;
}
