import { LRUCache } from 'lru-cache';
import type { Env } from '../../env.ts';
import { type PlannedSnapshot, snapshotKey } from '../manifest/plan.ts';
import { getSnapshot } from './store.ts';

/** Bytes of snapshots that the readers of an isolate hold together. */
const MAX_BYTES = 16 * 1024 * 1024;

interface Buffer {
  readonly bytes: Uint8Array;
  /** How many readers use it; those whose requests were cancelled may still count. */
  readers: number;
}

const buffers = new LRUCache<string, Buffer>({
  maxSize: MAX_BYTES,
  // One that is larger is held alone.
  sizeCalculation: ({ bytes }) => Math.min(bytes.length, MAX_BYTES),
});

/** Whether this many additional bytes fit without evicting any. */
export function fitsBeside(bytes: number): boolean {
  return buffers.calculatedSize + bytes <= MAX_BYTES;
}

export type SnapshotBuffer = ReturnType<typeof snapshotBuffer>;

/**
 * A reader's access to a snapshot. Readers of the same snapshot share one copy, and all copies together are bounded: the least recently used is evicted, and its
 * readers get it from KV again.
 *
 * @param onFetched called with bytes that came from KV
 */
export function snapshotBuffer(env: Env, snapshot: PlannedSnapshot, onFetched: (bytes: Uint8Array) => void) {
  const key = `${snapshotKey(snapshot.name)} ${snapshot.bytes} ${snapshot.crc}`;
  let used: Buffer | undefined;
  const use = (buffer: Buffer) => {
    if (used !== buffer) buffer.readers++;
    used = buffer;
    return buffer.bytes;
  };
  return {
    /**
     * The snapshot's bytes; `null` if KV has lost them.
     *
     * @throws what KV throws, or if it times out
     */
    async bytes(): Promise<Uint8Array | null> {
      const shared = buffers.get(key);
      if (shared !== undefined) return use(shared);
      const found = await getSnapshot(env, snapshot);
      if (found === null) return null;
      if (found.from === 'KV') onFetched(found.bytes);
      const buffer = buffers.get(key) ?? { bytes: found.bytes, readers: 0 };
      buffers.set(key, buffer);
      return use(buffer);
    },
    /** Ends this reader's use. */
    release(): void {
      if (used === undefined) return;
      used.readers--;
      if (used.readers === 0 && buffers.peek(key) === used) buffers.delete(key);
      used = undefined;
    },
  };
}
