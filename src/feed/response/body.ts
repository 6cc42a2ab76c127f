import { Buffer } from 'node:buffer';
import { inflate } from '../../lib/bytes/inflate.ts';
import { followedBy } from '../../lib/followed-by.ts';
import type { BuiltPart } from '../build/builds.ts';
import type { FeedContext } from '../build/context.ts';
import { type LoadedPart, loadPart } from '../build/parts.ts';
import { type Envelope, jointsOf, unwrappedLength } from '../document/envelope.ts';
import { appendChecksum, BROKEN_BLOCK, FINAL_BLOCK } from '../document/gzip.ts';
import { haveUnitsMoved } from '../manifest/manifest.ts';
import { isSameRevision, type PlannedPart } from '../manifest/plan.ts';
import { tooManyRecords } from './errors.ts';

/** Snapshots that are read from KV at the same time; a Worker may have six connections open. */
const PREFETCH = 4;

/** Compressed bytes that are read or built ahead of the reader. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** Inflated bytes that are sent at a time. */
const CHUNK_BYTES = 128 * 1024;

/** The parts of a feed do not belong together: it may lack a property, or have one twice. */
export class UnitsMoved extends Error {
  override readonly name = 'UnitsMoved';
}

/**
 * A feed's bytes, part by part as they are requested, while the following parts are being loaded.
 *
 * If a part fails, so does this. A compressed feed is made invalid first, since workerd ends a response of unknown length
 * that fails as if it were complete (https://github.com/cloudflare/workerd/issues/6818).
 *
 * @throws UnitsMoved at the end, if it may lack a property or have one twice
 * @param checks.mustMatchPlan fails if a part has other revisions than planned, because a strong ETag was sent for these
 * @param checks.recordLimit the body fails once it has this many records, if fewer were counted before; `null` for no limit
 * @returns whether all parts have the revisions that the manifest states
 */
export async function* feedChunks(
  parts: readonly PlannedPart[],
  context: FeedContext,
  {
    mustMatchPlan = false,
    recordLimit = null,
  }: { mustMatchPlan?: boolean; recordLimit?: number | null } = {},
): AsyncGenerator<Uint8Array, boolean> {
  const { head, tail, opening, closing, checksum: headChecksum } = context.envelope;
  const jointBefore = jointsOf(context.envelope);
  const loader = partLoader(parts, context);
  const { manifest, set } = context;
  let isAsPlanned = true;
  let checksum = headChecksum;
  // No `yield*`: it would hold the chunks of a part until the next one is there.
  try {
    yield context.compressed ? opening : head;
    for (const [index, part] of parts.entries()) {
      const chunks = partChunks(await loader.take(index), context);
      let next = await chunks.next();
      try {
        const joint = next.done ? null : jointBefore('development' in part.scope);
        if (joint !== null) {
          checksum = appendChecksum(checksum, joint);
          yield context.compressed ? joint.deflated : joint.plain;
        }
        for (; !next.done; next = await chunks.next()) yield next.value;
      } finally {
        await chunks.return(null);
      }
      const sent = next.value!;
      const planned = set.byListing ? manifest.revision : part.revision;
      isAsPlanned &&= sent.revision !== null && isSameRevision(sent.revision, planned);
      if (mustMatchPlan && !isAsPlanned) throw new Error('A cached part has changed');
      checksum = appendChecksum(checksum, sent);
      context.metrics.records += sent.records;
    }
    if (
      !isAsPlanned &&
      set.withDevelopments &&
      (await haveUnitsMoved(context.env.DB, manifest.accountId, manifest.revision))
    ) {
      throw new UnitsMoved();
    }
    const { records } = context.metrics;
    if (recordLimit !== null && records >= recordLimit) throw tooManyRecords(recordLimit, records);
    yield context.compressed ? closing(checksum) : tail;
    return isAsPlanned;
  } catch (error) {
    if (context.compressed) yield BROKEN_BLOCK;
    throw error;
  } finally {
    context.background.responseSent();
  }
}

