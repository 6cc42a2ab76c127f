import { inflated } from './inflate.ts';

/** A file to be imported, gzipped or not. It is read at least twice: to validate it, and to write its records. */
export interface Input {
  /** Opens it at its beginning. */
  open(): ReadableStream<Uint8Array> | Promise<ReadableStream<Uint8Array>>;
}

/** The bytes of a file, inflated if its first two bytes are those of gzip; its name and media type are ignored. */
export async function* bytesOf(input: Input): AsyncGenerator<Uint8Array> {
  const stream = await input.open();
  const { first, rest } = await peek(chunksOf(stream), 2);
  if (first[0] === 0x1f && first[1] === 0x8b) yield* inflated(rest);
  else yield* rest;
}

/**
 * At least `length` bytes of the beginning, unless there are fewer, and all chunks including those bytes.
 *
 * @param chunks can be read once
 */
export async function peek(
  chunks: AsyncGenerator<Uint8Array>,
  length: number,
): Promise<{ readonly first: Uint8Array; readonly rest: AsyncGenerator<Uint8Array> }> {
  let first: Uint8Array = new Uint8Array(0);
  while (first.length < length) {
    const next = await chunks.next();
    if (next.done) break;
    const joined = new Uint8Array(first.length + next.value.length);
    joined.set(first);
    joined.set(next.value, first.length);
    first = joined;
  }
  return { first, rest: followedBy(first.length === 0 ? [] : [first], chunks) };
}

/** Items that were taken from a generator, and then its further ones. */
export async function* followedBy<Item>(taken: readonly Item[], rest: AsyncGenerator<Item>): AsyncGenerator<Item> {
  try {
    yield* taken;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    // A reader that stops early closes the file.
    await reader.cancel();
  }
}
