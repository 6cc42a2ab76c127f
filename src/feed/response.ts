import type { Manifest } from '../db/manifest.ts';
import type { SnapshotSet } from '../db/snapshots.ts';
import { httpDate } from '../lib/conditional.ts';
import { LruMap } from '../lib/lru.ts';
import type { FeedVersion } from './parameters.ts';

/** The validators of a feed (RFC 9110 section 8.8), and its encoding. */
export interface FeedValidators {
  readonly etag: string;
  /** Seconds since 1970-01-01 UTC; `null` if no date can be given. */
  readonly lastModified: number | null;
  readonly compressed: boolean;
}

/** The validators of a feed according to its manifest. */
export function feedValidators(manifest: Manifest, set: SnapshotSet, compressed: boolean): FeedValidators {
  return { etag: entityTag(manifest, set, compressed), lastModified: lastModified(manifest, set), compressed };
}

/** The validators of a page without records, which is the same for all feeds of a version. */
export function emptyPageValidators(
  version: FeedVersion,
  { format }: SnapshotSet,
  compressed: boolean,
): FeedValidators {
  const etag = `"${format}/empty/FV=${version}${compressed ? '/gzip' : ''}"`;
  return { etag, lastModified: null, compressed };
}

/** Names a feed's bytes: document format, account, the revisions that they depend on, parameters and encoding. */
function entityTag(manifest: Manifest, { format, parameters, dependsOn }: SnapshotSet, compressed: boolean): string {
  const sale = dependsOn.sale ? `s${manifest.revisions.sale}` : '';
  const rental = dependsOn.rental ? `r${manifest.revisions.rental}` : '';
  return `"${format}/${manifest.accountId}/${sale}${rental}/${parameters}${compressed ? '/gzip' : ''}"`;
}

/**
 * When every isolate shows what last changed in a feed, in seconds since 1970-01-01 UTC: a second after the second of the
 * change; `null` before then, since a second change would get the same date. The second of the change itself will not do:
 * a reader that sends a response's Date instead of its Last-Modified may have got that before the change, or from an
 * isolate that had not seen it yet.
 */
function lastModified(manifest: Manifest, { dependsOn }: SnapshotSet): number | null {
  const { sale, rental } = manifest.changedAt;
  const visibleAt = 2 + Math.max(dependsOn.sale ? sale : 0, dependsOn.rental ? rental : 0);
  return visibleAt <= manifest.now ? visibleAt : null;
}

type HeaderValues = Readonly<Record<string, string>>;

/** Cached headers: rebuilding them is a fifth of the work of a 304. */
const cachedHeaders = new LruMap<string, HeaderValues>(1_000);

/** The 304 of a feed, with the headers of RFC 9110 section 15.4.5. */
export function notModifiedResponse({ etag }: FeedValidators): Response {
  const headers = cachedUnder(etag, () => ({
    ...sharedHeaders(etag),
    'Cache-Status': cacheStatus('hit', 'not modified'),
  }));
  return new Response(null, { status: 304, headers });
}

/**
 * The headers of a feed, except for its length.
 *
 * @param cached how many of its parts come from KV
 * @param parts how many it has
 */
export function feedHeaders(
  { etag, lastModified, compressed }: FeedValidators,
  cached: number,
  parts: number,
): HeaderValues {
  return cachedUnder(`${etag} ${lastModified} ${cached} of ${parts}`, () => ({
    ...sharedHeaders(etag),
    ...(lastModified === null ? {} : { 'Last-Modified': httpDate(lastModified) }),
    ...(compressed ? { 'Content-Encoding': 'gzip' } : {}),
    'Content-Type': 'application/xml; charset=utf-8',
    'Cache-Status': partsStatus(cached, parts),
  }));
}

function cachedUnder(key: string, build: () => HeaderValues): HeaderValues {
  const known = cachedHeaders.get(key);
  if (known !== undefined) return known;
  const headers = build();
  cachedHeaders.set(key, headers);
  return headers;
}

/** The headers of the 200 that a 304 repeats. Cloudflare may decompress or recompress a response that does not forbid it. */
function sharedHeaders(etag: string): HeaderValues {
  return { ETag: etag, 'Cache-Control': 'private, no-cache, no-transform', Vary: 'Accept-Encoding' };
}

function partsStatus(cached: number, parts: number): string {
  const detail = `${cached} of ${parts} parts cached`;
  if (cached === parts) return cacheStatus('hit', detail);
  return cacheStatus(cached === 0 ? 'fwd=miss' : 'fwd=partial', detail);
}

/** RFC 9211. */
function cacheStatus(how: string, detail: string): string {
  return `Lindero; ${how}; detail="${detail}"`;
}
