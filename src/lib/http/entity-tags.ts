/**
 * The opaque tags in an If-Match header (RFC 9110 section 13.1.1); `undefined` if it is absent or `*`, which every
 * existing resource matches. Weak tags count, although by section 8.8.3.2 they never match here: Cloudflare weakens the ETag
 * of a response that it compresses, and clients send back what they received.
 */
export function allowedTags(ifMatch: string | undefined): string[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  return [...ifMatch.matchAll(/"([^"]*)"/g)].map(([, tag]) => tag!);
}
