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
export function notModified(headers: ReadableHeaders, etag: string, lastModified: EpochSeconds | null): Match | null {
  const tags = headers.get('If-None-Match');
  if (tags !== null) return !isListed(etag, tags) ? null : tags.trim() === '*' ? 'other' : 'etag';
  const since = headers.get('If-Modified-Since');
  if (since === null || lastModified === null) return null;
  const time = parseHttpDate(since);
  if (time === null || time < lastModified) return null;
  return time === lastModified ? 'date' : 'other';
}

/**
 * Whether a conditional GET or HEAD gets a 412 (RFC 9110 section 13.2.2): by If-Match, or else by If-Unmodified-Since.
 * Parameters as in {@link notModified}. If-Match is compared weakly, because Cloudflare weakens the ETag of a response that
 * it compresses.
 */
export function preconditionFails(headers: ReadableHeaders, etag: string, lastModified: number | null): boolean {
  const tags = headers.get('If-Match');
  if (tags !== null) return !isListed(etag, tags);
  const since = headers.get('If-Unmodified-Since');
  if (since === null || lastModified === null) return false;
  const time = parseHttpDate(since);
  return time !== null && time < lastModified;
}

/** A time as an HTTP-date (RFC 9110 section 5.6.7). */
export function httpDate(seconds: EpochSeconds): string {
  return new Date(seconds * 1000).toUTCString();
}

interface ReadableHeaders {
  get(name: string): string | null;
}

function isListed(etag: string, tags: string): boolean {
  return tags.trim() === '*' || tags.includes(etag.slice(etag.indexOf('"')));
}

const DAY = '(Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const MONTH = '(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const TIME = '\\d\\d:\\d\\d:\\d\\d';

/** IMF-fixdate, and the two obsolete formats, RFC 850 and asctime. */
const HTTP_DATES = [
  new RegExp(`^${DAY}, \\d\\d ${MONTH} \\d{4} ${TIME} GMT$`),
  new RegExp(`^(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \\d\\d-${MONTH}-\\d\\d ${TIME} GMT$`),
  new RegExp(`^${DAY} ${MONTH} [ \\d]\\d ${TIME} \\d{4}$`),
];

/** An HTTP-date (RFC 9110 section 5.6.7) as a time; `null` if it is not one. */
function parseHttpDate(date: string): EpochSeconds | null {
  if (!HTTP_DATES.some((format) => format.test(date))) return null;
  const milliseconds = Date.parse(date.endsWith('GMT') ? date : `${date} GMT`);
  return Number.isNaN(milliseconds) ? null : milliseconds / 1000;
}
