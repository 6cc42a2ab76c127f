import { Failure } from '../failure.ts';
import { decode } from './decode.ts';
import type { KyeroNames } from './kyero/names-table.ts';
import { kyeroSource } from './kyero/source.ts';
import { ndjsonSource } from './ndjson.ts';
import type { Source } from './record.ts';

/**
 * A file to be imported, in the format that its first character tells.
 *
 * @throws Failure where the file is empty, or of no format that is known here
 */
export async function openSource(
  bytes: AsyncIterable<Uint8Array>,
  names: () => Promise<KyeroNames>,
  now: Date,
): Promise<Source> {
  const chunks = decode(bytes)[Symbol.asyncIterator]();
  let head = '';
  while (head.trim() === '') {
    const next = await chunks.next();
    if (next.done) throw new Failure('bad_file', 'The file is empty.');
    head += next.value;
  }
  const text = followedBy(head, chunks);
  switch (head.trimStart()[0]) {
    case '<':
      return kyeroSource(text, await names(), now);
    case '{':
      return ndjsonSource(text);
    default:
      throw new Failure('bad_file', 'The file is neither XML, which begins with <, nor NDJSON, which begins with {.');
  }
}

async function* followedBy(head: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield head;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
