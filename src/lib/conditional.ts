/**
 * Whether a conditional GET or HEAD gets a 304 (RFC 9110 section 13.2.2): by If-None-Match, compared weakly, or else by
 * If-Modified-Since.
 *
 * @param etag its opaque part contains no quote and does not begin with a comma or white space, so that a list of ETags
 * contains it as a substring exactly if it is a member
 * @param lastModified seconds since 1970-01-01 UTC, or `null` if unknown
 */
export function notModified(
  headers: { get(name: string): string | null },
  etag: string,
  lastModified: number | null,
): boolean {
  const tags = headers.get('If-None-Match');
  if (tags !== null) return tags.trim() === '*' || tags.includes(etag.slice(etag.indexOf('"')));
  const since = headers.get('If-Modified-Since');
  if (since === null || lastModified === null || !HTTP_DATE.test(since)) return false;
  return Date.parse(since) / 1000 >= lastModified;
}

/** Seconds since 1970-01-01 UTC as an HTTP-date (RFC 9110 section 5.6.7). */
export function httpDate(seconds: number): string {
  return new Date(seconds * 1000).toUTCString();
}

const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /;
