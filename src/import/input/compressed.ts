import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Failure } from '../../cli/command/failure.ts';

/** Maximum size of an inflated file in bytes: larger than any feed, smaller than a disk. */
const MOST_INFLATED = 16 * 1024 ** 3;

/**
 * The bytes of a file, inflated if its first two bytes are those of gzip; its name and headers are ignored.
 *
 * @throws Failure if the file is damaged or inflates to more than the maximum
 */
export async function* inflated(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  let head: Uint8Array = new Uint8Array(0);
  while (head.length < 2) {
    const next = await iterator.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  const all = followedBy(head, iterator);
  if (head[0] !== 0x1f || head[1] !== 0x8b) {
    yield* all;
    return;
  }
  const gunzip = createGunzip();
  const source = Readable.from(all, { objectMode: false });
  source.on('error', (error) => gunzip.destroy(error));
  let length = 0;
  try {
    for await (const chunk of source.pipe(gunzip)) {
      length += chunk.length;
      if (length > MOST_INFLATED) throw new Failure('too_large', 'The file inflates to more than 16 GiB.');
      yield chunk;
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code?.startsWith('Z_')) throw error;
    throw new Failure('bad_file', `The gzipped file is damaged or truncated: ${message}.`);
  } finally {
    source.destroy();
  }
}

async function* followedBy(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
