import { SEGMENT_SIZE } from '../../db/schema.ts';
import type { PartScope } from '../../properties/store/part-scope.ts';
import { type Revision, readListingOrder } from '../build/feed-properties.ts';
import type { FeedParameters } from '../formats/parameters.ts';
import type { SnapshotDetails, SnapshotName, SnapshotSet } from '../snapshots/table.ts';
import type { CachedPart, Manifest, ManifestPart } from './manifest.ts';
import { FIRST_DEVELOPMENT_PART } from './segments.ts';

/** A part of a feed: which properties it contains, and its snapshot. */
export interface PlannedPart {
  readonly part: number;
  readonly scope: PartScope;
  /** Stored bytes of its properties, if they are known. */
  readonly bytes?: number | undefined;
  /** The revision at which the manifest has the part; building it may find a later one. */
  readonly revision: Revision;
  /** `null` if it must be built. */
  readonly snapshot: PlannedSnapshot | null;
  /** Whether a snapshot is recorded that KV has lost. */
  readonly isLost?: boolean;
  /**
   * For a feed ordered by listing date: its number of parts, and the revision at which this part must be read to be cached; `null`
   * if it may be cached at any revision.
   */
  readonly order: { readonly revision: Revision; readonly parts: number } | null;
}

export interface PlannedSnapshot extends CachedPart {
  readonly name: SnapshotName;
  /** Whether it is visible at every location of KV, which may take a minute. */
  readonly isSettled: boolean;
  /** Where it may be: in the cache of the Worker's location, in KV, or in both. */
  readonly from: 'KV' | 'location or KV' | 'location';
}

/** A part that was read, or is to be read, at a revision. */
export type ReadPart = Pick<ManifestPart, 'part' | 'revision'>;

/** Seconds after which a write to KV is visible everywhere (https://developers.cloudflare.com/kv/concepts/how-kv-works/). */
const SETTLED_AFTER_SECONDS = 60;

export async function planFeed(
  db: D1Database,
  manifest: Manifest,
  parameters: FeedParameters,
  set: SnapshotSet,
): Promise<PlannedPart[]> {
  const { accountId, parts, revision } = manifest;
  if (!set.byListing) {
    return parts.map((part) => ({
      part: part.part,
      scope:
        part.part < FIRST_DEVELOPMENT_PART
          ? { segment: part.part }
          : { development: part.part - FIRST_DEVELOPMENT_PART },
      bytes: part.bytes,
      revision: part.revision,
      snapshot: plannedSnapshot(part, manifest, set),
      order: null,
    }));
  }
  const topologicalSort = parts.toSorted((a, b) => a.part - b.part);
  const allCached = parts.length === topologicalSort[0]?.cached?.parts;
  const order = allCached
    ? { lists: topologicalSort.flatMap(({ cached }) => cached?.numbers ?? []), revision }
    : await readOrder(db, accountId, parameters, set.channel);
  return order.lists.map((numbers, index) => {
    const part = { part: index, revision: order.revision };
    return {
      ...part,
      scope: { numbers },
      // A snapshot at another revision belongs to another order.
      snapshot: findSnapshot(manifest, set, part),
      order: { revision: order.revision, parts: order.lists.length },
    };
  });
}

/** The name of the snapshot of a part that was read at a revision. */
export function nameOf(
  accountId: number,
  set: SnapshotSet,
  { part, revision }: ReadPart,
): SnapshotName {
  const { format, parameters } = set;
  return {
    accountId,
    incarnation: revision.incarnation,
    format,
    parameters,
    part,
    revision: revision.number,
  };
}

/**
 * The key of a snapshot, under 512 bytes. It determines the bytes: whatever could change them is part of it, so a late
 * write can never be mistaken for a later snapshot, and stale entries only occupy space.
 */
export function snapshotKey({
  format,
  accountId,
  part,
  incarnation,
  revision,
  parameters,
}: SnapshotName): string {
  return `${format}/account${accountId}/part${part}/i${incarnation}n${revision}/${parameters}`;
}

/**
 * States in a manifest that the snapshot of a part was written since it was read, unless the snapshot belongs to another revision.
 */
export function addSnapshot(
  manifest: Manifest,
  set: SnapshotSet,
  read: ReadPart,
  details: SnapshotDetails,
): void {
  const { part, revision } = read;
  const known = manifest.parts.find((other) => other.part === part);
  const current = set.byListing ? manifest.revision : known?.revision;
  if (current === undefined || !isSameRevision(current, revision)) return;
  const cached = { ...details, cachedAt: manifest.now, lastUsedAt: manifest.now };
  if (known === undefined) manifest.parts.push({ part, revision, cached });
  else known.cached = cached;
}

/** The snapshot of a part, if a manifest states this revision. */
export function findSnapshot(
  manifest: Manifest,
  set: SnapshotSet,
  { part, revision }: ReadPart,
): PlannedSnapshot | null {
  const known = manifest.parts.find(
    (other) => other.part === part && isSameRevision(other.revision, revision),
  );
  return known === undefined ? null : plannedSnapshot(known, manifest, set);
}

export function isSameRevision(a: Revision, b: Revision): boolean {
  return a.incarnation === b.incarnation && a.number === b.number;
}

/** The order is read once per feed, so that a property whose listing date changes in the meantime is neither lost nor repeated. */
async function readOrder(
  db: D1Database,
  accountId: number,
  parameters: FeedParameters,
  channel: number | null,
): Promise<{ lists: readonly string[]; revision: Revision }> {
  const { numbers, revision } = await readListingOrder(db, accountId, parameters, channel);
  const parts = Math.max(1, Math.ceil(numbers.length / SEGMENT_SIZE));
  const lists = Array.from({ length: parts }, (_, part) =>
    JSON.stringify(numbers.slice(part * SEGMENT_SIZE, (part + 1) * SEGMENT_SIZE)),
  );
  return { lists, revision };
}

function plannedSnapshot(
  part: ManifestPart,
  { accountId, now }: Manifest,
  set: SnapshotSet,
): PlannedSnapshot | null {
  const { cached } = part;
  if (cached === null) return null;
  const name = nameOf(accountId, set, part);
  return { ...cached, name, isSettled: now - cached.cachedAt > SETTLED_AFTER_SECONDS, from: 'KV' };
}
