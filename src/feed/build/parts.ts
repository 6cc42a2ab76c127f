import type { SnapshotDetails, SnapshotName, SnapshotSet } from '../../db/snapshots.ts';
import type { Env } from '../../env.ts';
import { type Frame, framed } from '../document/envelope.ts';
import type { Ended } from '../document/tracked.ts';
import type { PartFormat } from '../formats/format.ts';
import type { FeedParameters } from '../formats/parameters.ts';
import { nameOf, type PlannedPart, type PlannedSnapshot } from '../manifest/plan.ts';
import { SnapshotBuffer } from '../snapshots/buffers.ts';
import { openSnapshot, putSnapshot, snapshotKey } from '../snapshots/store.ts';
import type { BackgroundTasks, Holding } from './background.ts';
import { type BuildClaim, claimBuild } from './builds.ts';
import { BuiltPart, type BuiltPiece } from './built-part.ts';
import { buildInPages, PartPages } from './part-pages.ts';
import type { FeedTally } from './tally.ts';

/** The context shared by all parts of a response. */
export interface FeedContext {
  readonly env: Env;
  readonly accountId: number;
  readonly format: PartFormat;
  readonly parameters: FeedParameters;
  readonly frame: Frame;
  readonly set: SnapshotSet;
  /** Whether the response is gzip. */
  readonly compressed: boolean;
  /** The reader takes only a feed of fewer records; `null` if it takes any. */
  readonly recordLimit: number | null;
  readonly background: BackgroundTasks;
  /** Called for every snapshot that was written. */
  cached(name: SnapshotName, details: SnapshotDetails): void;
  /** A snapshot that was written since the request began. */
  findSnapshot(name: SnapshotName): PlannedSnapshot | null;
  /** What the response contains, and why parts were built. */
  readonly tally: FeedTally;
  /** Logs an error that the reader does not see. */
  report(error: unknown): void;
  /** Called once the reader has taken a body completely, or the response was aborted. */
  readonly ended?: Ended;
}

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
  const written = part.isLost ? null : context.findSnapshot(nameOfPart(part, context));
  const snapshot = part.snapshot ?? written;
  if (snapshot === null) return loadMissing(part, context, part.isLost ? 'lost' : undefined);
  const buffer = new SnapshotBuffer(context.env, snapshot);
  if (snapshot.bytes === 0) return { from: 'snapshot', buffer, snapshot };
  try {
    const bytes = await buffer.bytes();
    return bytes === null ? loadMissing(part, context, 'lost') : { from: 'snapshot', buffer, snapshot };
  } catch (error) {
    context.report(error);
    return loadMissing(part, context, 'unreadable');
  }
}

function nameOfPart({ part, revisions }: PlannedPart, { accountId, set }: FeedContext): SnapshotName {
  return nameOf(accountId, set, part, revisions);
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
  return loadFromDatabase(part, context);
}

async function loadFromDatabase(
  part: PlannedPart,
  context: FeedContext,
): Promise<Exclude<LoadedPart, { from: 'snapshot' }>> {
  const { accountId } = context;
  const claim = await claimBuild(
    snapshotKey(nameOfPart(part, context)),
    `${accountId} ${context.parameters.languages}`,
  );
  if (!('share' in claim)) return { from: 'other build', piece: claim };
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

/** The part, which is cached in the background if some revisions determine it. */
function cached(built: BuiltPart, { part, claim, context }: Sources): BuiltPart {
  const { revisions } = built;
  const name = revisions && nameOf(context.accountId, context.set, part.part, revisions);
  const willCache = name !== null && cacheInBackground(name, part, built, claim, context);
  if (!willCache) claim.end();
  if (name !== null && !willCache) context.background.postpone(() => buildAgain(part, context));
  return built;
}

/** Builds a part again to cache it, because memory did not suffice when it was built for the reader. */
async function buildAgain(part: PlannedPart, context: FeedContext): Promise<void> {
  if (context.findSnapshot(nameOfPart(part, context)) !== null) return;
  const loaded = await loadFromDatabase(part, { ...context, compressed: true });
  if (loaded.from === 'database') loaded.properties.build();
}

function cacheInBackground(
  name: SnapshotName,
  { order }: PlannedPart,
  built: BuiltPart,
  claim: BuildClaim,
  { env, frame, compressed, background, cached }: FeedContext,
): boolean {
  // Released as soon as the compressed form exists: the reader may finish before the write to KV does.
  let source: BuiltPart | null = built;
  const cache = async (holding: Holding) => {
    const { piece } = source!;
    source = null;
    claim.share(piece);
    const feed = piece.length === 0 ? piece.deflated : framed(piece, frame);
    holding.bytes = piece.deflated.length + feed.length;
    const { crc, length, records } = piece;
    const details = { bytes: feed.length, crc, length, records, listingPart: order?.listingPart ?? null };
    if (await putSnapshot(env, name, feed, details)) cached(name, details);
  };
  // Writing to KV takes next to no processor time, compressing as much as all else.
  const isCompressed = compressed || built.plain === null;
  const isUrgent = isCompressed ? () => true : claim.isWanted;
  // The compressed form, and the feed of this part alone that is made of it.
  const bytes = isCompressed ? 2 * built.piece.deflated.length : built.length;
  return background.add((holding) => cache(holding).finally(() => claim.end()), bytes, isUrgent);
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
