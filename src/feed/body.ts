import { concatenate } from '../lib/bytes.ts';
import { type Frame, frameOf, unframedLength } from './frame.ts';
import { appendChecksum, BROKEN_BLOCK } from './gzip.ts';
import { compressedBytes, plainChunks } from './part-bytes.ts';
import { PartLoader } from './part-loader.ts';
import type { FeedContext } from './parts.ts';
import type { PlannedPart } from './plan.ts';

/**
 * A feed's bytes, part by part as they are requested, while the parts to come are being loaded.
 *
 * If a part fails, so does this. A compressed feed is made invalid first, since workerd ends a response of unknown length
 * that fails as if it were complete (https://github.com/cloudflare/workerd/issues/6818).
 */
export async function* feedChunks(parts: readonly PlannedPart[], context: FeedContext): AsyncGenerator<Uint8Array> {
  try {
    yield* completeFeed(parts, context);
  } catch (error) {
    if (context.compressed) yield BROKEN_BLOCK;
    throw error;
  }
}

async function* completeFeed(parts: readonly PlannedPart[], context: FeedContext): AsyncGenerator<Uint8Array> {
  const { head, tail, opening, closing, checksum: headChecksum } = frameOf(context.parameters.version);
  const loader = new PartLoader(parts, context);
  try {
    if (!context.compressed) {
      yield head;
      for (const [index, part] of parts.entries()) yield* plainChunks(part, await loader.take(index), context);
      yield tail;
      return;
    }
    let checksum = headChecksum;
    yield opening;
    for (const [index, part] of parts.entries()) {
      const { bytes, checksum: added } = await compressedBytes(part, await loader.take(index), context);
      if (bytes.length > 0) yield bytes;
      checksum = appendChecksum(checksum, added);
    }
    yield closing(checksum);
  } finally {
    loader.close();
  }
}

/** The length of a feed in bytes; `null` unless every part is cached. */
export function feedLength(parts: readonly PlannedPart[], frame: Frame, compressed: boolean): number | null {
  let bytes = compressed ? frame.opening.length + frame.closingLength : frame.head.length + frame.tail.length;
  for (const { snapshot } of parts) {
    if (snapshot === null) return null;
    bytes += compressed ? unframedLength(snapshot.bytes, frame) : snapshot.length;
  }
  return bytes;
}

/**
 * A body that takes chunks only as its reader pulls, and that fails if they do: a feed never ends as if it were complete
 * unless it is.
 *
 * @param length stated to the reader where it is known: a response that falls short of it aborts every kind of connection.
 * It may turn out wrong if a cached part changes and is evicted before its turn comes.
 */
export function streamOf(
  chunks: AsyncGenerator<Uint8Array>,
  length: number | null,
  report: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream<Uint8Array>(
    {
      ...(length === null ? {} : { expectedLength: length }),
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
          sent += value?.length ?? 0;
          if (length !== null && (done ? sent < length : sent > length)) throw new Error('A cached part has changed');
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          report(error);
          // Not the error itself: it may contain a statement with its parameters, which the platform would log.
          controller.error(new Error('The feed was aborted'));
        }
      },
    },
    { highWaterMark: 0 },
  );
}

/** All chunks as one. */
export async function collect(chunks: AsyncGenerator<Uint8Array>): Promise<Uint8Array> {
  const collected: Uint8Array[] = [];
  for await (const chunk of chunks) collected.push(chunk);
  return concatenate(collected);
}
