import type { SnapshotDetails, SnapshotName } from '../../db/feed/snapshots.ts';
import type { Lease } from '../../lib/time/slots.ts';
import type { EpochSeconds } from '../../lib/time/time.ts';
import { framed } from '../document/envelope.ts';
import { addSnapshot, findSnapshot } from '../manifest/manifest-cache.ts';
import { nameOf, type PlannedPart, type PlannedSnapshot } from '../manifest/plan.ts';
import { SnapshotBuffer } from '../snapshots/buffers.ts';
import { snapshotKey } from '../snapshots/key.ts';
import { putLocal } from '../snapshots/local.ts';
import { openSnapshot, putSnapshot } from '../snapshots/store.ts';
import { type BuildClaim, claimBuild } from './builds.ts';
import { BuiltPart, type BuiltPiece } from './built-part.ts';
import type { FeedContext } from './context.ts';
import { buildInPages, PartPages } from './part-pages.ts';

/** A part that has been read and not yet written to the response. */
export type LoadedPart =
  | { readonly from: 'snapshot'; readonly buffer: SnapshotBuffer; readonly snapshot: PlannedSnapshot }
  | MissingPart;

/** A part that is built, by this request or another. */
type MissingPart =
  | { readonly from: 'other build'; readonly piece: BuiltPiece }
  | { readonly from: 'database'; readonly properties: LoadedProperties };

/** Records of the feed in a part. */
export function recordsIn(loaded: LoadedPart): number {
  switch (loaded.from) {
    case 'snapshot':
      return loaded.snapshot.records;
    case 'other build':
      return loaded.piece.records;
    case 'database':
      return loaded.properties.build().records;
  }
}

