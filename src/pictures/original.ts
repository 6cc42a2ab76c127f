import { storeBytes } from '../http/store-bytes.ts';
import { orUnavailable } from '../lib/unavailable.ts';
import { JpegError, type JpegFacts, withoutMetadata } from './jpeg.ts';
import { PictureRefused } from './refused.ts';

/** The maximum size of a file as it is sent. */
export const MAX_PICTURE_BYTES = 30_000_000;

/** What the Images binding takes (https://developers.cloudflare.com/images/get-started/limits/). */
const MAX_PIXELS = 100_000_000;
const MAX_SIDE = 12_000;

/** The formats that are taken, by how their files begin. */
export type Format = 'jpeg' | 'png' | 'webp' | 'heic';

/** Bytes by which a format is recognised. */
const HEAD_BYTES = 32;

/** HEIF's brands of pictures that are compressed by HEVC (ISO/IEC 23008-12). */
const HEIC = /^ftyp(?:.{4})*?(?:heic|heix|heim|heis|hevc|mif1|msf1)/s;

/** The format of a file that begins like this; `null` for any other. */
export function formatOf(head: Uint8Array): Format | null {
  const text = String.fromCharCode(...head.subarray(0, HEAD_BYTES));
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'webp';
  return HEIC.test(text.slice(4)) && !text.slice(8, 12).startsWith('avi') ? 'heic' : null;
}

/** What is known of a file once it is stored. */
export interface Original {
  readonly key: string;
  readonly format: Format;
  /** Of a JPEG. */
  readonly facts: JpegFacts;
}

/** @throws PictureRefused if a picture has too many pixels, such as a file that is small but would fill the memory */
export function checkSize({ width, height }: { readonly width: number; readonly height: number }) {
  if (width * height > MAX_PIXELS || Math.max(width, height) > MAX_SIDE)
    throw new PictureRefused('picture_too_many_pixels');
}

/**
 * Stores a file as it is sent, while it is checked: nothing but the current piece is in memory.
 *
 * @param length of the file, if it is known
 * @throws PictureRefused, DependencyUnavailable, and what the chunks throw; then nothing is stored
 */
export async function storeOriginal(
  bucket: R2Bucket,
  accountId: number,
  key: string,
  chunks: AsyncIterable<Uint8Array>,
  length: number | undefined,
): Promise<Original> {
  if ((length ?? 0) > MAX_PICTURE_BYTES) throw new PictureRefused('picture_too_large');
  const stream = length === undefined ? new TransformStream() : new FixedLengthStream(length);
  const storing =
    length === undefined
      ? storeBytes(bucket, accountId, key, stream.readable)
      : orUnavailable('picture', bucket.put(key, stream.readable));
  const writer = stream.writable.getWriter();
  // Whichever fails first, the file or the bucket, ends the other.
  let first: { readonly error: unknown } | undefined;
  const fail = async (error: unknown) => {
    first ??= { error };
    await writer.abort(error).catch(() => {});
  };
  const stored = storing.catch(fail);
  try {
    const checked = await check(written(chunks, writer, length));
    await writer.close();
    await stored;
    if (first !== undefined) throw first.error;
    return { key, ...checked };
  } catch (error) {
    await fail(error);
    await stored;
    // The bucket may have all of it, even if it says otherwise: a file may be refused for its last bytes.
    await bucket.delete(key).catch(() => {});
    throw first!.error;
  }
}

/** The chunks of a file, each of which has been written when it is given. */
async function* written(
  chunks: AsyncIterable<Uint8Array>,
  writer: WritableStreamDefaultWriter<Uint8Array>,
  length = Number.NaN,
): AsyncGenerator<Uint8Array> {
  let total = 0;
  for await (const chunk of chunks) {
    total += chunk.length;
    if (total > MAX_PICTURE_BYTES) throw new PictureRefused('picture_too_large');
    if (total > length) throw new PictureRefused('picture_damaged');
    await writer.write(chunk);
    yield chunk;
  }
  if (total < length) throw new PictureRefused('picture_damaged');
}

/** Reads a file to its end. @throws PictureRefused if it is no picture, or no complete one */
async function check(chunks: AsyncGenerator<Uint8Array>): Promise<Omit<Original, 'key'>> {
  const facts: JpegFacts = { width: 0, height: 0, orientation: 1 };
  let head: Uint8Array = new Uint8Array(0);
  while (head.length < HEAD_BYTES) {
    const { done, value } = await chunks.next();
    if (done) break;
    head = joined(head, value);
  }
  const format = formatOf(head);
  if (format === null) throw new PictureRefused('picture_format');
  const all = followedBy(head, chunks);
  if (format === 'jpeg') {
    try {
      for await (const _ of withoutMetadata(all, facts)) checkSize(facts);
    } catch (error) {
      throw error instanceof JpegError ? new PictureRefused('picture_damaged') : error;
    }
  }
  let tail: Uint8Array = head;
  let total = head.length;
  for await (const chunk of format === 'jpeg' ? all : chunks) {
    tail = joined(tail, chunk).slice(-TAIL_BYTES);
    total += chunk.length;
  }
  if (!isComplete(format, head, tail.subarray(-TAIL_BYTES), total))
    throw new PictureRefused('picture_damaged');
  return { format, facts };
}

const TAIL_BYTES = 12;

/** Whether a file ends as its format says; HEIF has no end, and a JPEG has been read to its own. */
function isComplete(format: Format, head: Uint8Array, tail: Uint8Array, total: number): boolean {
  if (format === 'png') return String.fromCharCode(...tail.subarray(4, 8)) === 'IEND';
  if (format !== 'webp') return true;
  return new DataView(head.buffer, head.byteOffset).getUint32(4, true) + 8 <= total;
}

async function* followedBy(
  head: Uint8Array,
  chunks: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield head;
  // Not `yield*`: whoever reads a JPEG stops at its end, and the rest is still to be written.
  for (;;) {
    const { done, value } = await chunks.next();
    if (done) return;
    yield value;
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
