import { Buffer } from 'node:buffer';
import { message } from '../../messages/messages.ts';
import { ImportError } from '../pipeline/error.ts';
import { haveLength, peek } from './input.ts';

const HEAD_BYTES = 1024;

/** Characters per piece of text, about one record: more elements in memory would outlive a garbage collection. */
const PIECE_LENGTH = 16 * 1024;

/**
 * The text of a file, decoded from the given encoding, else that of its byte order mark, else of its XML declaration, else
 * UTF-8 (XML 1.0 appendix F). The byte order mark is removed.
 */
export async function* textOf(
  bytes: AsyncGenerator<Uint8Array>,
  encoding?: string,
): AsyncGenerator<string> {
  const { taken, all } = await peek(bytes, haveLength(HEAD_BYTES));
  const decoder = decoderFor(encoding ?? encodingOf(Buffer.concat(taken)));
  const pieces = (chunk?: Uint8Array) => {
    try {
      const text = decoder.decode(chunk, { stream: chunk !== undefined });
      const count = Math.ceil(text.length / PIECE_LENGTH);
      return Array.from({ length: count }, (_, at) =>
        text.slice(at * PIECE_LENGTH, (at + 1) * PIECE_LENGTH),
      );
    } catch {
      throw new NotDecodable(decoder.encoding);
    }
  };
  for await (const chunk of all) yield* pieces(chunk);
  yield* pieces();
}

/** The encoding that a file itself states, as {@link textOf} finds it. */
export async function statedEncoding(bytes: AsyncGenerator<Uint8Array>): Promise<string> {
  const { taken } = await peek(bytes, haveLength(HEAD_BYTES));
  await bytes.return(undefined);
  return encodingOf(Buffer.concat(taken));
}

export class NotDecodable extends ImportError {
  readonly encoding: string;

  /** @param line of the first byte that is not valid, if it is known */
  constructor(encoding: string, line?: number) {
    super(
      'bad_encoding',
      line === undefined ? message('not_in_encoding', { encoding }) : message('not_utf8', { line }),
    );
    this.encoding = encoding;
  }
}

/**
 * The line of the first byte that is not valid UTF-8, and what the file can only be: UTF-8, if all characters of several bytes
 * are valid, and Latin-1 throughout, if none is.
 */
export async function examineAsUtf8(bytes: AsyncIterable<Uint8Array>) {
  const decoder = new TextDecoder();
  let hasCharacters = false;
  let isInvalid = false;
  let line = 1;
  for await (const chunk of bytes) {
    const text = decoder.decode(chunk, { stream: true });
    hasCharacters ||= /[^\0-\x7f\ufffd]/.test(text);
    if (isInvalid) continue;
    const at = text.indexOf('\ufffd');
    isInvalid = at >= 0;
    line += text.slice(0, isInvalid ? at : undefined).split('\n').length - 1;
  }
  return { isUtf8: hasCharacters && !isInvalid, isLatin1: !hasCharacters, line };
}

function decoderFor(label: string): TextDecoder {
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: false });
  } catch {
    throw new ImportError('bad_encoding', message('unknown_encoding', { encoding: label }));
  }
}

function encodingOf(head: Uint8Array): string {
  const [first, second] = head;
  const start = new TextDecoder('latin1').decode(head.subarray(0, HEAD_BYTES)).trimStart();
  if (first === 0x1f && second === 0x8b) {
    throw new ImportError('bad_file', message('compressed_twice'));
  }
  if (start.startsWith('PK')) throw new ImportError('bad_file', message('zip_file'));
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  const label = /^<\?xml\s[^>]*?encoding\s*=\s*["']([^"']+)["']/.exec(start)?.[1] ?? 'utf-8';
  // A declaration that is readable as single bytes cannot be in UTF-16. ASCII is read as UTF-8, where TextDecoder would read
  // it as Windows-1252.
  return /^(us-)?ascii$|^utf-?16|^(iso-10646-)?ucs-?2/i.test(label) ? 'utf-8' : label;
}
