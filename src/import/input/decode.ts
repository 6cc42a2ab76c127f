import { Failure } from '../../cli/command/failure.ts';

/** Bytes that are searched for a byte order mark and an XML declaration. */
const HEAD = 256;

/**
 * The bytes of a file as UTF-8, converted from the encoding of its byte order mark, else of its XML declaration, else
 * UTF-8 (XML 1.0 appendix F). The byte order mark is removed. Bytes that are already in UTF-8 are not checked.
 *
 * @throws Failure if the encoding is unknown or the bytes are invalid in it
 */
export async function* toUtf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let convert: ((bytes?: Uint8Array) => Uint8Array) | undefined;
  let head: Uint8Array = new Uint8Array(0);
  for await (const chunk of chunks) {
    if (convert !== undefined) {
      yield convert(chunk);
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < HEAD) continue;
    convert = converterFor(head);
    yield convert(withoutMark(head));
  }
  if (convert === undefined) {
    convert = converterFor(head);
    yield convert(withoutMark(head));
  }
  yield convert();
}

/**
 * The text of chunks in UTF-8 without a byte order mark.
 *
 * @throws Failure if they are not valid
 */
export async function* textOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = utf8Decoder();
  for await (const chunk of chunks) yield decoded(decoder, chunk);
  yield decoded(decoder);
}

/**
 * The text of the beginning of a file in UTF-8, up to the last complete character.
 *
 * @throws Failure if it is not valid
 */
export function textOfHead(head: Uint8Array): string {
  return decoded(utf8Decoder(), head);
}

/**
 * The text of bytes in UTF-8, so many bytes at a time: parsing slices of one long string would take longer.
 *
 * @throws Failure if they are not valid
 */
export function* textInParts(bytes: Uint8Array, size: number): Generator<string> {
  const decoder = utf8Decoder();
  for (let start = 0; start < bytes.length; start += size) yield decoded(decoder, bytes.subarray(start, start + size));
  yield decoded(decoder);
}

function utf8Decoder(): TextDecoder {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
}

function decoded(decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch {
    throw new Failure('bad_encoding', `The file is not valid ${decoder.encoding}.`);
  }
}

/** Converts chunk by chunk; without a chunk, at the end. */
function converterFor(head: Uint8Array): (bytes?: Uint8Array) => Uint8Array {
  const start = Buffer.from(head.subarray(0, 2)).toString('latin1');
  if (start === '\x1f\x8b') throw new Failure('bad_file', 'The file is compressed twice: decompress it first.');
  if (start === 'PK') throw new Failure('bad_file', 'The file is a ZIP archive: extract it first.');
  const label = encodingOf(head);
  const decoder = decoderFor(label);
  if (decoder.encoding === 'utf-8') return (bytes = new Uint8Array(0)) => bytes;
  return (bytes) => Buffer.from(decoded(decoder, bytes));
}

function decoderFor(label: string): TextDecoder {
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: false });
  } catch {
    throw new Failure('bad_encoding', `The file declares the unknown encoding ${label}.`);
  }
}

/** Without the byte order mark of UTF-8; decoders remove those of other encodings. */
function withoutMark(head: Uint8Array): Uint8Array {
  return hasUtf8Mark(head) ? head.subarray(3) : head;
}

function hasUtf8Mark([first, second, third]: Uint8Array): boolean {
  return first === 0xef && second === 0xbb && third === 0xbf;
}

function encodingOf(head: Uint8Array): string {
  if (hasUtf8Mark(head)) return 'utf-8';
  const [first, second] = head;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  const start = Buffer.from(head.subarray(0, HEAD)).toString('latin1');
  const label = /^<\?xml\s[^>]*?encoding\s*=\s*["']([^"']+)["']/.exec(start)?.[1] ?? 'utf-8';
  // A declaration that is readable as single bytes cannot be in UTF-16. ASCII is read as UTF-8, where TextDecoder would read
  // it as Windows-1252.
  return /^(us-)?ascii$|^utf-?16|^(iso-10646-)?ucs-?2/i.test(label) ? 'utf-8' : label;
}
