import type { FeedHead, HeadPart, KeptPart } from '../db/feed-head.ts';
import { type Extent, type Revisions, readListingOrder, SEGMENT_SIZE } from '../db/feed-records.ts';
import type { Cut, SnapshotFacts, SnapshotName, SnapshotSet } from '../db/snapshots.ts';
import type { FeedParameters } from './parameters.ts';

/** A part of a feed, in its place: what it takes in, and what is kept of it. */
export interface PlannedPart {
  readonly part: number;
  readonly extent: Extent;
  readonly kept: (KeptPart & { readonly name: SnapshotName }) | null;
  /**
   * The cut that the part belongs to, and the revisions that it must be read at to be kept as part of it; `null` where a
   * part may be kept at whatever revisions it is read.
   */
  readonly order: { readonly revisions: Revisions; readonly cut: Cut } | null;
}

/** The parts of a feed, in their order. */
export async function planFeed(
  db: D1Database,
  head: FeedHead,
  parameters: FeedParameters,
  set: SnapshotSet,
): Promise<PlannedPart[]> {
  const { accountId, parts, revisions } = head;
  if (!set.byListing) {
    return parts.map((part) => ({
      part: part.part,
      extent: { segment: part.part },
      kept: named(part, accountId, set),
      order: null,
    }));
  }
  const keptCuts = parts.flatMap(({ kept }) => kept?.cut ?? []);
  const allKept = parts.length === keptCuts[0]?.parts;
  const order = allKept ? { cuts: keptCuts, revisions } : await newOrder(db, accountId, parameters);
  // Parts that were kept at other revisions belong to another cut.
  const before = sameRevisions(order.revisions, revisions, set) ? parts : [];
  return order.cuts.map((cut, index) => {
    const part = before.find((other) => other.part === index);
    return {
      part: index,
      extent: { numbers: cut.numbers },
      kept: part === undefined ? null : named(part, accountId, set),
      order: { revisions: order.revisions, cut },
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

/** A head with a part that is kept now; the same one where that is of other revisions than the head's. */
export function withKept(head: FeedHead, set: SnapshotSet, name: SnapshotName, facts: SnapshotFacts): FeedHead {
  const { part } = name;
  const revisions = set.byListing ? head.revisions : head.parts.find((other) => other.part === part)?.revisions;
  if (revisions === undefined) return head;
  const { saleRevision, rentalRevision } = nameOf(head.accountId, set, part, revisions);
  if (saleRevision !== name.saleRevision || rentalRevision !== name.rentalRevision) return head;
  const others = head.parts.filter((other) => other.part !== part);
  const kept = { ...facts, usedAt: head.now };
  return { ...head, parts: [...others, { part, revisions, kept }].sort((a, b) => a.part - b.part) };
}

/** Whether two revisions are the same for what a parameter set depends on. */
export function sameRevisions(a: Revisions, b: Revisions, { dependsOn }: SnapshotSet): boolean {
  return (!dependsOn.sale || a.sale === b.sale) && (!dependsOn.rental || a.rental === b.rental);
}

/** The order is taken once a feed, so that a property which is listed anew meanwhile is neither lost nor shown twice. */
async function newOrder(
  db: D1Database,
  accountId: number,
  parameters: FeedParameters,
): Promise<{ cuts: readonly Cut[]; revisions: Revisions }> {
  const { numbers, revisions } = await readListingOrder(db, accountId, parameters);
  const parts = Math.max(1, Math.ceil(numbers.length / SEGMENT_SIZE));
  const cuts = Array.from({ length: parts }, (_, part) => ({
    parts,
    numbers: JSON.stringify(numbers.slice(part * SEGMENT_SIZE, (part + 1) * SEGMENT_SIZE)),
  }));
  return { cuts, revisions };
}

function named(part: HeadPart, accountId: number, set: SnapshotSet): PlannedPart['kept'] {
  if (part.kept === null) return null;
  return { ...part.kept, name: nameOf(accountId, set, part.part, part.revisions) };
}
