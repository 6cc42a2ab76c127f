import { Failure } from '../failure.ts';

/** Bytes that are searched for a byte order mark and an XML declaration. */
const HEAD = 256;

/**
 * The text of a file, decoded according to its byte order mark, else its XML declaration, else as UTF-8 (XML 1.0
 * appendix F). The byte order mark is removed.
 *
 * @throws Failure if the encoding is unknown or the bytes are invalid in it
 */
export async function* decode(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let head: Uint8Array = new Uint8Array(0);
  for await (const chunk of chunks) {
    if (decoder === undefined) {
      head = Buffer.concat([head, chunk]);
      if (head.length < HEAD) continue;
      decoder = decoderFor(head);
      yield text(decoder, head);
    } else {
      yield text(decoder, chunk);
    }
  }
  if (decoder === undefined) {
    decoder = decoderFor(head);
    yield text(decoder, head);
  }
  yield text(decoder);
}

function text(decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch {
    throw new Failure('bad_encoding', `The file is not valid ${decoder.encoding}.`);
  }
}

function decoderFor(head: Uint8Array): TextDecoder {
  const start = Buffer.from(head.subarray(0, 2)).toString('latin1');
  if (start === '\x1f\x8b') throw new Failure('bad_file', 'The file is compressed twice: decompress it first.');
  if (start === 'PK') throw new Failure('bad_file', 'The file is a ZIP archive: extract it first.');
  const label = encodingOf(head);
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: false });
  } catch {
    throw new Failure('bad_encoding', `The file declares the unknown encoding ${label}.`);
  }
}

function encodingOf(head: Uint8Array): string {
  const [first, second, third] = head;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  const start = Buffer.from(head.subarray(0, HEAD)).toString('latin1');
  const label = /^<\?xml\s[^>]*?encoding\s*=\s*["']([^"']+)["']/.exec(start)?.[1] ?? 'utf-8';
  // A declaration that is readable as single bytes cannot be in UTF-16. ASCII is read as UTF-8, where TextDecoder would read
  // it as Windows-1252.
  return /^(us-)?ascii$|^utf-?16|^(iso-10646-)?ucs-?2/i.test(label) ? 'utf-8' : label;
}
