import Negotiator from 'negotiator';
import { LruMap } from './lru.ts';

export type Encoding = 'gzip' | 'identity';

/**
 * The content coding that the caller prefers (RFC 9110 section 12.5.3); `undefined` if it accepts neither gzip nor
 * identity. Without Accept-Encoding, identity.
 */
export function chooseEncoding(acceptEncoding: string | null): Encoding | undefined {
  if (acceptEncoding === null) return 'identity';
  const cached = cache.get(acceptEncoding);
  if (cached !== undefined) return cached;
  // Negative q-values are invalid (section 12.4.2); the library would apply them to unnamed codings as well.
  const normalized = acceptEncoding.replace(/;\s*q\s*=\s*-[^,;]*/gi, ';q=0');
  const negotiator = new Negotiator({ headers: { 'accept-encoding': normalized } });
  const encoding = negotiator.encodings(['gzip', 'identity'])[0] as Encoding | undefined;
  if (encoding !== undefined && acceptEncoding.length <= MAX_CACHED_LENGTH) cache.set(acceptEncoding, encoding);
  return encoding;
}

/** Characters of the longest cached header value: browsers send about 30. */
const MAX_CACHED_LENGTH = 200;

/** By header value: there are few, and parsing one costs as much as the rest of a conditional request. */
const cache = new LruMap<string, Encoding>(100);

/**
 * The caller's own Accept-Encoding. Cloudflare rewrites the header before it reaches the Worker and provides the original
 * in `cf`; locally the header is the original.
 */
export function acceptedEncodings(request: Request): string | null {
  const original = (request.cf as IncomingRequestCfProperties | undefined)?.clientAcceptEncoding;
  return original ?? request.headers.get('Accept-Encoding');
}
