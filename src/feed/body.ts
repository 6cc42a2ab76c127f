import { DOCUMENT_TAIL, documentHead } from './document.ts';
import {
  appendChecksum,
  BROKEN_BLOCK,
  deflateStretch,
  EMPTY_CHECKSUM,
  GZIP_HEADER,
  GZIP_OVERHEAD,
  gzipTrailer,
  type Stretch,
} from './gzip.ts';
import type { FeedVersion } from './parameters.ts';
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
  const { head, tail } = frameOf(request.parameters.version);
  let checksum = EMPTY_CHECKSUM;
  const open = request.compressed ? [GZIP_HEADER, head.deflated] : [head.plain];
  yield concatenate(open);
  checksum = appendChecksum(checksum, head);
  let ahead = begin(parts[0], request);
  for (const [index, part] of parts.entries()) {
    const begun = await ahead!;
    ahead = begin(parts[index + 1], request);
    const { bytes, checksum: added } = finishPart(part, begun, request);
    if (bytes.length > 0) yield bytes;
    checksum = appendChecksum(checksum, added);
  }
  checksum = appendChecksum(checksum, tail);
  yield request.compressed ? concatenate([tail.deflated, gzipTrailer(checksum)]) : tail.plain;
}

/** How many bytes a feed has, where every part is kept; else `null`. */
export function feedLength(parts: readonly PlannedPart[], version: FeedVersion, compressed: boolean): number | null {
  const { head, tail } = frameOf(version);
  let bytes = compressed ? GZIP_OVERHEAD + head.deflated.length + tail.deflated.length : head.length + tail.length;
  for (const { kept } of parts) {
    if (kept === null) return null;
    bytes += compressed ? kept.bytes : kept.length;
  }
  return bytes;
}

/**
 * A body that takes chunks only as its reader pulls, and that breaks off where the chunks fail: what has begun never ends
 * as if it were whole.
 */
export function streamOf(
  chunks: AsyncGenerator<Uint8Array>,
  report: (failure: unknown) => void,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
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

/** Such a body whose length is known, and stated: an answer that falls short of it is broken off on every connection. */
export function streamOfLength(
  length: number,
  stream: ReadableStream<Uint8Array>,
  background: (task: () => Promise<void>) => void,
): ReadableStream<Uint8Array> {
  const { readable, writable } = new FixedLengthStream(length);
  // The stream's own failures are reported where they happen; a reader that hangs up is none.
  background(() => stream.pipeTo(writable).catch(() => {}));
  return readable;
}

/** All chunks as one. */
export async function gather(chunks: AsyncGenerator<Uint8Array>): Promise<Uint8Array> {
  const gathered: Uint8Array[] = [];
  for await (const chunk of chunks) gathered.push(chunk);
  return concatenate(gathered);
}

/** What stands around the parts, plain and deflated. */
interface Frame {
  readonly head: Stretch & { readonly plain: Uint8Array };
  readonly tail: Stretch & { readonly plain: Uint8Array };
}

const frames = new Map<FeedVersion, Frame>();

function frameOf(version: FeedVersion): Frame {
  const known = frames.get(version);
  if (known !== undefined) return known;
  const [head, tail] = [documentHead(version), DOCUMENT_TAIL].map((text) => {
    const plain = new TextEncoder().encode(text);
    return { plain, ...deflateStretch(plain) };
  });
  const frame = { head: head!, tail: tail! };
  frames.set(version, frame);
  return frame;
}

/** Begins a part where there is one. It may fail before it is awaited, and does so unheard if the reader has gone. */
function begin(part: PlannedPart | undefined, request: FeedRequest): ReturnType<typeof beginPart> | undefined {
  const begun = part === undefined ? undefined : beginPart(part, request);
  begun?.catch(() => {});
  return begun;
}

function concatenate(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}
