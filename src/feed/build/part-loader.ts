import type { PlannedPart } from '../manifest/plan.ts';
import { fitsBeside } from '../snapshots/buffers.ts';
import type { FeedContext } from './context.ts';
import { type LoadedPart, loadPart } from './parts.ts';

/** Snapshots that are read from KV at the same time; a Worker may have six connections open. */
const PREFETCH = 4;

/** Compressed bytes of a part up to which the next one is built ahead of the reader. */
const MAX_WAITING_BYTES = 2 * 1024 * 1024;

/** Loads the parts of a feed in their order, ahead of the reader: several snapshots, or one part to be built. */
export class PartLoader {
  readonly #parts: readonly PlannedPart[];
  readonly #context: FeedContext;
  readonly #loading = new Map<number, Promise<LoadedPart>>();

  constructor(parts: readonly PlannedPart[], context: FeedContext) {
    this.#parts = parts;
    this.#context = context;
  }

  /** Loads a part, and begins to load those after it. */
  async take(index: number): Promise<LoadedPart> {
    const loading = this.#start(index);
    this.#prefetchSnapshots(index);
    const loaded = await loading;
    this.#loading.delete(index);
    if (this.#parts[index + 1]?.snapshot === null && isSmall(loaded)) void this.#start(index + 1);
    return loaded;
  }

  /** Discards parts that were loaded but not used. */
  close(): void {
    for (const loading of this.#loading.values()) loading.then(discard).catch(() => {});
  }

  #prefetchSnapshots(index: number): void {
    let bytes = 0;
    for (let ahead = index + 1; ahead < index + PREFETCH; ahead++) {
      const snapshot = this.#parts[ahead]?.snapshot;
      if (snapshot == null) return;
      bytes += snapshot.bytes;
      if (!fitsBeside(bytes)) return;
      void this.#start(ahead);
    }
  }

  #start(index: number): Promise<LoadedPart> {
    const known = this.#loading.get(index);
    if (known !== undefined) return known;
    const loading = loadPart(this.#parts[index]!, this.#context);
    // Prevents an unhandled rejection if it fails before it is awaited, or after the reader has disconnected.
    loading.catch(() => {});
    this.#loading.set(index, loading);
    return loading;
  }
}

/** Whether the next part may be built while this one waits for its reader. */
function isSmall(loaded: LoadedPart): boolean {
  switch (loaded.from) {
    case 'snapshot':
      return true;
    case 'other build':
      return loaded.piece.deflated.length <= MAX_WAITING_BYTES;
    case 'database':
      return !loaded.properties.hasSeveralPages;
  }
}

function discard(loaded: LoadedPart): void {
  if (loaded.from === 'snapshot') loaded.buffer.release();
  if (loaded.from === 'database') loaded.properties.discard();
}