/** Loads a part's snapshot; if it has none, or KV does not return it, loads its properties. */
export async function loadPart(part: PlannedPart, context: FeedContext): Promise<LoadedPart> {
  const { account, set } = context;
  // Another request may have written one since this one began.
  const written = part.isLost ? null : findSnapshot(account, set, nameOfPart(part, context));
  const snapshot = part.snapshot ?? written;
  if (snapshot === null) return loadMissing(part, context, part.isLost ? 'lost' : undefined);
  const buffer = new SnapshotBuffer(context.env, snapshot, (bytes) => {
    if (snapshot.from === 'location or KV') storeLocally(snapshot.name, bytes, snapshot, snapshot.cachedAt, context);
  });
  if (snapshot.bytes === 0) return { from: 'snapshot', buffer, snapshot };
  try {
    const bytes = await buffer.bytes();
    if (bytes === null) return loadMissing(part, context, 'lost');
    if (snapshot.from === 'location' && secondsNow() - snapshot.cachedAt >= LASTING_SECONDS) {
      context.background.add(() => store(snapshot.name, bytes, snapshot, context), bytes.length);
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

/** Writes a snapshot to KV. */
async function store(
  name: SnapshotName,
  feed: Uint8Array,
  { bytes, crc, length, records, listingPart }: SnapshotDetails,
  { env, account, set }: FeedContext,
): Promise<void> {
  const details = { bytes, crc, length, records, listingPart };
  if (await putSnapshot(env, name, feed, details)) addSnapshot(account, set, name, details);
}

function secondsNow(): EpochSeconds {
  return Math.floor(Date.now() / 1_000);
}

/** Stores what came from KV in this location, in the background. */
function storeLocally(
  name: SnapshotName,
  feed: Uint8Array,
  { bytes, crc, length, records }: SnapshotDetails,
  builtAt: EpochSeconds,
  { background }: FeedContext,
): void {
  const snapshot = { bytes, crc, length, records, listingPart: null, builtAt };
  background.add(() => putLocal(name, feed, snapshot), feed.length);
}

function nameOfPart({ part, revisions }: PlannedPart, { manifest, set }: FeedContext): SnapshotName {
  return nameOf(manifest.accountId, set, part, revisions);
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
): Promise<MissingPart> {
  context.tally.miss(part, reason);
  const { manifest, parameters } = context;
  const key = snapshotKey(nameOfPart(part, context));
  const claim = await claimBuild(key, `${manifest.accountId} ${parameters.languages}`);
  if ('value' in claim) return { from: 'other build', piece: claim.value };
  try {
    const pages = new PartPages(part, context);
    await pages.read(0);
    const built = pages.next === null ? null : await buildInPages(pages, claim, context);
    claim.measured(pages.storedBytes);
    return { from: 'database', properties: new LoadedProperties({ part, pages, claim, context }, built) };
  } catch (error) {
    claim.end();
    throw error;
  }
}

/**
 * Milliseconds for which properties wait in memory for the reader, who usually takes them immediately. Then the part is
 * built and compressed, so that other requests can build.
 */
const MAX_WAIT = 100;

/** The properties of a part, which is built when the reader takes it, or after a short time. */
export class LoadedProperties {
  readonly #claim: BuildClaim;
  readonly #timer: ReturnType<typeof setTimeout> | null = null;
  /** What the part is built from; `null` once it is built, so that its properties leave the memory. */
  #sources: Sources | null;
  #built: BuiltPart | null = null;

  /** Whether the part is so large that it was built page by page. */
  readonly hasSeveralPages: boolean;

  /** @param built the part, if it has several pages */
  constructor(sources: Sources, built: BuiltPart | null) {
    this.#claim = sources.claim;
    this.#sources = built === null ? sources : null;
    this.hasSeveralPages = built !== null;
    if (built !== null) {
      this.#built = cached(built, sources);
      return;
    }
    // Not a closure over the sources: a timer keeps its function as long as anyone keeps the timer, even once it is cleared.
    this.#timer = setTimeout(() => this.build().compact(), MAX_WAIT);
  }

  /** Builds the part; it is cached in the background. */
  build(): BuiltPart {
    if (this.#built !== null) return this.#built;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#built = buildPart(this.#sources!);
    this.#sources = null;
    return this.#built;
  }

  /** Call it when the reader has the part: its uncompressed form no longer counts. */
  sent(): void {
    this.#claim.yieldMemory();
  }

  /** Leaves the part to other requests, because the reader has disconnected. */
  discard(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#claim.end();
  }
}

/** What a part is built from. */
interface Sources {
  readonly part: PlannedPart;
  /** The only page, which has been read; unless the part has been built. */
  readonly pages: PartPages;
  readonly claim: BuildClaim;
  readonly context: FeedContext;
}

function buildPart(sources: Sources): BuiltPart {
  const { pages, claim, context } = sources;
  const { written, revisions } = pages.write();
  const built = new BuiltPart(written, written.records, revisions, () => claim.yieldMemory());
  claim.hold(built.length);
  if (context.compressed) built.compact();
  return cached(built, sources);
}

/** The part, which is cached in the background if some revisions determine it and memory suffices. */
function cached(built: BuiltPart, { part, claim, context }: Sources): BuiltPart {
  const { revisions } = built;
  const name = revisions && nameOf(context.manifest.accountId, context.set, part.part, revisions);
  if (name === null || !cacheInBackground(name, part, built, claim, context)) claim.end();
  return built;
}

function cacheInBackground(
  name: SnapshotName,
  { order }: PlannedPart,
  built: BuiltPart,
  claim: BuildClaim,
  context: FeedContext,
): boolean {
  const { frame, compressed, background, hasLocalCache } = context;
  // Released as soon as the compressed form exists: the reader may finish before the write to KV does.
  let source: BuiltPart | null = built;
  const cache = async (memory: Lease) => {
    const { piece } = source!;
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
    background.add((memory) => cache(memory).finally(() => claim.end()), bytes, isUrgent);
  // Compressing takes as much processor time as all else: it waits for the reader, unless there is no memory for that.
  if (!compressed && built.plain !== null && add(built.length, claim.isWanted)) return true;
  if (built.plain !== null) built.compact();
  // The compressed form, and the feed of this part alone that is made of it. Writing that takes next to no processor time.
  return add(2 * built.piece.deflated.length, () => true);
}

/** The snapshot of a compressed feed's only part: the complete feed, as a stream from KV. `null` if KV does not return it. */
export async function openOnlySnapshot(
  snapshot: PlannedSnapshot,
  { env, report }: FeedContext,
): Promise<ReadableStream<Uint8Array> | null> {
  try {
    return await openSnapshot(env, snapshot);
  } catch (error) {
    report(error);
    return null;
  }
}
