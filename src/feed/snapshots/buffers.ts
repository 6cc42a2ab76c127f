import type { Env } from '../../env.ts';
import type { PlannedSnapshot } from '../manifest/plan.ts';
import { snapshotKey } from './key.ts';
import { getSnapshot } from './store.ts';

/** Bytes of snapshots that the readers of an isolate hold together. */
const MAX_BYTES = 16 * 1024 * 1024;

interface Buffer {
  readonly bytes: Uint8Array;
  /** How many readers use it; those whose requests were cancelled may still count. */
  readers: number;
}

/** Whether this many additional bytes fit without evicting any. */
export function fitsBeside(bytes: number): boolean {
  return held + bytes <= MAX_BYTES;
}

/** By snapshot, the least recently used first. */
const buffers = new Map<string, Buffer>();
let held = 0;

/**
 * A reader's access to a snapshot. Readers of the same snapshot share one copy, and all copies together are bounded: the
 * least recently used is evicted, and its readers get it from KV again.
 */
export class SnapshotBuffer {
  readonly #env: Env;
  readonly #snapshot: PlannedSnapshot;
  readonly #key: string;
  readonly #onFetched: (bytes: Uint8Array) => void;
  #used: Buffer | undefined;

  /** @param onFetched called with bytes that came from KV */
  constructor(env: Env, snapshot: PlannedSnapshot, onFetched: (bytes: Uint8Array) => void = () => {}) {
    this.#env = env;
    this.#snapshot = snapshot;
    this.#onFetched = onFetched;
    this.#key = `${snapshotKey(snapshot.name)} ${snapshot.bytes} ${snapshot.crc}`;
  }

  /**
   * The snapshot's bytes; `null` if KV has lost them.
   *
   * @throws what KV throws, or if it times out
   */
  async bytes(): Promise<Uint8Array | null> {
    const shared = this.#share();
    if (shared !== undefined) return shared.bytes;
    const found = await getSnapshot(this.#env, this.#snapshot);
    if (found === null) return null;
    if (found.from === 'KV') this.#onFetched(found.bytes);
    const buffer = this.#share() ?? this.#hold(found.bytes);
    return buffer.bytes;
  }

  /** Ends this reader's use. */
  release(): void {
    if (this.#used === undefined) return;
    this.#used.readers--;
    if (this.#used.readers === 0 && buffers.get(this.#key) === this.#used) remove(this.#key);
    this.#used = undefined;
  }

  #share(): Buffer | undefined {
    const buffer = buffers.get(this.#key);
    if (buffer === undefined) return undefined;
    buffers.delete(this.#key);
    buffers.set(this.#key, buffer);
    return this.#use(buffer);
  }

  #hold(bytes: Uint8Array): Buffer {
    for (const oldest of buffers.keys()) {
      if (held + bytes.length <= MAX_BYTES) break;
      remove(oldest);
    }
    const buffer = { bytes, readers: 0 };
    buffers.set(this.#key, buffer);
    held += bytes.length;
    return this.#use(buffer);
  }

  #use(buffer: Buffer): Buffer {
    if (this.#used !== buffer) buffer.readers++;
    this.#used = buffer;
    return buffer;
  }
}

function remove(key: string): void {
  held -= buffers.get(key)?.bytes.length ?? 0;
  buffers.delete(key);
}
