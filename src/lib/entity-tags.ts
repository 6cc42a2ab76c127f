/**
 * The opaque tags that an If-Match header allows (RFC 9110 section 13.1.1); `undefined` where it sets no condition on what
 * exists: it is absent or `*`.
 *
 * Weak ones count, though section 8.8.3.2 has them match nothing here: Cloudflare makes a tag weak where it compresses an
 * answer on its way, and a client can but send back what it got.
 */
export function allowedTags(ifMatch: string | undefined): string[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  return [...ifMatch.matchAll(/"([^"]*)"/g)].map(([, tag]) => tag!);
}
