import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Exchange, HttpClient, Message } from './http.ts';

/** Parameters of a feed, besides its credentials. */
export type FeedParameters = Readonly<Record<string, string | number>>;

/** Whose feed is read. */
export interface FeedAccount {
  readonly account: string;
  readonly password: string;
}

/** The path and query of a feed. */
export function feedPath(
  { account, password }: FeedAccount,
  parameters: FeedParameters,
  file = 'CreateXMLFeedV3.asp',
): string {
  const query = Object.entries({ U: `OWNPROPERTIES@${account}`, P: password, ...parameters })
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  return `/${file}?${query}`;
}

/**
 * Parameters that hardly anyone has requested before, so that their feed is not cached: a number of pictures and two
 * languages at random.
 */
export function uncachedParameters(): FeedParameters {
  const first = randomInt(1, 10);
  return { FV: 3, IC: randomInt(100, 1000), Language: `${first},${randomInt(first + 1, 11)}` };
}

export const GZIP: Message = { headers: { 'Accept-Encoding': 'gzip' } };
export const IDENTITY: Message = { headers: { 'Accept-Encoding': 'identity' } };

/** Whether every part of a feed came from the cache (RFC 9211). */
export function isHit({ headers }: Pick<Exchange, 'headers'>): boolean {
  return /;\s*hit\b/.test(String(headers['cache-status'] ?? ''));
}

/** Requests a feed until it comes from the cache, or for as long as that may take; returns the last response. */
export async function fetchCached(
  { client, cachedWithin }: { readonly client: HttpClient; readonly cachedWithin: number },
  path: string,
  message: Message,
): Promise<Exchange> {
  const deadline = performance.now() + cachedWithin;
  for (let wait = 250; ; wait *= 1.5) {
    const exchange = await client.send(path, message);
    if (exchange.status !== 200 || isHit(exchange) || performance.now() > deadline) return exchange;
    await setTimeout(wait);
  }
}
