import type { Revisions } from '../../db/feed/feed-properties.ts';
import { concatenate } from '../../lib/bytes/bytes.ts';
import { StepInflater } from '../../lib/bytes/inflate.ts';
import { unframed } from '../document/envelope.ts';
import { type Checksum, EMPTY_CHECKSUM } from '../document/gzip.ts';
import type { PlannedPart, PlannedSnapshot } from '../manifest/plan.ts';
import type { SnapshotBuffer } from '../snapshots/buffers.ts';
import type { BuiltPart } from './builds.ts';
import type { FeedContext } from './context.ts';
import { type LoadedPart, loadMissing } from './parts.ts';

/** Inflated bytes that are sent at a time, and that a slow reader keeps in memory. */
const CHUNK = 128 * 1024;

/** The current compressed bytes of a part; `null` if they are lost. */
type Source = () => Promise<Uint8Array | null>;

/** A part's compressed bytes, as one chunk. */
export interface CompressedPart {
  readonly bytes: Uint8Array;
  readonly checksum: Checksum;
  readonly revisions: Revisions | null;
}

export async function compressedBytes(
  part: PlannedPart,
  loaded: LoadedPart,
  context: FeedContext,
): Promise<CompressedPart> {
  if (loaded.from === 'build') {
    const piece = loaded.built.compact();
    return { bytes: piece.deflated, checksum: piece, revisions: piece.revisions };
  }
  const { revisions } = part;
  if (loaded.snapshot.bytes === 0) return { bytes: new Uint8Array(0), checksum: EMPTY_CHECKSUM, revisions };
  const bytes = await snapshotSource(loaded.buffer, context)();
  loaded.buffer.release();
  if (bytes !== null) return { bytes, checksum: loaded.snapshot, revisions };
  return compressedBytes(part, await loadMissing(part, context, 'lost'), context);
}

/**
 * A part's uncompressed bytes, in chunks of bounded size as the reader pulls. Returns the revisions that determine them;
 * `null` if none do. A snapshot that is deleted meanwhile is built again.
 *
 * @throws if the part has changed since then
 */
export async function* plainChunks(
  part: PlannedPart,
  loaded: LoadedPart,
  context: FeedContext,
): AsyncGenerator<Uint8Array, Revisions | null> {
  if (loaded.from === 'build') return yield* builtChunks(loaded.built);
  if (loaded.snapshot.bytes === 0) return part.revisions;
  const source = snapshotSource(loaded.buffer, context);
  try {
    if ((await source()) !== null) {
      let sent = 0;
      try {
        for await (const chunk of inflatedChunks(source)) {
          sent += chunk.length;
          yield chunk;
        }
      } catch (error) {
        if (!(error instanceof LostSnapshot)) throw error;
        yield* inflatedChunks(await rebuilt(part, loaded.snapshot, context), sent);
      }
      return part.revisions;
    }
  } finally {
    loaded.buffer.release();
  }
  return yield* plainChunks(part, await loadMissing(part, context, 'lost'), context);
}

/** A snapshot was deleted, or lost by KV, while it was being sent. */
class LostSnapshot extends Error {
  constructor() {
    super('KV lost a snapshot while it was being sent');
  }
}

/**
 * The source of a part that replaces its lost snapshot.
 *
 * @throws LostSnapshot if the part has other bytes by now
 */
async function rebuilt(part: PlannedPart, { crc, length }: PlannedSnapshot, context: FeedContext): Promise<Source> {
  const { built } = await loadMissing(part, context, 'lost');
  const piece = built.compact();
  if (piece.crc !== crc || piece.length !== length) throw new LostSnapshot();
  return async () => piece.deflated;
}

/** A snapshot's bytes: from the shared buffer, or once more from KV if they have been evicted from it. */
function snapshotSource(buffer: SnapshotBuffer, { frame, report }: FeedContext): Source {
  return async () => {
    const feed = await buffer.bytes().catch((error) => {
      report(error);
      return null;
    });
    return feed && unframed(feed, frame);
  };
}

async function* builtChunks(built: BuiltPart): AsyncGenerator<Uint8Array, Revisions | null> {
  try {
    for (let sent = 0, index = 0; sent < built.length; index++) {
      const chunk = built.plain?.[index];
      if (chunk === undefined) {
        yield* inflatedChunks(async () => built.compact().deflated, sent);
        break;
      }
      sent += chunk.length;
      yield chunk;
    }
    return built.revisions;
  } finally {
    built.sent();
  }
}

/**
 * Inflates as the reader pulls.
 *
 * @param skipped bytes that were already sent
 * @throws if the source loses the bytes after the first ones have been sent
 */
async function* inflatedChunks(source: Source, skipped = 0): AsyncGenerator<Uint8Array, void> {
  const inflater = new StepInflater();
  let toSkip = skipped;
  try {
    for (let pending: Uint8Array[] = [], size = 0; ; ) {
      const deflated = await source();
      if (deflated === null) throw new LostSnapshot();
      for (const output of await inflater.next(deflated)) {
        const rest = output.subarray(toSkip);
        toSkip -= output.length - rest.length;
        pending.push(rest);
        size += rest.length;
      }
      const isLast = inflater.consumed === deflated.length;
      if (size < CHUNK && !isLast) continue;
      if (size > 0) yield concatenate(pending);
      if (isLast) return;
      [pending, size] = [[], 0];
    }
  } finally {
    inflater.close();
  }
}
