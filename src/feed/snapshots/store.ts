import { crc32 } from 'node:zlib';
import type { Env } from '../../env.ts';
import { boundedCache } from '../../lib/bounded-cache.ts';
import { describeError } from '../../lib/log.ts';
import { withTimeout } from '../../lib/time/timeout.ts';
import { type PlannedSnapshot, snapshotKey } from '../manifest/plan.ts';
import { isIntact } from './intact.ts';
import { readLocal } from './local.ts';
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
interface Label extends Pick<SnapshotDetails, 'bytes' | 'crc'> {
  /** The CRC-32 of the bytes as they are stored: compressed. */
  readonly sum: number;
}

/** A snapshot that a reader can be sent: which one, and where it may be. */
type Recorded = Pick<PlannedSnapshot, 'name' | 'bytes' | 'crc' | 'isSettled' | 'from'>;

/** Bytes of snapshots that an isolate keeps in memory. */
const MAX_RECENT_BYTES = 16 * 1024 * 1024;

/** The snapshots that were read last, which all readers share: one that is evicted is read again. */
export const recentSnapshots = boundedCache<Uint8Array>({
  maxBytes: MAX_RECENT_BYTES,
  // One that is larger is held alone, with room for its key.
  valueBytes: ({ length }) => Math.min(length, MAX_RECENT_BYTES - 2_000),
});

/**
 * The bytes of a snapshot; `null` if it is lost or damaged, or others are there.
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
  const recentKey = `${snapshotKey(name)} ${recorded.bytes} ${crc}`;
  const recent = recentSnapshots.get(recentKey);
  if (recent !== undefined) return recent;
  let feed = from === 'KV' ? null : await readLocal(env, name, recorded);
  if (feed === null && from !== 'location') {
    feed = await readFromKv(env, recorded);
    if (feed !== null) onFetched(feed);
  }
  if (feed !== null) recentSnapshots.set(recentKey, feed);
  return feed;
}

async function readFromKv(env: Env, recorded: Recorded): Promise<Uint8Array | null> {
  const { name, bytes, crc, isSettled, from } = recorded;
  const options = {
    type: 'arrayBuffer',
    ...(isSettled && { cacheTtl: LOCATION_CACHE_SECONDS }),
  } as const;
  const { value, metadata } = await askKv(
    env,
    (kv) => kv.getWithMetadata<Label>(snapshotKey(name), options),
    READ_TIMEOUT_MS,
  );
  if (value === null || metadata?.bytes !== bytes || metadata.crc !== crc) return null;
  const feed = new Uint8Array(value);
  if (isIntact(feed, metadata, name)) return feed;
  // Where locations have caches, what is built next is stored there, and overwrites nothing in KV.
  if (from !== 'KV') await deleteSnapshots(env, [name]);
  return null;
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
    const { bytes, crc } = details;
    const metadata: Label = { bytes, crc, sum: crc32(feed) };
    const options = { expirationTtl: SNAPSHOT_LIFETIME_SECONDS + EXPIRY_MARGIN_SECONDS, metadata };
    try {
      await askKv(env, (kv) => kv.put(snapshotKey(name), feed, options), WRITE_TIMEOUT_MS);
    } catch (error) {
      // KV takes one write a second of an entry: another isolate has just written this one, with
      // the same bytes.
      if (/\b429\b/.test(describeError(error))) return false;
      throw error;
    }
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
