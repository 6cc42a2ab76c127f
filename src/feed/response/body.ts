import type { Revisions } from '../../db/feed/feed-properties.ts';
import { concatenate } from '../../lib/bytes/bytes.ts';
import type { FeedContext } from '../build/context.ts';
import { type CompressedPart, compressedBytes, plainChunks } from '../build/part-bytes.ts';
import { PartLoader } from '../build/part-loader.ts';
import { type LoadedPart, recordsIn } from '../build/parts.ts';
import { type Frame, Joints, unframedLength } from '../document/envelope.ts';
import { appendChecksum, BROKEN_BLOCK } from '../document/gzip.ts';
import { type PlannedPart, sameRevisions } from '../manifest/plan.ts';

/** When a feed fails although it could be read. */
export interface FeedChecks {
  /** If a part has other revisions than planned, because the response's strong ETag was sent for these. */
  readonly mustMatchPlan?: boolean;
  /** If it has this many records or more; `null` for no limit. */
  readonly recordLimit?: number | null;
}

/**
 * A feed's bytes, part by part as they are requested, while the following parts are being loaded.
 *
 * If a part fails, so does this. A compressed feed is made invalid first, since workerd ends a response of unknown length
 * that fails as if it were complete (https://github.com/cloudflare/workerd/issues/6818).
 *
 * @returns what the parts were read at
 */
export async function* feedChunks(
  parts: readonly PlannedPart[],
  context: FeedContext,
  { mustMatchPlan = false, recordLimit = null }: FeedChecks = {},
): AsyncGenerator<Uint8Array, PartRevisions> {
  const { head, tail, opening, closing, checksum: headChecksum } = context.frame;
  const joints = new Joints(context.frame);
  const loader = new PartLoader(parts, context);
  const revisions: (Revisions | null)[] = [];
  const add = (part: PlannedPart, found: Revisions | null) => {
    const matches = found !== null && sameRevisions(found, part.revisions, context.set);
    if (mustMatchPlan && !matches) throw new Error('A cached part has changed');
    revisions.push(found);
  };
  let checksum = headChecksum;
  // No `yield*` of compressed parts: it would hold each until the next one is there.
  try {
    yield context.compressed ? opening : head;
    for (const [index, part] of parts.entries()) {
      // Not constants: a suspended generator holds them while the next part is being built.
      let loaded: LoadedPart | null = await loader.take(index);
      if (context.compressed) {
        let compressed: CompressedPart | null = await compressedBytes(part, loaded, context);
        add(part, compressed.revisions);
        if (compressed.bytes.length > 0) {
          const joint = joints.before('development' in part.scope);
          if (joint !== null) {
            checksum = appendChecksum(checksum, joint.piece);
            yield joint.piece.deflated;
          }
          checksum = appendChecksum(checksum, compressed.checksum);
          yield compressed.bytes;
        }
        compressed = null;
      } else {
        const chunks = plainChunks(part, loaded, context);
        let next = await chunks.next();
        try {
          const joint = next.done ? null : joints.before('development' in part.scope);
          if (joint !== null) yield joint.plain;
          for (; !next.done; next = await chunks.next()) yield next.value;
        } finally {
          await chunks.return(null);
        }
        add(part, next.value);
      }
      context.tally.records += recordsIn(loaded);
      loaded = null;
    }
    const { records } = context.tally;
    if (recordLimit !== null && records >= recordLimit) throw new TooManyRecords(records);
    yield context.compressed ? closing(checksum) : tail;
    return revisions;
  } catch (error) {
    if (context.compressed) yield BROKEN_BLOCK;
    throw error;
  } finally {
    loader.close();
    context.background.responseSent();
  }
}

/** A feed has more records than its reader takes: fewer were counted before. */
export class TooManyRecords extends Error {
  readonly records: number;

  constructor(records: number) {
    super(`The feed has ${records} records now`);
    this.records = records;
  }
}

/** The revisions that determine each part's bytes, in document order; `null` for a part that changed while it was read. */
export type PartRevisions = readonly (Revisions | null)[];

/** The length of a feed in bytes; `null` unless every part is cached. */
export function feedLength(parts: readonly PlannedPart[], frame: Frame, compressed: boolean): number | null {
  let bytes = compressed ? frame.opening.length + frame.closingLength : frame.head.length + frame.tail.length;
  const joints = new Joints(frame);
  for (const { snapshot, scope } of parts) {
    if (snapshot === null) return null;
    const joint = snapshot.bytes > 0 ? joints.before('development' in scope) : null;
    if (joint !== null) bytes += compressed ? joint.piece.deflated.length : joint.plain.length;
    bytes += compressed ? unframedLength(snapshot.bytes, frame) : snapshot.length;
  }
  return bytes;
}

/** A feed's bytes, and the revisions at which its parts were read; or its chunks, if there are too many bytes. */
export type Collected =
  | { readonly bytes: Uint8Array; readonly revisions: PartRevisions }
  | { readonly chunks: AsyncGenerator<Uint8Array, unknown> };

/** Joins all chunks if they have at most `maxBytes`. */
export async function collect(
  chunks: AsyncGenerator<Uint8Array, PartRevisions>,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<Collected> {
  const collected: Uint8Array[] = [];
  for (let bytes = 0; bytes <= maxBytes; ) {
    const { done, value } = await chunks.next();
    if (done) return { bytes: concatenate(collected), revisions: value };
    collected.push(value);
    bytes += value.length;
  }
  return { chunks: followedBy(collected, chunks) };
}

async function* followedBy(
  first: Uint8Array[],
  others: AsyncGenerator<Uint8Array, unknown>,
): AsyncGenerator<Uint8Array, unknown> {
  try {
    for (let chunk = first.shift(); chunk !== undefined; chunk = first.shift()) yield chunk;
    return yield* others;
  } finally {
    await others.return(undefined);
  }
}
