import { type PropertiesRead, readProperties } from '../db/feed-records.ts';
import type { Cut, SnapshotFacts, SnapshotName, SnapshotSet } from '../db/snapshots.ts';
import type { Env } from '../env.ts';
import type { BackgroundTasks } from './background.ts';
import { findDictionary } from './dictionaries.ts';
import type { Dictionary } from './dictionary.ts';
import { writeProperties } from './document.ts';
import { framed, frameOf, unframed } from './frame.ts';
import { type Checksum, type DeflatedPiece, deflatePiece, EMPTY_CHECKSUM, inflatePiece } from './gzip.ts';
import type { FeedParameters } from './parameters.ts';
import { nameOf, type PlannedPart, type PlannedSnapshot, sameRevisions } from './plan.ts';
import { getSnapshot, openSnapshot, putSnapshot } from './snapshot-store.ts';

/** What all parts of one response have in common. */
export interface FeedContext {
  readonly env: Env;
  readonly accountId: number;
  readonly parameters: FeedParameters;
  readonly set: SnapshotSet;
  /** Whether the response is gzip. */
  readonly compressed: boolean;
  readonly background: BackgroundTasks;
  /** Called for every snapshot that was written. */
  cached(name: SnapshotName, facts: SnapshotFacts): void;
  /** Logs an error that the reader does not see. */
  report(error: unknown): void;
}

/** A part that has been read and not yet written: a snapshot, or the properties to build it from. */
export type LoadedPart =
  | { readonly from: 'snapshot'; readonly deflated: Uint8Array; readonly checksum: Checksum }
  | { readonly from: 'database'; readonly read: PropertiesRead; readonly dictionary: Dictionary };

/** The bytes of a part in the response's encoding. */
export interface FinishedPart {
  readonly bytes: Uint8Array;
  /** Of the uncompressed bytes; meaningless unless the response is compressed. */
  readonly checksum: Checksum;
}

/** Loads a part's snapshot; if it has none, or KV does not return it, loads its properties. */
export async function loadPart(part: PlannedPart, context: FeedContext): Promise<LoadedPart> {
  const snapshot = part.snapshot === null ? null : await loadSnapshot(part.snapshot, context);
  if (snapshot !== null) return snapshot;
  const { env, accountId, parameters } = context;
  const read = await readProperties(env.DB, accountId, part.extent, parameters);
  const dictionary = await findDictionary(env.DB, accountId, parameters.languages, read.vocabularyRevision);
  return { from: 'database', read, dictionary };
}

async function loadSnapshot(snapshot: PlannedSnapshot, context: FeedContext): Promise<LoadedPart | null> {
  const { bytes, crc, length, name } = snapshot;
  if (bytes === 0) return { from: 'snapshot', deflated: new Uint8Array(0), checksum: EMPTY_CHECKSUM };
  const feed = await getSnapshot(context.env, name, snapshot).catch(reported(context));
  if (feed === null) return null;
  const deflated = unframed(feed, frameOf(context.parameters.version));
  return { from: 'snapshot', deflated, checksum: { crc, length } };
}

/** Produces the bytes of a part; what was built is cached in the background. */
export function finishPart(part: PlannedPart, loaded: LoadedPart, context: FeedContext): FinishedPart {
  const { compressed, parameters, background } = context;
  if (loaded.from === 'snapshot') {
    const { deflated, checksum } = loaded;
    return { bytes: compressed ? deflated : inflatePiece(deflated), checksum };
  }
  const plain = writeProperties(loaded.read.rows, parameters, loaded.dictionary);
  const piece = compressed ? deflatePiece(plain) : null;
  const name = cacheableName(part, loaded, context);
  if (name !== null) {
    const cut = part.order?.cut ?? null;
    background.add(() => cache(name, piece ?? plain, cut, context), piece?.deflated.length ?? plain.length);
  }
  return piece === null ? { bytes: plain, checksum: EMPTY_CHECKSUM } : { bytes: piece.deflated, checksum: piece };
}

/** The name to cache a built part under; `null` if a change came between the statements that read it. */
function cacheableName(
  { part, order }: PlannedPart,
  { read, dictionary }: Extract<LoadedPart, { from: 'database' }>,
  { accountId, set }: FeedContext,
): SnapshotName | null {
  const isConsistent =
    dictionary.revision === read.vocabularyRevision &&
    (order === null || sameRevisions(order.revisions, read.revisions, set));
  return isConsistent ? nameOf(accountId, set, part, read.revisions) : null;
}

/** @param built the part's bytes, or their compressed form where it is known */
async function cache(
  name: SnapshotName,
  built: DeflatedPiece | Uint8Array,
  cut: Cut | null,
  { env, parameters, cached }: FeedContext,
): Promise<void> {
  const piece = 'deflated' in built ? built : deflatePiece(built);
  const feed = piece.length === 0 ? piece.deflated : framed(piece, frameOf(parameters.version));
  const facts = { bytes: feed.length, crc: piece.crc, length: piece.length, cut };
  await putSnapshot(env, name, feed, facts);
  cached(name, facts);
}

/** The snapshot of a compressed feed's only part: the whole feed, as a stream from KV. `null` if KV does not return it. */
export async function openOnlySnapshot(
  snapshot: PlannedSnapshot,
  context: FeedContext,
): Promise<ReadableStream<Uint8Array> | null> {
  return openSnapshot(context.env, snapshot.name, snapshot).catch(reported(context));
}

/** Treats an error of KV as a miss, and reports it. */
function reported({ report }: FeedContext): (error: unknown) => null {
  return (error) => {
    report(error);
    return null;
  };
}
