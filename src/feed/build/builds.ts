import { PAGE_BYTES } from '../../db/feed-properties.ts';
import { LruMap } from '../../lib/lru.ts';
import { Slots } from '../../lib/slots.ts';
import type { BuiltPiece } from './built-part.ts';

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
const storedBytes = new LruMap<string, number>(5_000);

/** A build that takes longer (ms) is treated as abandoned; the longest D1 statement takes this long. */
const MAX_DURATION = 30_000;

/** Milliseconds between two checks of a build that another request runs. */
const POLL = 5;

const slots = new Slots(MAX_MEMORY_BYTES, MAX_DURATION);

/** A build that other requests may join. */
interface Build {
  /** When it was last known to wait for its slot, or began. */
  aliveAt: number;
  state: 'running' | 'done' | 'failed';
  /** What it built, once it is done. */
  piece: BuiltPiece | null;
  /** Whether another request waits for it. */
  isWanted: boolean;
}

/** Running builds by key, from the claim until the snapshot is recorded. */
const builds = new Map<string, Build>();

/** The right and obligation to build one part. Calling a method again has no effect. */
export interface BuildClaim {
  /** States the stored bytes of all properties once these are read, from which the next similar build is admitted. */
  measured(storedBytes: number): void;
  /** States the bytes of memory that the build takes from now on. */
  hold(bytes: number): void;
  /** Call it when nothing uncompressed is in memory any more. */
  yieldMemory(): void;
  /** Whether another request waits for the built part. */
  isWanted(): boolean;
  /** Passes the built part to the waiting requests. */
  share(piece: BuiltPiece): void;
  /** Ends the build: its snapshot is recorded, or it has failed. Requests that still wait build the part themselves. */
  end(): void;
}

/**
 * What another request of this isolate has just built, or the claim to build it: requests for the same part at the same time
 * build it once, and parts are built at the same time only while memory suffices for them. Waiting requests poll with their own timers, and one of
 * them takes over if the builder is cancelled.
 *
 * @param key names the part, its parameters and the revisions that the manifest states
 * @param similar names parts that have about the same size
 */
export async function claimBuild(key: string, similar: string): Promise<BuiltPiece | BuildClaim> {
  for (let other = builds.get(key); other !== undefined; other = builds.get(key)) {
    other.isWanted = true;
    while (other.state === 'running' && !isCancelled(other)) await new Promise((resolve) => setTimeout(resolve, POLL));
    if (other.piece !== null) return other.piece;
    if (builds.get(key) === other) builds.delete(key);
  }
  const build: Build = { aliveAt: Date.now(), state: 'running', piece: null, isWanted: false };
  builds.set(key, build);
  const expected = (storedBytes.get(similar) ?? PAGE_BYTES) * MEMORY_PER_BYTE;
  const lease = await slots.acquire(
    () => {
      build.aliveAt = Date.now();
    },
    Math.max(expected, MIN_MEMORY_BYTES),
  );
  return {
    measured: (bytes) => storedBytes.set(similar, bytes),
    hold(bytes) {
      build.aliveAt = Date.now();
      lease.resize(bytes);
    },
    yieldMemory: () => lease.release(),
    isWanted: () => build.isWanted,
    share(piece) {
      build.piece = piece;
      build.state = 'done';
    },
    end() {
      lease.release();
      if (build.state === 'running') build.state = 'failed';
      if (builds.get(key) === build) builds.delete(key);
    },
  };
}

function isCancelled({ aliveAt }: Build): boolean {
  return Date.now() - aliveAt >= MAX_DURATION;
}
