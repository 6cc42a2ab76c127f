import type { FeedHead, HeadPart, KeptPart } from '../db/feed-head.ts';
import { type Extent, type Revisions, readListingOrder, SEGMENT_SIZE } from '../db/feed-records.ts';
import type { SnapshotName, SnapshotSet } from '../db/snapshots.ts';
import type { FeedParameters } from './parameters.ts';

/** A part of a feed, in its place: what it takes in, and what is kept of it. */
export interface PlannedPart {
  readonly part: number;
  /** Which properties it takes; asked for only where the part must be built. */
  readonly extent: () => Promise<Extent>;
  readonly kept: (KeptPart & { readonly name: SnapshotName }) | null;
  /**
   * The revisions that a part must be read at to be kept, and how many parts there are then; `null` where the part may
   * be kept at whatever revisions it is read.
   */
  readonly order: { readonly revisions: Revisions; readonly parts: number } | null;
}

/** The parts of a feed, in their order. */
export async function planFeed(
  db: D1Database,
  head: FeedHead,
  parameters: FeedParameters,
  set: SnapshotSet,
): Promise<PlannedPart[]> {
  const named = (part: HeadPart) =>
    part.kept === null ? null : { ...part.kept, name: nameOf(head.accountId, set, part.part, part.revisions) };
  if (!set.byListing) {
    return head.parts.map((part) => ({
      part: part.part,
      extent: async () => ({ segment: part.part }),
      kept: named(part),
      order: null,
    }));
  }
  const kept = completeParts(head);
  // Where KV has lost a part, the order is taken again, and must still be the one that the other parts are cut from.
  const extentAsKept = async ({ part }: HeadPart) => {
    const { numbers, revisions } = await readListingOrder(db, head.accountId, parameters);
    if (!sameRevisions(revisions, head.revisions, set)) throw new Error('The order changed while a part was missing');
    return { numbers: slice(numbers, part) };
  };
  if (kept !== null) {
    const order = { revisions: head.revisions, parts: kept.length };
    return kept.map((part) => ({ part: part.part, extent: () => extentAsKept(part), kept: named(part), order }));
  }
  // The order is taken once, so that a property which is listed anew meanwhile is neither lost nor shown twice.
  const { numbers, revisions } = await readListingOrder(db, head.accountId, parameters);
  const parts = Math.max(1, Math.ceil(numbers.length / SEGMENT_SIZE));
  const still = sameRevisions(revisions, head.revisions, set);
  return Array.from({ length: parts }, (_, part) => {
    const before = still ? head.parts.find((other) => other.part === part) : undefined;
    return {
      part,
      extent: async () => ({ numbers: slice(numbers, part) }),
      kept: before === undefined ? null : named(before),
      order: { revisions, parts },
    };
  });
}

/** The name of a part that is read at some revisions. */
export function nameOf(accountId: number, set: SnapshotSet, part: number, revisions: Revisions): SnapshotName {
  return {
    accountId,
    format: set.format,
    parameters: set.parameters,
    part,
    saleRevision: set.dependsOn.sale ? revisions.sale : null,
    rentalRevision: set.dependsOn.rental ? revisions.rental : null,
  };
}

/** Whether two revisions are the same for what a parameter set depends on. */
export function sameRevisions(a: Revisions, b: Revisions, { dependsOn }: SnapshotSet): boolean {
  return (!dependsOn.sale || a.sale === b.sale) && (!dependsOn.rental || a.rental === b.rental);
}

function slice(numbers: readonly number[], part: number): readonly number[] {
  return numbers.slice(part * SEGMENT_SIZE, (part + 1) * SEGMENT_SIZE);
}

/** The kept parts of a feed ordered by listing date, where all of them are kept. */
function completeParts({ parts }: FeedHead): readonly HeadPart[] | null {
  return parts.length > 0 && parts.length === parts[0]?.kept?.parts ? parts : null;
}
