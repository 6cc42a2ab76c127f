import { orUnavailable } from '../lib/unavailable.ts';
import { heldBytes } from './held-bytes.ts';

/**
 * Bytes of a part of a multipart upload, which takes at least 5 MiB; and of the buffer that a file
 * begins with.
 */
const PART_BYTES = 8 * 1024 * 1024;
const FIRST_BYTES = 64 * 1024;

/**
 * Stores bytes of unknown length, with at most one part of them in memory.
 *
 * @returns how many they are
 * @throws DependencyUnavailable if R2 fails or too many files are being received, and whatever the chunks throw; then nothing is
 *   stored
 */
export async function storeBytes(
  bucket: R2Bucket,
  accountId: number,
  key: string,
  chunks: AsyncIterable<Uint8Array>,
): Promise<number> {
  const hold = heldBytes(accountId);
  let part = new Uint8Array(0);
  let filled = 0;
  let total = 0;
  let upload: R2MultipartUpload | null = null;
  const parts: R2UploadedPart[] = [];
  const send = async () => {
    upload ??= await orUnavailable('file', bucket.createMultipartUpload(key));
    parts.push(
      await orUnavailable('file', upload.uploadPart(parts.length + 1, part.subarray(0, filled))),
    );
    filled = 0;
    return upload;
  };
  try {
    for await (const chunk of chunks) {
      total += chunk.length;
      for (let start = 0; start < chunk.length; ) {
        const piece = chunk.subarray(start, start + PART_BYTES - filled);
        const needed = roomFor(filled + piece.length, part.length);
        if (needed > part.length) {
          hold(needed);
          const larger = new Uint8Array(needed);
          larger.set(part.subarray(0, filled));
          part = larger;
        }
        part.set(piece, filled);
        filled += piece.length;
        start += piece.length;
        if (filled === PART_BYTES) await send();
      }
    }
    if (total < PART_BYTES) await orUnavailable('file', bucket.put(key, part.subarray(0, filled)));
    else await orUnavailable('file', (filled > 0 ? await send() : upload!).complete(parts));
    return total;
  } catch (error) {
    await (upload as R2MultipartUpload | null)?.abort().catch(() => {});
    throw error;
  } finally {
    hold(0);
  }
}

/**
 * The size of a buffer that has `bytes`: it doubles as they arrive, so that a sender that stops
 * after a byte takes little.
 */
function roomFor(bytes: number, room: number): number {
  if (bytes <= room) return room;
  return Math.min(Math.max(FIRST_BYTES, 2 * room, bytes), PART_BYTES);
}
