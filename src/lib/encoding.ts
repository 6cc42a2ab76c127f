import Negotiator from 'negotiator';
import { LruMap } from './lru.ts';

export type Encoding = 'gzip' | 'identity';

/**
 * The content coding that a caller prefers (RFC 9110 section 12.5.3);
 * `undefined` where neither gzip nor identity is acceptable. No Accept-Encoding is taken to mean no encoding.
 */
export function chooseEncoding(acceptEncoding: string | null): Encoding | undefined {
  if (acceptEncoding === null) return 'identity';
  const known = chosen.get(acceptEncoding);
  if (known !== undefined) return known;
  // A weight below zero is none (section 12.4.2); the library would have it weigh on what is not named as well.
  const weighed = acceptEncoding.replace(/;\s*q\s*=\s*-[^,;]*/gi, ';q=0');
  const negotiator = new Negotiator({ headers: { 'accept-encoding': weighed } });
  const encoding = negotiator.encodings(['gzip', 'identity'])[0] as Encoding | undefined;
  if (encoding !== undefined) chosen.set(acceptEncoding, encoding);
  return encoding;
}

/** Callers send a few texts over and over; to read one costs as much as all the rest of a conditional request. */
const chosen = new LruMap<string, Encoding>(100);

/**
 * What the caller itself accepts: Cloudflare rewrites Accept-Encoding on its way to the Worker and keeps the caller's own
 * beside the request; elsewhere the header is the caller's.
 */
export function acceptedEncodings(request: Request): string | null {
  const own = (request.cf as IncomingRequestCfProperties | undefined)?.clientAcceptEncoding;
  return own ?? request.headers.get('Accept-Encoding');
}
