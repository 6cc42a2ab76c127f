import { pollUntil } from '../../lib/time/poll.ts';
import { Slots } from '../../lib/time/slots.ts';
import { PAGE_BYTES } from '../../properties/store/part-scope.ts';
import type { DeflatedPiece } from '../document/gzip.ts';
import type { Revision } from './feed-properties.ts';

export interface BuiltPart extends DeflatedPiece {
  readonly records: number;
  /** The revision that determines its bytes; `null` if a change came between the statements that read it. */
  readonly revision: Revision | null;
  /** Its bytes uncompressed, for the request that builds it and sends it so: inflating takes a quarter of a build's time. */
  readonly plain: Uint8Array | null;
}

/**
 * Bytes of memory for each stored byte of a page while it is read and written: D1's response, the same as a string of two
 * bytes a character, its values, and the records.
 */
const MEMORY_PER_BYTE = 6;

/** Bytes of memory that reading and writing a page takes, unless a single property is larger. */
const PAGE_MEMORY_BYTES = PAGE_BYTES * MEMORY_PER_BYTE;

/** Maximum bytes of memory for the concurrent builds of an isolate, which has 128 MB. */
const MAX_MEMORY_BYTES = 2 * PAGE_MEMORY_BYTES;

/** Minimum bytes that a build counts for, which bounds how many statements the database gets at the same time. */
const MIN_MEMORY_BYTES = MAX_MEMORY_BYTES / 8;

/** A build that takes longer (ms) is treated as abandoned; the longest D1 statement takes this long. */
const MAX_DURATION_MS = 30_000;

const slots = new Slots(MAX_MEMORY_BYTES, MAX_DURATION_MS);

/** A build, from the claim until the snapshot is recorded. */
interface Build {
  /** When it last made progress. */
  aliveAt: number;
  /** `null` until it is built. */
  part: BuiltPart | null;
  hasEnded: boolean;
}

const running = new Map<string, Build>();

/** The right and obligation to build one part. Calling a method again has no effect. */
export interface BuildClaim {
  /** States that there is another page to read, and the compressed bytes of those before it. */
  hold(bytes: number): void;
  /** States that only the compressed bytes are still in memory. */
  built(): void;
  /** Passes the part to the waiting requests. */
  share(part: BuiltPart): void;
  end(): void;
}

/**
 * What another request of this isolate has just built, or the claim to build it: requests for the same part at the same time
 * build it once, and parts are built at the same time only while memory suffices for them. If a build fails or its request is
 * cancelled, one of the waiting requests takes over.
 *
 * @param key names the part, its parameters and the revisions that the manifest states
 * @param storedBytes of its properties, if they are known
 */
export async function claimBuild(
  key: string,
  storedBytes = PAGE_BYTES,
): Promise<BuildClaim | { readonly value: BuiltPart }> {
  for (let other = running.get(key); other !== undefined; other = running.get(key)) {
    const build = other;
    await pollUntil(
      () => build.part !== null || build.hasEnded || Date.now() - build.aliveAt >= MAX_DURATION_MS,
    );
    if (build.part !== null) return { value: build.part };
    if (running.get(key) === build) running.delete(key);
  }
  const own: Build = { aliveAt: Date.now(), part: null, hasEnded: false };
  running.set(key, own);
  const keepAlive = () => {
    own.aliveAt = Date.now();
  };
  const ofPage = Math.min(storedBytes, PAGE_BYTES) * MEMORY_PER_BYTE;
  const lease = await slots.acquire(keepAlive, Math.max(ofPage, MIN_MEMORY_BYTES));
  return {
    hold(bytes: number): void {
      keepAlive();
      lease.resize(PAGE_MEMORY_BYTES + bytes);
    },
    built(): void {
      lease.release();
    },
    share(part: BuiltPart): void {
      own.part = { ...part, plain: null };
    },
    end(): void {
      lease.release();
      own.hasEnded = true;
      if (running.get(key) === own) running.delete(key);
    },
  };
}
