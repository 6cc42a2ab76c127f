import Negotiator from 'negotiator';

export type Encoding = 'gzip' | 'identity';

/**
 * The content coding that a caller prefers (RFC 9110 section 12.5.3);
 * `undefined` where neither gzip nor identity is acceptable. No Accept-Encoding is taken to mean no encoding.
 */
export function chooseEncoding(acceptEncoding: string | null): Encoding | undefined {
  if (acceptEncoding === null) return 'identity';
  const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } });
  return negotiator.encodings(['gzip', 'identity'])[0] as Encoding | undefined;
}

/**
 * What the caller itself accepts: Cloudflare rewrites Accept-Encoding on its way to the Worker and keeps the caller's own
 * beside the request; elsewhere the header is the caller's.
 */
export function acceptedEncodings(request: Request): string | null {
  const own = (request.cf as IncomingRequestCfProperties | undefined)?.clientAcceptEncoding;
  return own ?? request.headers.get('Accept-Encoding');
}
