import { concatenate } from '../lib/bytes.ts';
import { type Frame, frameOf, unframedLength } from './frame.ts';
import { appendChecksum, BROKEN_BLOCK } from './gzip.ts';
import { beginPart, type FeedRequest, finishPart } from './parts.ts';
import type { PlannedPart } from './plan.ts';

/**
 * A feed's bytes, part by part as they are asked for: the next part is being read while one is written, and no part is
 * begun that is more than two ahead.
 *
 * Where a part fails, so does this; what is compressed is first made unreadable, since workerd ends an answer of unknown
 * length that fails as if it were whole (https://github.com/cloudflare/workerd/issues/6818).
 */
export async function* feedChunks(parts: readonly PlannedPart[], request: FeedRequest): AsyncGenerator<Uint8Array> {
  try {
    yield* wholeFeed(parts, request);
  } catch (error) {
    if (request.compressed) yield BROKEN_BLOCK;
    throw error;
  }
}

async function* wholeFeed(parts: readonly PlannedPart[], request: FeedRequest): AsyncGenerator<Uint8Array> {
  const { head, tail, opening, closing, checksum: ofHead } = frameOf(request.parameters.version);
  let checksum = ofHead;
  yield request.compressed ? opening : head;
  let ahead = begin(parts[0], request);
  for (const [index, part] of parts.entries()) {
    const begun = await ahead!;
    ahead = begin(parts[index + 1], request);
    const { bytes, checksum: added } = finishPart(part, begun, request);
    if (bytes.length > 0) yield bytes;
    checksum = appendChecksum(checksum, added);
  }
  yield request.compressed ? closing(checksum) : tail;
}

/** How many bytes a feed has, where every part is kept; else `null`. */
export function feedLength(parts: readonly PlannedPart[], frame: Frame, compressed: boolean): number | null {
  let bytes = compressed ? frame.opening.length + frame.closingLength : frame.head.length + frame.tail.length;
  for (const { kept } of parts) {
    if (kept === null) return null;
    bytes += compressed ? unframedLength(kept.bytes, frame) : kept.length;
  }
  return bytes;
}

/**
 * A body that takes chunks only as its reader pulls, and that breaks off where the chunks fail: what has begun never ends
 * as if it were whole.
 *
 * @param length where it is known it is stated: an answer that falls short of it is broken off on every connection. It may
 * turn out wrong, where a part that was kept has changed and been dropped before its turn came.
 */
export function streamOf(
  chunks: AsyncGenerator<Uint8Array>,
  length: number | null,
  report: (failure: unknown) => void,
): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream<Uint8Array>(
    {
      ...(length === null ? {} : { expectedLength: length }),
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
          sent += value?.length ?? 0;
          if (length !== null && (done ? sent < length : sent > length)) throw new Error('A kept part has changed');
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          report(error);
          // Not the error itself, which may carry a statement with its parameters into the platform's log.
          controller.error(new Error('The feed broke off'));
        }
      },
    },
    { highWaterMark: 0 },
  );
}

/** All chunks as one. */
export async function gather(chunks: AsyncGenerator<Uint8Array>): Promise<Uint8Array> {
  const gathered: Uint8Array[] = [];
  for await (const chunk of chunks) gathered.push(chunk);
  return concatenate(gathered);
}

/** Begins a part where there is one. It may fail before it is awaited, and does so unheard if the reader has gone. */
function begin(part: PlannedPart | undefined, request: FeedRequest): ReturnType<typeof beginPart> | undefined {
  const begun = part === undefined ? undefined : beginPart(part, request);
  begun?.catch(() => {});
  return begun;
}
