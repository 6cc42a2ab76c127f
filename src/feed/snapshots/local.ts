import { crc32 } from 'node:zlib';
import type { Env } from '../../env.ts';
import type { EpochSeconds } from '../../lib/time/time.ts';
import { withTimeout } from '../../lib/time/timeout.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { nameOf, type PlannedPart, snapshotKey } from '../manifest/plan.ts';
import { isIntact } from './intact.ts';
import type { SnapshotDetails, SnapshotName, SnapshotSet } from './table.ts';

/**
 * The cache of the location that the Worker runs in (developers.cloudflare.com/workers/runtime-apis/cache). It costs nothing, and
 * as the Worker is placed near its database, all requests meet the same one. Like KV it may lose anything at any time, so
 * snapshots that last are in KV as well.
 */

/** A snapshot of this location, as known before its bytes are read. */
interface LocalSnapshot extends SnapshotDetails {
  readonly builtAt: EpochSeconds;
}

/** Its label: also the CRC-32 of the bytes as they are stored. */
interface Label extends LocalSnapshot {
  readonly sum: number;
}

/** Seconds for which a location may keep a snapshot. */
const LIFETIME_SECONDS = 24 * 3_600;

const READ_TIMEOUT_MS = 1_000;

const LABEL = 'X-Snapshot';

/**
 * Whether this isolate has found anything in the cache. Where the platform has none, such as behind
 * Cloudflare Access, storing succeeds and finding never does: until it has, snapshots are in KV as
 * well.
 */
export const localCache = { hasMatched: false };

/** Whether a request may find a cache: not at workers.dev, where the platform has none. */
export function hasLocalCache(request: Request, { PUBLIC_ORIGIN }: Env): boolean {
  if (PUBLIC_ORIGIN === undefined || PUBLIC_ORIGIN.endsWith('.workers.dev')) return false;
  return request.url.startsWith(`${PUBLIC_ORIGIN}/`);
}

/** A cached snapshot; `null` if there is none or the cache fails, since KV or D1 can serve it instead. */
async function find(env: Env, name: SnapshotName) {
  const cached = caches.default.match(urlOf(env, name));
  const found = await withTimeout('The cache', cached, READ_TIMEOUT_MS).catch(() => undefined);
  if (found?.body == null) return null;
  localCache.hasMatched = true;
  return { body: found.body, label: JSON.parse(found.headers.get(LABEL)!) as Label };
}

/**
 * The cache's keys are URLs, of the service's own host: the platform would look up any other.
 * Requests for this one get the Worker's 404, since the Worker comes before the cache. The number
 * is the version of the labels.
 */
function urlOf({ PUBLIC_ORIGIN }: Env, name: SnapshotName): string {
  return `${PUBLIC_ORIGIN}/.snapshots/3/${encodeURIComponent(snapshotKey(name))}`;
}

/**
 * The bytes of a snapshot, or `null` if this location has them no longer, has others, or they are
 * damaged.
 */
export async function readLocal(
  env: Env,
  name: SnapshotName,
  { bytes, crc }: Pick<SnapshotDetails, 'bytes' | 'crc'>,
): Promise<Uint8Array | null> {
  const found = await find(env, name);
  if (found?.label.bytes !== bytes || found.label.crc !== crc) {
    await found?.body.cancel();
    return null;
  }
  const feed = await new Response(found.body).bytes();
  return isIntact(feed, found.label, name) ? feed : null;
}

export async function putLocal(
  env: Env,
  name: SnapshotName,
  feed: Uint8Array,
  snapshot: LocalSnapshot,
): Promise<void> {
  const label: Label = { ...snapshot, sum: crc32(feed) };
  const headers = {
    'Cache-Control': `max-age=${LIFETIME_SECONDS}`,
    [LABEL]: JSON.stringify(label),
  };
  await caches.default.put(urlOf(env, name), new Response(feed, { headers }));
}

/** Parts that are looked for at the same time: a Worker may have six connections open. */
const AT_ONCE = 6;

/** The parts with the snapshots that this location has of them. Those that KV has are read from the location first. */
export async function withLocalSnapshots(
  env: Env,
  parts: readonly PlannedPart[],
  { accountId, now }: Manifest,
  set: SnapshotSet,
): Promise<PlannedPart[]> {
  const locate = async (part: PlannedPart): Promise<PlannedPart> => {
    if (part.snapshot !== null)
      return { ...part, snapshot: { ...part.snapshot, from: 'location or KV' } };
    const name = nameOf(accountId, set, part);
    const found = await find(env, name);
    if (found === null) return part;
    await found.body.cancel();
    const { builtAt, sum: _, ...details } = found.label;
    const times = { cachedAt: builtAt, lastUsedAt: now };
    return {
      ...part,
      snapshot: { ...details, ...times, name, isSettled: false, from: 'location' },
    };
  };
  const located: PlannedPart[] = [];
  for (let start = 0; start < parts.length; start += AT_ONCE) {
    located.push(...(await Promise.all(parts.slice(start, start + AT_ONCE).map(locate))));
  }
  return located;
}
