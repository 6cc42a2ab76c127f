import type { Revisions } from '../../db/feed/feed-properties.ts';
import { concatenate } from '../../lib/bytes/bytes.ts';
import { StepInflater } from '../../lib/bytes/inflate.ts';
import { unframed } from '../document/envelope.ts';
import { type Checksum, EMPTY_CHECKSUM } from '../document/gzip.ts';
import type { PlannedPart, PlannedSnapshot } from '../manifest/plan.ts';
import type { FeedContext } from './context.ts';
import { type LoadedPart, loadMissing } from './parts.ts';

/** Inflated bytes that are sent at a time, and that a slow reader keeps in memory. */
const CHUNK = 128 * 1024;

/** Milliseconds for which a part that was just built is held uncompressed; after that, only compressed. */
const MAX_PLAIN = 200;

/** The current compressed bytes of a part; `null` if they are lost. */
type Source = () => Promise<Uint8Array | null>;

/** A part's compressed bytes, as one chunk. */
export interface CompressedPart {
  readonly bytes: Uint8Array;
  readonly checksum: Checksum;
  /** The revisions that determine the bytes; `null` if none do. */
  readonly revisions: Revisions | null;
}

/** A part's compressed bytes. */
export async function compressedBytes(
  part: PlannedPart,
  loaded: LoadedPart,
  context: FeedContext,
): Promise<CompressedPart> {
  switch (loaded.from) {
    case 'snapshot': {
      const { crc, length } = loaded.snapshot;
      const { revisions } = part;
      if (loaded.snapshot.bytes === 0) return { bytes: new Uint8Array(0), checksum: EMPTY_CHECKSUM, revisions };
      const bytes = await snapshotSource(loaded, context)();
      loaded.buffer.release();
      if (bytes !== null) return { bytes, checksum: { crc, length }, revisions };
      return compressedBytes(part, await loadMissing(part, context, 'lost'), context);
    }
    case 'other build':
      return { bytes: loaded.piece.deflated, checksum: loaded.piece, revisions: loaded.piece.revisions };
    case 'database': {
      const { piece } = loaded.properties.build();
      return { bytes: piece.deflated, checksum: piece, revisions: piece.revisions };
    }
  }
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
  if (loaded.from === 'database') return yield* builtChunks(loaded.properties);
  if (loaded.from === 'other build') {
    yield* inflatedChunks(async () => loaded.piece.deflated);
    return loaded.piece.revisions;
  }
  if (loaded.snapshot.bytes === 0) return part.revisions;
  const source = snapshotSource(loaded, context);
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
  const loaded = await loadMissing(part, context, 'lost');
  const { piece } = loaded.from === 'other build' ? loaded : loaded.properties.build();
  if (piece.crc !== crc || piece.length !== length) throw new LostSnapshot();
  return async () => piece.deflated;
}

/** A snapshot's bytes: from the shared buffer, or once more from KV if they have been evicted from it. */
function snapshotSource({ buffer }: Extract<LoadedPart, { from: 'snapshot' }>, context: FeedContext): Source {
  const { frame } = context;
  return async () => {
    const feed = await buffer.bytes().catch((error) => {
      context.report(error);
      return null;
    });
    return feed && unframed(feed, frame);
  };
}

async function* builtChunks(
  properties: Extract<LoadedPart, { from: 'database' }>['properties'],
): AsyncGenerator<Uint8Array, Revisions | null> {
  const built = properties.build();
  const timer = built.plain === null ? null : setTimeout(() => built.compact(), MAX_PLAIN);
  try {
    for (let sent = 0, index = 0; sent < built.length; index++) {
      const chunk = built.plain?.[index];
      if (chunk === undefined) {
        yield* inflatedChunks(async () => built.piece.deflated, sent);
        break;
      }
      sent += chunk.length;
      yield chunk;
    }
    return built.revisions;
  } finally {
    if (timer !== null) clearTimeout(timer);
    properties.sent();
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
