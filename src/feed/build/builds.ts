import { LRUCache } from 'lru-cache';
import type { Revisions } from '../../db/feed/feed-properties.ts';
import { PAGE_BYTES } from '../../db/feed/part-scope.ts';
import { concatenate } from '../../lib/bytes/bytes.ts';
import { SingleFlight } from '../../lib/time/single-flight.ts';
import { Slots } from '../../lib/time/slots.ts';
import { type DeflatedPiece, deflatePiece } from '../document/gzip.ts';
import type { WrittenRecords } from '../formats/format.ts';

/** A built part, as readers and the cache need it. */
export interface BuiltPiece extends DeflatedPiece {
  readonly records: number;
  /** The revisions that determine its bytes; `null` if a change came between the statements that read it. */
  readonly revisions: Revisions | null;
}

/** Records, and the revisions that determine them; `null` if a change came between the statements that read them. */
export interface WrittenPage extends WrittenRecords {
  readonly revisions: Revisions | null;
}

/**
 * Bytes of memory for each stored byte of a page while it is read and written: D1's response, the same as a string of two
 * bytes a character, its values, and the records.
 */
const MEMORY_PER_BYTE = 6;

/** Bytes of memory that reading and writing a page takes, unless a single property is larger. */
export const PAGE_MEMORY_BYTES = PAGE_BYTES * MEMORY_PER_BYTE;

/** Bytes of memory that the builds of an isolate take at the same time, of its 128 MB. */
const MAX_MEMORY_BYTES = 2 * PAGE_MEMORY_BYTES;

/** The least that a build is taken to need: it bounds how many statements the database gets at the same time. */
const MIN_MEMORY_BYTES = MAX_MEMORY_BYTES / 8;

/** Stored bytes of the last part that this isolate has built of each account in the same languages. */
const storedBytes = new LRUCache<string, number>({ max: 5_000 });

/** A build that takes longer (ms) is treated as abandoned; the longest D1 statement takes this long. */
const MAX_DURATION = 30_000;

const slots = new Slots(MAX_MEMORY_BYTES, MAX_DURATION);

/** Running builds, from the claim until the snapshot is recorded. */
const builds = new SingleFlight<BuiltPiece>(MAX_DURATION);

/** The right and obligation to build one part. Calling a method again has no effect. */
export type BuildClaim = Exclude<Awaited<ReturnType<typeof claimBuild>>, { readonly value: BuiltPiece }>;

/**
 * What another request of this isolate has just built, or the claim to build it: requests for the same part at the same time
 * build it once, and parts are built at the same time only while memory suffices for them.
 *
 * @param key names the part, its parameters and the revisions that the manifest states
 * @param similar names parts that have about the same size
 */
export async function claimBuild(key: string, similar: string) {
  const claim = await builds.join(key);
  if ('value' in claim) return claim;
  const expected = (storedBytes.get(similar) ?? PAGE_BYTES) * MEMORY_PER_BYTE;
  const lease = await slots.acquire(claim.keepAlive, Math.max(expected, MIN_MEMORY_BYTES));
  return {
    ...claim,
    /** States the stored bytes of all properties once these are read, from which the next similar build is admitted. */
    measured: (bytes: number) => void storedBytes.set(similar, bytes),
    /** States the bytes of memory that the build takes from now on. */
    hold(bytes: number) {
      claim.keepAlive();
      lease.resize(bytes);
    },
    /** Call it when nothing uncompressed is in memory any more. */
    yieldMemory: lease.release,
    end(): void {
      lease.release();
      claim.end();
    },
  };
}

/**
 * Milliseconds for which a part is held uncompressed for its reader, who usually takes it immediately. Then it is compressed,
 * which takes a fifth of the memory, so that other requests can build.
 */
const MAX_PLAIN_MS = 200;

/** A part that is built: from the rows of its only page when its reader takes it, or given as it was built. */
export class BuiltPart {
  readonly #claim: BuildClaim | null;
  readonly #onWritten: (part: BuiltPart) => void;
  #timer: ReturnType<typeof setTimeout> | null = null;
  /** The rows, to be written; then their bytes; then these compressed. Each leaves the memory for the next. */
  #write: (() => WrittenPage) | null = null;
  #written: WrittenPage | null = null;
  #piece: BuiltPiece | null = null;

  /** @param onWritten called when the bytes of the part exist */
  constructor(
    source: BuiltPiece | (() => WrittenPage),
    claim: BuildClaim | null = null,
    onWritten: (part: BuiltPart) => void = () => {},
  ) {
    this.#claim = claim;
    this.#onWritten = onWritten;
    if (typeof source === 'function') {
      this.#write = source;
      // A timer keeps its function for as long as anyone keeps the timer: not a closure over the rows.
      this.#timer = setTimeout(() => this.compact(), MAX_PLAIN_MS);
    } else {
      this.#piece = source;
      claim?.yieldMemory();
      onWritten(this);
    }
  }

  /** The uncompressed bytes in chunks; `null` once only the compressed ones are in memory. */
  get plain(): readonly Uint8Array[] | null {
    return this.#piece === null ? this.#bytes().chunks : null;
  }

  /** Bytes of a part that is in memory compressed; 0 before. */
  get heldBytes(): number {
    return this.#piece?.deflated.length ?? 0;
  }

  get length(): number {
    return this.#piece?.length ?? lengthOf(this.#bytes());
  }

  get records(): number {
    return (this.#piece ?? this.#bytes()).records;
  }

  /** The revisions that determine its bytes; `null` if a change came between the statements that read it. */
  get revisions(): Revisions | null {
    return (this.#piece ?? this.#bytes()).revisions;
  }

  /** Compressed; the uncompressed bytes leave the memory. */
  compact(): BuiltPiece {
    if (this.#piece !== null) return this.#piece;
    const { chunks, records, revisions } = this.#bytes();
    // The first use of the bytes may have compressed them.
    this.#piece ??= { ...deflatePiece(concatenate(chunks)), records, revisions };
    this.#written = null;
    this.sent();
    return this.#piece;
  }

  /** Call it when the reader has the part: its bytes no longer count. */
  sent(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#claim?.yieldMemory();
  }

  /** Leaves the part to other requests, because the reader has disconnected. */
  discard(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#claim?.end();
  }

  #bytes(): WrittenPage {
    if (this.#written !== null) return this.#written;
    try {
      const written = this.#write!();
      this.#write = null;
      this.#written = written;
      this.#claim?.hold(lengthOf(written));
      this.#onWritten(this);
      return written;
    } catch (error) {
      this.discard();
      throw error;
    }
  }
}

function lengthOf({ chunks }: WrittenPage): number {
  return chunks.reduce((length, chunk) => length + chunk.length, 0);
}
