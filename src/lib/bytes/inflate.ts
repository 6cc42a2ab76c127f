/** Compressed bytes written at a time: DecompressionStream may buffer all that they inflate to, at most a thousand times as much. */
const SLICE_BYTES = 16 * 1024;

/** The input is damaged, truncated or in another format. */
export class DamagedInput extends Error {}

/**
 * Inflates a gzip member (RFC 1952) or raw deflate (RFC 1951), in chunks of a few KB. Slices are written one by one, and what
 * they inflate to is read in between, because workerd's DecompressionStream has no backpressure.
 *
 * @throws DamagedInput
 */
export async function* inflate(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  format: 'gzip' | 'deflate-raw',
): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new DecompressionStream(format);
  const reader: ReadableStreamDefaultReader<Uint8Array> = readable.getReader();
  const writer = writable.getWriter();
  let next = handled(reader.read());
  /** What becomes available until a write has ended. */
  async function* until(written: Promise<void>): AsyncGenerator<Uint8Array> {
    const ended = handled(written);
    for (;;) {
      const result = await Promise.race([next, ended]);
      if (result === undefined || result.done) return;
      yield result.value;
      next = handled(reader.read());
    }
  }
  try {
    for await (const chunk of chunks) {
      for (let start = 0; start < chunk.length; start += SLICE_BYTES) {
        yield* until(writer.write(chunk.slice(start, start + SLICE_BYTES)));
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
  const named = result.catch((cause) => {
    throw new DamagedInput('The compressed bytes are damaged or truncated', { cause });
  });
  named.catch(() => {});
  return named;
}
