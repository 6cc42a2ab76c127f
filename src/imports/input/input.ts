import { Buffer } from 'node:buffer';
import { DamagedInput, inflate } from '../../lib/bytes/inflate.ts';
import { followedBy } from '../../lib/followed-by.ts';
import { message } from '../../messages/messages.ts';
import { ImportError } from '../pipeline/error.ts';

/** A file to be imported, gzipped or not. It is opened again if it is in another encoding than it states. */
export interface Input {
  open(): AsyncGenerator<Uint8Array>;
}

/** The bytes of a file, inflated if its first two bytes are those of gzip; its name and media type are ignored. */
export async function* bytesOf(input: Input): AsyncGenerator<Uint8Array> {
  const { taken, all } = await peek(input.open(), haveLength(2));
  const [first, second] = Buffer.concat(taken);
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
  return { taken, all: followedBy([...taken], items) };
}

export const haveLength = (length: number) => (items: readonly { readonly length: number }[]) =>
  items.reduce((sum, item) => sum + item.length, 0) >= length;

/** Feeds compress to about a tenth. A file that inflates to more than 250 times its size is a decompression bomb. */
const MAX_RATIO = 250;

const UNCHECKED_BYTES = 16 * 1024 * 1024;

async function* inflated(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let compressed = 0;
  let length = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      compressed += chunk.length;
      yield chunk;
    }
  }
  try {
    for await (const chunk of inflate(counted(), 'gzip')) {
      length += chunk.length;
      if (length > UNCHECKED_BYTES && length > compressed * MAX_RATIO) {
        throw new ImportError('too_large', message('inflates_too_much', { times: MAX_RATIO }));
      }
      yield chunk;
    }
  } catch (error) {
    if (!(error instanceof DamagedInput)) throw error;
    throw new ImportError('bad_file', message('damaged_gzip'));
  }
}
