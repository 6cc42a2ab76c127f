import { type PropertiesRead, readProperties } from '../db/feed-records.ts';
import type { SnapshotSet } from '../db/snapshots.ts';
import type { Env } from '../env.ts';
import { findDictionary } from './dictionaries.ts';
import type { Dictionary } from './dictionary.ts';
import { writeProperties } from './document.ts';
import { type Checksum, deflateStretch, inflateStretch } from './gzip.ts';
import type { FeedParameters } from './parameters.ts';
import { nameOf, type PlannedPart, sameRevisions } from './plan.ts';
import { getSnapshot, keepSnapshot } from './snapshots.ts';

/** What the parts of one answer have in common. */
export interface FeedRequest {
  readonly env: Env;
  readonly accountId: number;
  readonly parameters: FeedParameters;
  readonly set: SnapshotSet;
  readonly compressed: boolean;
  /** Runs a task beyond the answer; its failure is logged, and touches nothing else. */
  background(task: () => Promise<void>): void;
  /** Told of every part that has been kept. */
  kept(): void;
  /** Logs a failure. */
  report(failure: unknown): void;
  /** Whether KV has failed this answer once: then it is not asked again. */
  storeFailed: boolean;
}

/** A part whose reading is done and whose writing is not. */
export type BegunPart =
  | { readonly from: 'snapshot'; readonly deflated: Uint8Array; readonly checksum: Checksum }
  | { readonly from: 'database'; readonly read: PropertiesRead; readonly dictionary: Dictionary };

/** The bytes of a part as the answer sends them: deflated, or plain. */
export interface FinishedPart {
  readonly bytes: Uint8Array;
  /** Of the plain bytes. */
  readonly checksum: Checksum;
}

/** Gets a part from where it is kept, else reads what it is built from. */
export async function beginPart(part: PlannedPart, request: FeedRequest): Promise<BegunPart> {
  const { env, accountId, parameters } = request;
  const { kept } = part;
  if (kept !== null) {
    const deflated = kept.bytes === 0 ? new Uint8Array(0) : await tryGet(kept, request);
    if (deflated !== null) return { from: 'snapshot', deflated, checksum: { crc: kept.crc, length: kept.length } };
  }
  const read = await readProperties(env.DB, accountId, part.extent, parameters);
  const dictionary = await findDictionary(env.DB, accountId, parameters.languages, read.vocabularyRevision);
  return { from: 'database', read, dictionary };
}

/** Makes the bytes of a part; what was built is kept in the background. */
export function finishPart(part: PlannedPart, begun: BegunPart, request: FeedRequest): FinishedPart {
  if (begun.from === 'snapshot') {
    const { deflated, checksum } = begun;
    return { bytes: request.compressed ? deflated : inflateStretch(deflated), checksum };
  }
  const { read, dictionary } = begun;
  const plain = new TextEncoder().encode(writeProperties(read.rows, request.parameters, dictionary));
  const { deflated, crc, length } = deflateStretch(plain);
  const { order } = part;
  // What a change came between is good for this answer, and is no name's bytes.
  const ofOneMoment =
    dictionary.revision === read.vocabularyRevision &&
    (order === null || sameRevisions(order.revisions, read.revisions, request.set));
  if (ofOneMoment) {
    const name = nameOf(request.accountId, request.set, part.part, read.revisions);
    const facts = { crc, length, cut: order?.cut ?? null };
    request.background(async () => {
      await keepSnapshot(request.env, name, deflated, facts);
      request.kept();
    });
  }
  return { bytes: request.compressed ? deflated : plain, checksum: { crc, length } };
}

async function tryGet(kept: NonNullable<PlannedPart['kept']>, request: FeedRequest): Promise<Uint8Array | null> {
  if (request.storeFailed) return null;
  try {
    return await getSnapshot(request.env, kept.name, kept.bytes);
  } catch (error) {
    request.storeFailed = true;
    request.report(error);
    return null;
  }
}
