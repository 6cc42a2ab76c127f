import {
  recordSnapshot,
  SNAPSHOT_LIFETIME_SECONDS,
  type SnapshotDetails,
  type SnapshotName,
} from '../../db/feed/snapshots.ts';
import type { Env } from '../../env.ts';
import { Timeout, withTimeout } from '../../lib/time/timeout.ts';
import { type PlannedSnapshot, snapshotKey } from '../manifest/plan.ts';
import { openLocal } from './local.ts';

/** Milliseconds after which KV counts as failing: for a read, which D1 replaces, and for a write, which no reader waits for. */
const READ_TIMEOUT = 1_000;
const WRITE_TIMEOUT = 10_000;

/** After this many timeouts in a row, KV is left alone for `PAUSE_MS`: D1 would otherwise replace it a second late each time. */
const MAX_TIMEOUTS = 3;
const PAUSE_MS = 60_000;

/** By binding: timeouts since KV last responded, and until when it is left alone. */
const slowness = new WeakMap<KVNamespace, { timeouts: number; until: number }>();

/** Seconds for which KV keeps a snapshot beyond its lifetime, so that it never expires while it may be requested. */
const EXPIRY_MARGIN = 3_600;

/** Seconds for which a location caches what it has read from KV: a snapshot never changes. */
const LOCATION_CACHE = 24 * 3_600;

/** The KV metadata of a snapshot: whether an entry is the recorded one is known before its bytes are read. */
type Label = Pick<SnapshotDetails, 'bytes' | 'crc'>;

/**
 * What KV responds, unless it takes too long.
 *
 * @throws what KV throws, if it times out, or at once if it has done so several times within the last minute
 */
async function inTime<Value>(
  { SNAPSHOTS }: Env,
  use: (kv: KVNamespace) => Promise<Value>,
  milliseconds: number,
): Promise<Value> {
  const state = slowness.get(SNAPSHOTS) ?? { timeouts: 0, until: 0 };
  slowness.set(SNAPSHOTS, state);
  if (Date.now() < state.until) throw new Error('KV is left alone because it was slow');
  try {
    const value = await withTimeout('KV', use(SNAPSHOTS), milliseconds);
    state.timeouts = 0;
    return value;
  } catch (error) {
    if (error instanceof Timeout && ++state.timeouts >= MAX_TIMEOUTS) {
      state.timeouts = 0;
      state.until = Date.now() + PAUSE_MS;
    }
    throw error;
  }
}

/** A snapshot that a reader can be sent: which one, and where it may be. */
type Recorded = Pick<PlannedSnapshot, 'name' | 'bytes' | 'crc' | 'isSettled' | 'from'>;

/**
 * A snapshot as a stream, which may fail while it is read; `null` if it is lost, or others are there.
 *
 * @throws what KV throws, or if it times out
 */
export async function openSnapshot(env: Env, recorded: Recorded): Promise<ReadableStream<Uint8Array> | null> {
  const local = recorded.from === 'KV' ? null : await openLocal(recorded.name, recorded);
  if (local !== null || recorded.from === 'location') return local;
  const options = { type: 'stream', ...cacheOptions(recorded) } as const;
  const key = snapshotKey(recorded.name);
  const found = await inTime(env, (kv) => kv.getWithMetadata<Label>(key, options), READ_TIMEOUT);
  if (found.value === null || isSame(found.metadata, recorded)) return found.value;
  await found.value.cancel();
  return null;
}

/** The bytes of a snapshot, and where they are from; as {@link openSnapshot}. Joining the chunks of a stream takes twice as long. */
export async function getSnapshot(env: Env, recorded: Recorded) {
  const local = recorded.from === 'KV' ? null : await openLocal(recorded.name, recorded);
  if (local !== null) return { from: 'location', bytes: await new Response(local).bytes() } as const;
  if (recorded.from === 'location') return null;
  const options = { type: 'arrayBuffer', ...cacheOptions(recorded) } as const;
  const key = snapshotKey(recorded.name);
  const found = await inTime(env, (kv) => kv.getWithMetadata<Label>(key, options), READ_TIMEOUT);
  if (found.value?.byteLength !== recorded.bytes || !isSame(found.metadata, recorded)) return null;
  return { from: 'KV', bytes: new Uint8Array(found.value) } as const;
}

function cacheOptions({ isSettled }: Recorded): { cacheTtl?: number } {
  return isSettled ? { cacheTtl: LOCATION_CACHE } : {};
}

function isSame(label: Label | null, recorded: Label): boolean {
  return label?.bytes === recorded.bytes && label.crc === recorded.crc;
}

/**
 * Writes a snapshot to KV and only then records it in D1: KV is never queried for a key that was not written. What it replaces
 * is deleted; so is the snapshot itself if a change has made it stale meanwhile.
 *
 * @param feed the compressed feed that consists of this part alone; empty, and not written to KV, for a part without
 * properties
 * @returns whether it is recorded
 */
export async function putSnapshot(
  env: Env,
  name: SnapshotName,
  feed: Uint8Array,
  details: SnapshotDetails,
): Promise<boolean> {
  if (feed.length > 0) {
    const metadata: Label = { bytes: details.bytes, crc: details.crc };
    const options = { expirationTtl: SNAPSHOT_LIFETIME_SECONDS + EXPIRY_MARGIN, metadata };
    await inTime(env, (kv) => kv.put(snapshotKey(name), feed, options), WRITE_TIMEOUT);
  }
  const { isRecorded, replaced } = await recordSnapshot(env.DB, name, details);
  const unused = isRecorded ? replaced : name;
  if (unused !== null) await deleteSnapshots(env, [unused]);
  return isRecorded;
}

/**
 * Deletes entries of KV.
 *
 * @throws if any was not deleted, once all have been tried
 */
export async function deleteSnapshots(env: Env, names: readonly SnapshotName[]): Promise<void> {
  const results = await Promise.allSettled(names.map((name) => env.SNAPSHOTS.delete(snapshotKey(name))));
  const failure = results.find((result) => result.status === 'rejected');
  if (failure !== undefined) throw new Error('Some snapshots were not deleted', { cause: failure.reason });
}
