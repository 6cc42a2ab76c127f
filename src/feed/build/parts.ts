import type { SnapshotDetails, SnapshotName } from '../../db/feed/snapshots.ts';
import type { Lease } from '../../lib/time/slots.ts';
import type { EpochSeconds } from '../../lib/time/time.ts';
import { framed } from '../document/envelope.ts';
import { addSnapshot, findSnapshot } from '../manifest/manifest-cache.ts';
import { nameOf, type PlannedPart, type PlannedSnapshot, snapshotKey } from '../manifest/plan.ts';
import { type SnapshotBuffer, snapshotBuffer } from '../snapshots/buffers.ts';
import { putLocal } from '../snapshots/local.ts';
import { putSnapshot } from '../snapshots/store.ts';
import { type BuildClaim, BuiltPart, claimBuild } from './builds.ts';
import { countMiss, type FeedContext } from './context.ts';
import { buildInPages, type Page, readPage, storedBytes, writePage } from './part-pages.ts';

/** A part that has been read and not yet written to the response: from its snapshot, or to be built. */
export type LoadedPart =
  | { readonly from: 'snapshot'; readonly buffer: SnapshotBuffer; readonly snapshot: PlannedSnapshot }
  | BuildingPart;

export interface BuildingPart {
  readonly from: 'build';
  readonly built: BuiltPart;
}

export function recordsIn(loaded: LoadedPart): number {
  return loaded.from === 'snapshot' ? loaded.snapshot.records : loaded.built.records;
}

export function discard(loaded: LoadedPart): void {
  if (loaded.from === 'snapshot') loaded.buffer.release();
  else loaded.built.discard();
}

/** Loads a part's snapshot; if it has none, or KV does not return it, loads its properties. */
export async function loadPart(part: PlannedPart, context: FeedContext): Promise<LoadedPart> {
  const { env, account, manifest, set, background } = context;
  // Another request may have written one since this one began.
  const written = () => findSnapshot(account, set, nameOf(manifest.accountId, set, part.part, part.revisions));
  const snapshot = part.snapshot ?? (part.isLost ? null : written());
  if (snapshot === null) return loadMissing(part, context, part.isLost ? 'lost' : undefined);
  const { name } = snapshot;
  const buffer = snapshotBuffer(env, snapshot, (bytes) => {
    if (snapshot.from !== 'location or KV') return;
    background.add(() => putLocal(name, bytes, { ...detailsOf(snapshot), builtAt: snapshot.cachedAt }), bytes.length);
  });
  if (snapshot.bytes === 0) return { from: 'snapshot', buffer, snapshot };
  try {
    const bytes = await buffer.bytes();
    if (bytes === null) return loadMissing(part, context, 'lost');
    if (snapshot.from === 'location' && secondsNow() - snapshot.cachedAt >= LASTING_SECONDS) {
      background.add(() => store(name, bytes, detailsOf(snapshot), context), bytes.length);
    }
    return { from: 'snapshot', buffer, snapshot };
  } catch (error) {
    context.report(error);
    return loadMissing(part, context, 'unreadable');
  }
}

/**
 * Age at which a snapshot of this location is written to KV as well, when it is requested. Writing a part to KV and deleting it
 * costs four times as much as building it, so only parts that last are worth it.
 */
const LASTING_SECONDS = 3_600;

function detailsOf({ bytes, crc, length, records, listingPart }: SnapshotDetails): SnapshotDetails {
  return { bytes, crc, length, records, listingPart };
}

async function store(
  name: SnapshotName,
  feed: Uint8Array,
  details: SnapshotDetails,
  { env, account, set }: FeedContext,
): Promise<void> {
  if (await putSnapshot(env, name, feed, details)) addSnapshot(account, set, name, details);
}

function secondsNow(): EpochSeconds {
  return Math.floor(Date.now() / 1_000);
}

/**
 * Loads the properties of a part to build it, unless another request is building it.
 *
 * @param reason if it has a snapshot, why that cannot be used
 */
export async function loadMissing(
  part: PlannedPart,
  context: FeedContext,
  reason?: 'lost' | 'unreadable',
): Promise<BuildingPart> {
  countMiss(context, part, reason);
  const { manifest, parameters, set } = context;
  const key = snapshotKey(nameOf(manifest.accountId, set, part.part, part.revisions));
  const claim = await claimBuild(key, `${manifest.accountId} ${parameters.languages}`);
  if ('value' in claim) return { from: 'build', built: new BuiltPart(claim.value) };
  try {
    const page = await readPage(part, context);
    const source = page.read.next === null ? onlyPage(page) : await buildInPages(page, part, claim, context);
    return { from: 'build', built: new BuiltPart(source, claim, (built) => cache(built, part, claim, context)) };
  } catch (error) {
    claim.end();
    throw error;
  }

  function onlyPage(page: Page) {
    if ('measured' in claim) claim.measured(storedBytes(page));
    return () => writePage(page, part, context);
  }
}

/** Caches a part in the background, if some revisions determine it and memory suffices. */
function cache(built: BuiltPart, { part, order }: PlannedPart, claim: BuildClaim, context: FeedContext): void {
  const { manifest, set, frame, compressed, background, hasLocalCache } = context;
  const { revisions } = built;
  if (revisions === null) {
    claim.end();
    return;
  }
  const name = nameOf(manifest.accountId, set, part, revisions);
  // Released as soon as the compressed form exists: the reader may finish before the write to KV does.
  let source: BuiltPart | null = built;
  const write = async (memory: Lease) => {
    const piece = source!.compact();
    source = null;
    claim.share(piece);
    const feed = piece.length === 0 ? piece.deflated : framed(piece, frame);
    memory.resize(piece.deflated.length + feed.length);
    const { crc, length, records } = piece;
    const details = { bytes: feed.length, crc, length, records, listingPart: order?.listingPart ?? null };
    if (hasLocalCache && feed.length > 0) await putLocal(name, feed, { ...details, builtAt: secondsNow() });
    else await store(name, feed, details, context);
  };
  const add = (bytes: number, isUrgent: () => boolean) =>
    background.add((memory) => write(memory).finally(() => claim.end()), bytes, isUrgent);
  // Compressing takes as much processor time as all else: it waits for the reader, unless there is no memory for that.
  if (!compressed && built.plain !== null && add(built.length, claim.isWanted)) return;
  // The compressed form, and the feed of this part alone that is made of it. Writing that takes next to no processor time.
  if (!add(2 * built.compact().deflated.length, () => true)) claim.end();
}
