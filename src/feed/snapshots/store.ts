import { LRUCache } from 'lru-cache';
import type { Env } from '../../env.ts';
import { withTimeout } from '../../lib/time/timeout.ts';
import { type PlannedSnapshot, snapshotKey } from '../manifest/plan.ts';
import { openLocal } from './local.ts';
import {
  recordSnapshot,
  SNAPSHOT_LIFETIME_SECONDS,
  type SnapshotDetails,
  type SnapshotName,
} from './table.ts';

/** Milliseconds after which KV counts as failing: for a read, which D1 replaces, and for a write, which no reader waits for. */
const READ_TIMEOUT_MS = 1_000;
const WRITE_TIMEOUT_MS = 10_000;

/** What KV responds. @throws what KV throws, or if it times out */
function askKv<Value>(
  { SNAPSHOTS }: Env,
  use: (kv: KVNamespace) => Promise<Value>,
  timeout: number,
): Promise<Value> {
  return withTimeout('KV', use(SNAPSHOTS), timeout);
}

/** Seconds for which KV keeps a snapshot beyond its lifetime, so that it never expires while it may be requested. */
const EXPIRY_MARGIN_SECONDS = 3_600;

/** Seconds for which a location caches what it has read from KV: a snapshot never changes. */
const LOCATION_CACHE_SECONDS = 24 * 3_600;

/** The KV metadata of a snapshot: whether an entry is the recorded one is known before its bytes are read. */
type Label = Pick<SnapshotDetails, 'bytes' | 'crc'>;

/** A snapshot that a reader can be sent: which one, and where it may be. */
type Recorded = Pick<PlannedSnapshot, 'name' | 'bytes' | 'crc' | 'isSettled' | 'from'>;

/**
 * A snapshot as a stream, which may fail while it is read; `null` if it is lost, or others are there.
 *
 * @throws what KV throws, or if it times out
 */
export async function openSnapshot(
  env: Env,
  recorded: Recorded,
): Promise<ReadableStream<Uint8Array> | null> {
  const local = recorded.from === 'KV' ? null : await openLocal(recorded.name, recorded);
  if (local !== null || recorded.from === 'location') return local;
  const options = { type: 'stream', ...cacheOptions(recorded) } as const;
  const key = snapshotKey(recorded.name);
  const found = await askKv(env, (kv) => kv.getWithMetadata<Label>(key, options), READ_TIMEOUT_MS);
  if (found.value === null || isSame(found.metadata, recorded)) return found.value;
  await found.value.cancel();
  return null;
}

/** Bytes of snapshots that an isolate keeps in memory. */
const MAX_RECENT_BYTES = 16 * 1024 * 1024;

/** The snapshots that were read last, which all readers share: one that is evicted is read again. */
export const recentSnapshots = new LRUCache<string, Uint8Array>({
  maxSize: MAX_RECENT_BYTES,
  // One that is larger is held alone.
  sizeCalculation: ({ length }) => Math.min(length, MAX_RECENT_BYTES),
});

/**
 * The bytes of a snapshot; `null` if it is lost, or others are there. Joining the chunks of {@link openSnapshot} takes twice as
 * long.
 *
 * @param onFetched called with bytes that came from KV
 * @throws what KV throws, or if it times out
 */
export async function readSnapshot(
  env: Env,
  recorded: Recorded,
  onFetched: (bytes: Uint8Array) => void,
): Promise<Uint8Array | null> {
  const { name, crc, from } = recorded;
  const key = snapshotKey(name);
  const recentKey = `${key} ${recorded.bytes} ${crc}`;
  const recent = recentSnapshots.get(recentKey);
  if (recent !== undefined) return recent;
  const local = from === 'KV' ? null : await openLocal(name, recorded);
  let bytes = local && (await new Response(local).bytes());
  if (bytes === null && from !== 'location') {
    const options = { type: 'arrayBuffer', ...cacheOptions(recorded) } as const;
    const found = await askKv(
      env,
      (kv) => kv.getWithMetadata<Label>(key, options),
      READ_TIMEOUT_MS,
    );
    if (found.value?.byteLength !== recorded.bytes || !isSame(found.metadata, recorded))
      return null;
    bytes = new Uint8Array(found.value);
    onFetched(bytes);
  }
  if (bytes !== null) recentSnapshots.set(recentKey, bytes);
  return bytes;
}

function cacheOptions({ isSettled }: Recorded): { cacheTtl?: number } {
  return isSettled ? { cacheTtl: LOCATION_CACHE_SECONDS } : {};
}

function isSame(label: Label | null, recorded: Label): boolean {
  return label?.bytes === recorded.bytes && label.crc === recorded.crc;
}

/**
 * Writes a snapshot to KV and only then records it in D1: KV is never queried for a key that was not written. What it replaces
 * is deleted; so is the snapshot itself if a change has made it stale in the meantime.
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
    const options = { expirationTtl: SNAPSHOT_LIFETIME_SECONDS + EXPIRY_MARGIN_SECONDS, metadata };
    await askKv(env, (kv) => kv.put(snapshotKey(name), feed, options), WRITE_TIMEOUT_MS);
  }
  const { isRecorded, replaced } = await recordSnapshot(env.DB, name, details);
  const unused = isRecorded ? replaced : name;
  if (unused !== null) await deleteSnapshots(env, [unused]);
  return isRecorded;
}

/** Deletes entries of KV; returns how many. @throws if any was not deleted, once all have been tried */
export async function deleteSnapshots(env: Env, names: readonly SnapshotName[]): Promise<number> {
  const results = await Promise.allSettled(
    names.map((name) => env.SNAPSHOTS.delete(snapshotKey(name))),
  );
  const failure = results.find((result) => result.status === 'rejected');
  if (failure !== undefined)
    throw new Error('Some snapshots were not deleted', { cause: failure.reason });
  return names.length;
}
