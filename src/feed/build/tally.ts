import { LRUCache } from 'lru-cache';
import type { Revisions } from '../../db/feed/feed-properties.ts';
import type { Manifest } from '../../db/feed/manifest.ts';
import type { SnapshotSet } from '../../db/feed/snapshots.ts';
import { type PlannedPart, sameRevisions } from '../manifest/plan.ts';

/**
 * Why a part was built, where this isolate knows:
 * `changed` since it was last built here, or since other parts of the feed were cached;
 * `expired`, because the isolate has built it in this state before, and its snapshot has expired, was evicted or never written;
 * `lost`, because KV no longer has the recorded snapshot, or has another; `unreadable`, because KV fails;
 * `new`, because none of that is known.
 */
export type MissReason = 'new' | 'changed' | 'expired' | 'lost' | 'unreadable';

/** The revisions at which this isolate last built a part, by account, parameter set and part. */
const builtAt = new LRUCache<string, Revisions>({ max: 5_000 });

/** What a response contains and why parts were built, for its log line. */
export class FeedTally {
  /** Records sent. */
  records = 0;
  readonly #missed: Partial<Record<MissReason, number>> = {};

  readonly #manifest: Manifest;
  readonly #set: SnapshotSet;

  constructor(manifest: Manifest, set: SnapshotSet) {
    this.#manifest = manifest;
    this.#set = set;
  }

  /**
   * Counts a part that must be built.
   *
   * @param reason if it has a snapshot, why that cannot be used
   */
  miss({ part, revisions }: PlannedPart, reason?: 'lost' | 'unreadable'): void {
    const key = `${this.#manifest.accountId} ${part} ${this.#set.parameters}`;
    const before = builtAt.get(key);
    builtAt.set(key, revisions);
    const found = reason ?? this.#reasonWithoutSnapshot(before, revisions);
    this.#missed[found] = (this.#missed[found] ?? 0) + 1;
  }

  /** How many parts were built, for each reason. */
  get missed(): Readonly<Partial<Record<MissReason, number>>> {
    return this.#missed;
  }

  /** How many parts were built. */
  get misses(): number {
    return Object.values(this.#missed).reduce((sum, count) => sum + count, 0);
  }

  #reasonWithoutSnapshot(before: Revisions | undefined, revisions: Revisions): MissReason {
    if (before !== undefined) return sameRevisions(before, revisions, this.#set) ? 'expired' : 'changed';
    return this.#manifest.parts.some(({ cached }) => cached !== null) ? 'changed' : 'new';
  }
}
