import { Slots } from '../../lib/slots.ts';
import type { BuiltPiece } from './built-part.ts';

/** Parts that an isolate builds at the same time: each takes some 15 MB of the 128 MB while its properties are in memory. */
const MAX_BUILDS = 2;

/** Milliseconds after which a build counts as cancelled: the longest D1 statement takes as long. */
const MAX_DURATION = 30_000;

/** Milliseconds between two checks of a build that another request runs. */
const POLL = 5;

const slots = new Slots(MAX_BUILDS, MAX_DURATION);

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
  /** To be called when the properties are no longer in memory: another request may build now. */
  yieldSlot(): void;
  /** Whether another request waits for the built part. */
  isWanted(): boolean;
  /** Passes the built part to the waiting requests. */
  share(piece: BuiltPiece): void;
  /** Ends the build: its snapshot is recorded, or it has failed. Requests that still wait build the part themselves. */
  end(): void;
}

/**
 * What another request of this isolate has just built, or the claim to build it: requests for the same part at the same time
 * build it once, and only a few parts are built at the same time. Waiting requests poll with their own timers, and one of
 * them takes over if the builder is cancelled.
 *
 * @param key names the part, its parameters and the revisions that the manifest states
 */
export async function claimBuild(key: string): Promise<BuiltPiece | BuildClaim> {
  for (let other = builds.get(key); other !== undefined; other = builds.get(key)) {
    other.isWanted = true;
    while (other.state === 'running' && !isCancelled(other)) await new Promise((resolve) => setTimeout(resolve, POLL));
    if (other.piece !== null) return other.piece;
    if (builds.get(key) === other) builds.delete(key);
  }
  const build: Build = { aliveAt: Date.now(), state: 'running', piece: null, isWanted: false };
  builds.set(key, build);
  const lease = await slots.acquire(() => {
    build.aliveAt = Date.now();
  });
  return {
    yieldSlot: () => lease.release(),
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