/**
 * A part's bytes as the reader pulls: compressed in one chunk, or inflated in chunks of bounded size.
 *
 * @returns what was sent, without the bytes, which would stay in memory
 */
async function* partChunks(
  loaded: LoadedPart,
  { compressed }: FeedContext,
): AsyncGenerator<Uint8Array, Omit<BuiltPart, 'deflated' | 'plain'> | null> {
  const { deflated, plain, ...sent } = await loaded.read();
  if (deflated.length === 0) return sent;
  if (compressed) yield deflated;
  else if (plain !== null) yield plain;
  else yield* joined(inflate([deflated, FINAL_BLOCK], 'deflate-raw'));
  return sent;
}

async function* joined(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let pending: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    pending.push(chunk);
    size += chunk.length;
    if (size < CHUNK_BYTES) continue;
    yield Buffer.concat(pending);
    pending = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(pending);
}

/** Loads the parts of a feed ahead of the reader: the next snapshots, and the next part to be built wherever it is. */
function partLoader(parts: readonly PlannedPart[], context: FeedContext) {
  const loading = new Map<number, Promise<LoadedPart>>();
  const start = (index: number): Promise<LoadedPart> => {
    const started = loading.get(index) ?? loadPart(parts[index]!, context);
    loading.set(index, started);
    // Prevents an unhandled rejection if it fails before it is awaited, or after the reader has disconnected.
    started.catch(() => {});
    return started;
  };
  return {
    async take(index: number): Promise<LoadedPart> {
      const own = start(index);
      let bytes = 0;
      for (let ahead = index + 1; ahead < index + PREFETCH; ahead++) {
        bytes += parts[ahead]?.snapshot?.bytes ?? Number.POSITIVE_INFINITY;
        if (bytes > MAX_WAITING_BYTES) break;
        void start(ahead);
      }
      const loaded = await own;
      loading.delete(index);
      const isSmall = loaded.heldBytes <= MAX_WAITING_BYTES;
      const toBuild = parts.findIndex(({ snapshot }, at) => at > index && snapshot === null);
      if (toBuild !== -1 && isSmall) void start(toBuild);
      return loaded;
    },
  };
}

/** The number of records of a feed, from its snapshots; parts that have none are built, and cached. */
export async function countRecords(
  parts: readonly PlannedPart[],
  context: FeedContext,
): Promise<number> {
  let total = 0;
  for (const part of parts) {
    const { records } = part.snapshot ?? (await loadPart(part, context));
    total += records;
  }
  return total;
}

/** The length of a feed in bytes; `null` unless every part is cached. */
export function feedLength(
  parts: readonly PlannedPart[],
  envelope: Envelope,
  compressed: boolean,
): number | null {
  const { head, tail, opening, closingLength } = envelope;
  let bytes = compressed ? opening.length + closingLength : head.length + tail.length;
  const jointBefore = jointsOf(envelope);
  for (const { snapshot, scope } of parts) {
    if (snapshot === null) return null;
    const joint = snapshot.bytes > 0 ? jointBefore('development' in scope) : null;
    if (joint !== null) bytes += compressed ? joint.deflated.length : joint.length;
    bytes += compressed ? unwrappedLength(snapshot.bytes, envelope) : snapshot.length;
  }
  return bytes;
}

/** A feed's bytes, and what {@link feedChunks} returns; or its chunks, if there are more than `maxBytes`. */
export async function collect(chunks: AsyncGenerator<Uint8Array, boolean>, maxBytes: number) {
  const collected: Uint8Array[] = [];
  for (let bytes = 0; bytes <= maxBytes; ) {
    const { done, value } = await chunks.next();
    if (done) return { bytes: Buffer.concat(collected), isAsPlanned: value };
    collected.push(value);
    bytes += value.length;
  }
  return { chunks: followedBy(collected, chunks) };
}
