/**
 * The opaque tags that an If-Match header allows by strong comparison (RFC 9110 sections 8.8.3.2 and 13.1.1);
 * `undefined` where it sets no condition on what exists: it is absent or `*`.
 */
export function strongTags(ifMatch: string | undefined): string[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  return [...ifMatch.matchAll(/(W\/)?"([^"]*)"/g)].flatMap(([, weak, tag]) => (weak === undefined ? [tag!] : []));
}
