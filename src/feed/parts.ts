import { type PropertiesRead, readProperties } from '../db/feed-records.ts';
import type { Cut, SnapshotFacts, SnapshotName, SnapshotSet } from '../db/snapshots.ts';
import type { Env } from '../env.ts';
import type { Backlog } from './backlog.ts';
import { findDictionary } from './dictionaries.ts';
import type { Dictionary } from './dictionary.ts';
import { writeProperties } from './document.ts';
import { framed, frameOf, unframed } from './frame.ts';
import { type Checksum, deflateStretch, EMPTY_CHECKSUM, inflateStretch, type Stretch } from './gzip.ts';
import type { FeedParameters } from './parameters.ts';
import { nameOf, type PlannedPart, sameRevisions } from './plan.ts';
import { getSnapshot, keepSnapshot, openSnapshot } from './snapshots.ts';

/** What the parts of one answer have in common. */
export interface FeedRequest {
  readonly env: Env;
  readonly accountId: number;
  readonly parameters: FeedParameters;
  readonly set: SnapshotSet;
  readonly compressed: boolean;
  /** What is left to be done beside the answer. */
  readonly backlog: Backlog;
  /** Told of every part that has been kept. */
  kept(name: SnapshotName, facts: SnapshotFacts): void;
  /** Logs a failure. */
  report(failure: unknown): void;
  /** Whether KV has failed this answer once, or has nothing for it: then it is not asked again. */
  withoutStore: boolean;
}

/** A part whose reading is done and whose writing is not. */
export type BegunPart =
  | { readonly from: 'snapshot'; readonly deflated: Uint8Array; readonly checksum: Checksum }
  | { readonly from: 'database'; readonly read: PropertiesRead; readonly dictionary: Dictionary };

/** The bytes of a part as the answer sends them: deflated, or plain. */
export interface FinishedPart {
  readonly bytes: Uint8Array;
  /** Of the plain bytes; of no use to an answer that is not compressed. */
  readonly checksum: Checksum;
}

/** Gets a part from where it is kept, else reads what it is built from. */
export async function beginPart(part: PlannedPart, request: FeedRequest): Promise<BegunPart> {
  const { env, accountId, parameters } = request;
  const { kept } = part;
  if (kept?.bytes === 0) return { from: 'snapshot', deflated: new Uint8Array(0), checksum: EMPTY_CHECKSUM };
  if (kept != null) {
    const feed = await fromStore(request, () => getSnapshot(env, kept.name, kept));
    if (feed !== null) {
      const deflated = unframed(feed, frameOf(parameters.version));
      return { from: 'snapshot', deflated, checksum: { crc: kept.crc, length: kept.length } };
    }
  }
  const read = await readProperties(env.DB, accountId, part.extent, parameters);
  const dictionary = await findDictionary(env.DB, accountId, parameters.languages, read.vocabularyRevision);
  return { from: 'database', read, dictionary };
}

/** Makes the bytes of a part; what was built is kept beside the answer. */
export function finishPart(part: PlannedPart, begun: BegunPart, request: FeedRequest): FinishedPart {
  if (begun.from === 'snapshot') {
    const { deflated, checksum } = begun;
    return { bytes: request.compressed ? deflated : inflateStretch(deflated), checksum };
  }
  const plain = writeProperties(begun.read.rows, request.parameters, begun.dictionary);
  const stretch = request.compressed ? deflateStretch(plain) : null;
  const name = nameToKeep(part, begun, request);
  if (name !== null) {
    const cut = part.order?.cut ?? null;
    const made = stretch ?? plain;
    request.backlog.add(() => keep(name, made, cut, request), stretch?.deflated.length ?? plain.length);
  }
  return stretch === null ? { bytes: plain, checksum: EMPTY_CHECKSUM } : { bytes: stretch.deflated, checksum: stretch };
}

/** The name of what was built; `null` where a change came between its statements: then it is no name's bytes. */
function nameToKeep(
  { part, order }: PlannedPart,
  { read, dictionary }: Extract<BegunPart, { from: 'database' }>,
  { accountId, set }: FeedRequest,
): SnapshotName | null {
  const ofOneMoment =
    dictionary.revision === read.vocabularyRevision &&
    (order === null || sameRevisions(order.revisions, read.revisions, set));
  return ofOneMoment ? nameOf(accountId, set, part, read.revisions) : null;
}

/** @param made what was built, compressed or yet to be */
async function keep(
  name: SnapshotName,
  made: Stretch | Uint8Array,
  cut: Cut | null,
  { env, parameters, kept }: FeedRequest,
): Promise<void> {
  const stretch = 'deflated' in made ? made : deflateStretch(made);
  const feed = stretch.length === 0 ? stretch.deflated : framed(stretch, frameOf(parameters.version));
  const facts = { bytes: feed.length, crc: stretch.crc, length: stretch.length, cut };
  await keepSnapshot(env, name, feed, facts);
  kept(name, facts);
}

/**
 * The whole of a compressed feed, straight from KV, where it has one part and that is kept; `null` where it is to be made
 * of its parts.
 */
export async function wholeFromStore(
  parts: readonly PlannedPart[],
  request: FeedRequest,
): Promise<ReadableStream<Uint8Array> | null> {
  const kept = parts.length === 1 ? parts[0]!.kept : null;
  if (kept === null || kept.bytes === 0 || !request.compressed) return null;
  const whole = await fromStore(request, () => openSnapshot(request.env, kept.name, kept));
  if (whole === null) request.withoutStore = true;
  return whole;
}

/** What KV has; `null` where it has not, or fails. */
async function fromStore<Value>(request: FeedRequest, get: () => Promise<Value | null>): Promise<Value | null> {
  if (request.withoutStore) return null;
  try {
    return await get();
  } catch (error) {
    request.withoutStore = true;
    request.report(error);
    return null;
  }
}
