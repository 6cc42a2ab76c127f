import { ImportError } from '../error.ts';

/** Feeds compress to about a tenth. A file that inflates to more than 250 times its size is a decompression bomb. */
const MAX_RATIO = 250;

/** Bytes up to which the ratio is not checked. */
const UNCHECKED_BYTES = 16 * 1024 * 1024;

/** Bytes inflated at a time: DecompressionStream may buffer all that they inflate to, at most a thousand times as much. */
const SLICE_BYTES = 4 * 1024;

/**
 * The bytes of a gzipped file. Its slices are written one by one, and what they inflate to is read in between, because
 * workerd's DecompressionStream has no backpressure.
 *
 * @throws ImportError if the file is damaged, truncated, or inflates to more than 250 times its size
 */
export async function* inflated(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new DecompressionStream('gzip');
  const reader: ReadableStreamDefaultReader<Uint8Array> = readable.getReader();
  const writer = writable.getWriter();
  const read = () => handled(reader.read());
  let [compressed, length] = [0, 0];
  let next = read();
  /** What becomes available until a write has ended. */
  async function* until(written: Promise<void>): AsyncGenerator<Uint8Array> {
    const ended = handled(written);
    for (;;) {
      const result = await Promise.race([next, ended]);
      if (result === undefined || result.done) return;
      length += result.value.length;
      if (length > UNCHECKED_BYTES && length > compressed * MAX_RATIO) {
        throw new ImportError('too_large', `The gzipped file inflates to more than ${MAX_RATIO} times its size.`);
      }
      yield result.value;
      next = read();
    }
  }
  try {
    for await (const chunk of chunks) {
      for (let start = 0; start < chunk.length; start += SLICE_BYTES) {
        const slice = chunk.slice(start, start + SLICE_BYTES);
        compressed += slice.length;
        yield* until(writer.write(slice));
      }
    }
    const closed = handled(writer.close());
    yield* until(new Promise(() => {}));
    await closed;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** A result of the decompression; it may be awaited late. */
function handled<Value>(result: Promise<Value>): Promise<Value> {
  const named = result.catch(() => {
    throw new ImportError('bad_file', 'The gzipped file is damaged or truncated.');
  });
  named.catch(() => {});
  return named;
}
