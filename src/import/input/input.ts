import { concatenate } from '../../lib/bytes/bytes.ts';
import { ImportError } from '../error.ts';

/** A file to be imported, gzipped or not. It is read at least twice: to validate it, and to write its records. */
export interface Input {
  open(): AsyncGenerator<Uint8Array>;
}

/** The bytes of a file, inflated if its first two bytes are those of gzip; its name and media type are ignored. */
export async function* bytesOf(input: Input): AsyncGenerator<Uint8Array> {
  const { taken, all } = await peek(input.open(), haveLength(2));
  const [first, second] = concatenate(taken);
  yield* first === 0x1f && second === 0x8b ? inflated(all) : all;
}

/** The first items of an iterator until they are enough, and an iterator of all. */
export async function peek<Item>(
  items: AsyncGenerator<Item>,
  areEnough: (taken: readonly Item[]) => boolean,
): Promise<{ readonly taken: readonly Item[]; readonly all: AsyncGenerator<Item> }> {
  const taken: Item[] = [];
  while (!areEnough(taken)) {
    const next = await items.next();
    if (next.done) break;
    taken.push(next.value);
  }
  return { taken, all: followedBy(taken, items) };
}

export const haveLength = (length: number) => (items: readonly { readonly length: number }[]) =>
  items.reduce((sum, item) => sum + item.length, 0) >= length;

async function* followedBy<Item>(taken: readonly Item[], rest: AsyncGenerator<Item>): AsyncGenerator<Item> {
  try {
    yield* taken;
    yield* rest;
  } finally {
    // A reader that stops early closes the file.
    await rest.return(undefined);
  }
}

/** Feeds compress to about a tenth. A file that inflates to more than 250 times its size is a decompression bomb. */
const MAX_RATIO = 250;

const UNCHECKED_BYTES = 16 * 1024 * 1024;

/** Bytes inflated at a time: DecompressionStream may buffer all that they inflate to, at most a thousand times as much. */
const SLICE_BYTES = 4 * 1024;

/**
 * The bytes of a gzipped file. Its slices are written one by one, and what they inflate to is read in between, because
 * workerd's DecompressionStream has no backpressure.
 */
async function* inflated(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new DecompressionStream('gzip');
  const reader: ReadableStreamDefaultReader<Uint8Array> = readable.getReader();
  const writer = writable.getWriter();
  let [compressed, length] = [0, 0];
  let next = handled(reader.read());
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
      next = handled(reader.read());
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
