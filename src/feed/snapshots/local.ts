import type { Env } from '../../env.ts';
import type { EpochSeconds } from '../../lib/time/time.ts';
import { withTimeout } from '../../lib/time/timeout.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { nameOf, type PlannedPart, snapshotKey } from '../manifest/plan.ts';
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

/** Seconds for which a location may keep a snapshot. */
const LIFETIME_SECONDS = 24 * 3_600;

const READ_TIMEOUT_MS = 1_000;

const LABEL = 'X-Snapshot';

/** Whether a request can use it: not at workers.dev, where the platform has none. */
export function hasLocalCache(request: Request, env: Env): boolean {
  return env.PUBLIC_ORIGIN !== undefined && request.url.startsWith(`${env.PUBLIC_ORIGIN}/`);
}

/** A cached snapshot; `null` if there is none or the cache fails, since KV or D1 can serve it instead. */
async function find(name: SnapshotName) {
  const cached = caches.default.match(urlOf(name));
  const found = await withTimeout('The cache', cached, READ_TIMEOUT_MS).catch(() => undefined);
  if (found?.body == null) return null;
  return { body: found.body, snapshot: JSON.parse(found.headers.get(LABEL)!) as LocalSnapshot };
}

/** The cache's keys are URLs. Nobody can request this one; its number is the version of the labels. */
function urlOf(name: SnapshotName): string {
  return `https://snapshots.invalid/2/${encodeURIComponent(snapshotKey(name))}`;
}

/** The bytes of a snapshot, or `null` if this location has them no longer, or has others. */
export async function openLocal(
  name: SnapshotName,
  { bytes, crc }: Pick<SnapshotDetails, 'bytes' | 'crc'>,
): Promise<ReadableStream<Uint8Array> | null> {
  const found = await find(name);
  if (found?.snapshot.bytes === bytes && found.snapshot.crc === crc) return found.body;
  await found?.body.cancel();
  return null;
}

export async function putLocal(
  name: SnapshotName,
  feed: Uint8Array,
  snapshot: LocalSnapshot,
): Promise<void> {
  const headers = {
    'Cache-Control': `max-age=${LIFETIME_SECONDS}`,
    [LABEL]: JSON.stringify(snapshot),
  };
  await caches.default.put(urlOf(name), new Response(feed, { headers }));
}

/** Parts that are looked for at the same time: a Worker may have six connections open. */
const AT_ONCE = 6;

/** The parts with the snapshots that this location has of them. Those that KV has are read from the location first. */
export async function withLocalSnapshots(
  parts: readonly PlannedPart[],
  { accountId, now }: Manifest,
  set: SnapshotSet,
): Promise<PlannedPart[]> {
  const locate = async (part: PlannedPart): Promise<PlannedPart> => {
    if (part.snapshot !== null)
      return { ...part, snapshot: { ...part.snapshot, from: 'location or KV' } };
    const name = nameOf(accountId, set, part);
    const found = await find(name);
    if (found === null) return part;
    await found.body.cancel();
    const { builtAt, ...details } = found.snapshot;
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
