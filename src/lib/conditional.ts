/**
 * Whether a conditional GET or HEAD is answered 304 (RFC 9110 section 13.2.2): by If-None-Match, compared weakly, where
 * it is given, else by If-Modified-Since.
 *
 * @param etag its quotes hold no quote, and do not begin with a comma or white space: so it stands in a list where it is a
 * member of it, and nowhere else
 * @param lastModified seconds since 1970-01-01 UTC, or `null` where none can be given
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

/** An HTTP-date (RFC 9110 section 5.6.7) of seconds since 1970-01-01 UTC. */
export function httpDate(seconds: number): string {
  return new Date(seconds * 1000).toUTCString();
}

const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /;
