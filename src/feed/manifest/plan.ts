import { type Revisions, readListingOrder } from '../../db/feed/feed-properties.ts';
import type { CachedPart, Manifest, ManifestPart } from '../../db/feed/manifest.ts';
import { type PartScope, SEGMENT_SIZE } from '../../db/feed/part-scope.ts';
import { FIRST_DEVELOPMENT_PART } from '../../db/feed/segments.ts';
import {
  type SnapshotDetails,
  type SnapshotName,
  type SnapshotSet,
  snapshotRevisions,
} from '../../db/feed/snapshots.ts';
import type { FeedParameters } from '../formats/parameters.ts';

/** A part of a feed: which properties it contains, and its snapshot. */
export interface PlannedPart {
  readonly part: number;
  readonly scope: PartScope;
  /** The revisions at which the manifest has the part; building it may find later ones. */
  readonly revisions: Revisions;
  /** `null` if it must be built. */
  readonly snapshot: PlannedSnapshot | null;
  /** Whether a snapshot is recorded that KV has lost. */
  readonly isLost?: boolean;
  /**
   * For a feed ordered by listing date: its number of parts, and the revisions at which this part must be read to be cached;
   * `null` if it may be cached at any revisions.
   */
  readonly order: { readonly revisions: Revisions; readonly parts: number } | null;
}

export interface PlannedSnapshot extends CachedPart {
  readonly name: SnapshotName;
  /** Whether it is visible at every location of KV, which may take a minute. */
  readonly isSettled: boolean;
  /** Where it may be: in the cache of the Worker's location, in KV, or in both. */
  readonly from: 'KV' | 'location or KV' | 'location';
}

/** A part that was read, or is to be read, at certain revisions. */
export type ReadPart = Pick<ManifestPart, 'part' | 'revisions'>;

/** Seconds after which a write to KV is visible everywhere (https://developers.cloudflare.com/kv/concepts/how-kv-works/). */
const SETTLED_AFTER_SECONDS = 60;

export async function planFeed(
  db: D1Database,
  manifest: Manifest,
  parameters: FeedParameters,
  set: SnapshotSet,
): Promise<PlannedPart[]> {
  const { accountId, parts, revisions } = manifest;
  if (!set.byListing) {
    return parts.map((part) => ({
      part: part.part,
      scope:
        part.part < FIRST_DEVELOPMENT_PART
          ? { segment: part.part }
          : { development: part.part - FIRST_DEVELOPMENT_PART },
      revisions: part.revisions,
      snapshot: plannedSnapshot(part, manifest, set),
      order: null,
    }));
  }
  const inOrder = parts.toSorted((a, b) => a.part - b.part);
  const allCached = parts.length === inOrder[0]?.cached?.parts;
  const order = allCached
    ? { lists: inOrder.flatMap(({ cached }) => cached?.sequenceNumbers ?? []), revisions }
    : await readOrder(db, accountId, parameters, set.channel);
  return order.lists.map((numbers, index) => {
    const part = { part: index, revisions: order.revisions };
    return {
      ...part,
      scope: { numbers },
      // Snapshots at other revisions belong to another order.
      snapshot: findSnapshot(manifest, set, part),
      order: { revisions: order.revisions, parts: order.lists.length },
    };
  });
}

/** The name of the snapshot of a part that was read at certain revisions. */
export function nameOf(accountId: number, set: SnapshotSet, part: number, revisions: Revisions): SnapshotName {
  return {
    accountId,
    incarnation: revisions.incarnation,
    format: set.format,
    parameters: set.parameters,
    part,
    saleRevision: set.dependsOn.sale ? revisions.sale : null,
    rentalRevision: set.dependsOn.rental ? revisions.rental : null,
    channelId: set.channel,
  };
}

/**
 * The key of a snapshot, under 512 bytes. It determines the bytes: whatever could change them is part of it, so a late
 * write can never be mistaken for a later snapshot, and stale entries only occupy space.
 */
export function snapshotKey(name: SnapshotName): string {
  return `${name.format}/account${name.accountId}/part${name.part}/${snapshotRevisions(name)}/${name.parameters}`;
}

/**
 * States in a manifest that the snapshot of a part was written since it was read, unless the snapshot belongs to other
 * revisions.
 */
export function addSnapshot(manifest: Manifest, set: SnapshotSet, read: ReadPart, details: SnapshotDetails): void {
  const { part, revisions } = read;
  const known = manifest.parts.find((other) => other.part === part);
  const current = set.byListing ? manifest.revisions : known?.revisions;
  if (current === undefined || !sameRevisions(current, revisions, set)) return;
  const cached = { ...details, cachedAt: manifest.now, lastUsedAt: manifest.now };
  if (known === undefined) manifest.parts.push({ part, revisions, cached });
  else known.cached = cached;
}

/** The snapshot of a part, if a manifest states one of these revisions. */
export function findSnapshot(manifest: Manifest, set: SnapshotSet, read: ReadPart): PlannedSnapshot | null {
  const { part, revisions } = read;
  const known = manifest.parts.find((other) => other.part === part && sameRevisions(other.revisions, revisions, set));
  return known === undefined ? null : plannedSnapshot(known, manifest, set);
}

/** Whether two states have the same revisions, comparing only those that a parameter set depends on. */
export function sameRevisions(a: Revisions, b: Revisions, { dependsOn }: SnapshotSet): boolean {
  if (a.incarnation !== b.incarnation) return false;
  return (!dependsOn.sale || a.sale === b.sale) && (!dependsOn.rental || a.rental === b.rental);
}

/** The order is read once per feed, so that a property whose listing date changes in the meantime is neither lost nor repeated. */
async function readOrder(
  db: D1Database,
  accountId: number,
  parameters: FeedParameters,
  channel: number | null,
): Promise<{ lists: readonly string[]; revisions: Revisions }> {
  const { numbers, revisions } = await readListingOrder(db, accountId, parameters, channel);
  const parts = Math.max(1, Math.ceil(numbers.length / SEGMENT_SIZE));
  const lists = Array.from({ length: parts }, (_, part) =>
    JSON.stringify(numbers.slice(part * SEGMENT_SIZE, (part + 1) * SEGMENT_SIZE)),
  );
  return { lists, revisions };
}

function plannedSnapshot(part: ManifestPart, { accountId, now }: Manifest, set: SnapshotSet): PlannedSnapshot | null {
  const { cached } = part;
  if (cached === null) return null;
  const name = nameOf(accountId, set, part.part, part.revisions);
  return { ...cached, name, isSettled: now - cached.cachedAt > SETTLED_AFTER_SECONDS, from: 'KV' };
}
