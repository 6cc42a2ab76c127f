import { Buffer } from 'node:buffer';

/** Maximum bytes of the fields and headers before a file. */
const MAX_HEAD_BYTES = 64 * 1024;

/** A body is not `multipart/form-data` (RFC 7578), or ends before its last boundary. */
export class MultipartError extends Error {}

/**
 * Reads a form up to its first file, which is never in memory as a whole. What follows the file is ignored.
 *
 * @returns the fields before the file, its name, which is empty if none was chosen, and its bytes as they arrive: these fail
 * with a MultipartError if the form is incomplete
 */
export async function readUpload({ body, headers }: Request) {
  const [, quoted, plain] =
    /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(headers.get('Content-Type') ?? '') ?? [];
  const boundary = quoted ?? plain;
  if (body === null || boundary === undefined) throw new MultipartError('The form has no boundary');
  const bytes = new Splitter(body);
  const delimiter = `\r\n--${boundary}`;
  const fields = new URLSearchParams();
  await bytes.text(delimiter);
  for (;;) {
    const head = await bytes.text('\r\n\r\n');
    const name = parameter(head, 'name');
    if (name === undefined) throw new MultipartError('A part of the form has no name');
    const fileName = parameter(head, 'filename');
    if (fileName !== undefined) return { fields, fileName, chunks: bytes.upTo(delimiter) };
    fields.append(name, await bytes.text(delimiter));
  }
}

/** A parameter of the disposition of a part. */
function parameter(head: string, name: string): string | undefined {
  return new RegExp(`^content-disposition:.*;\\s*${name}="([^"]*)"`, 'im').exec(head)?.[1];
}

/** The bytes of a stream, split at patterns, which may be in several chunks. What is not read can still be discarded. */
class Splitter {
  readonly #source: ReadableStream<Uint8Array>;
  /** A boundary begins with a line break, except the first one. */
  #rest = Buffer.from('\r\n');

  constructor(source: ReadableStream<Uint8Array>) {
    this.#source = source;
  }

  /** What comes before the next occurrence of a pattern; the pattern is skipped. */
  async *upTo(pattern: string): AsyncGenerator<Uint8Array> {
    for (;;) {
      const at = this.#rest.indexOf(pattern);
      const certain = at >= 0 ? at : Math.max(0, this.#rest.length - pattern.length);
      if (certain > 0) yield this.#rest.subarray(0, certain);
      this.#rest = this.#rest.subarray(at >= 0 ? at + pattern.length : certain);
      if (at >= 0) return;
      const reader = this.#source.getReader();
      const next = await reader.read().catch(() => ({ done: true, value: undefined }) as const);
      reader.releaseLock();
      if (next.done) throw new MultipartError('The form is incomplete');
      this.#rest = Buffer.concat([this.#rest, next.value]);
    }
  }

  async text(pattern: string): Promise<string> {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of this.upTo(pattern)) {
      length += chunk.length;
      if (length > MAX_HEAD_BYTES) throw new MultipartError('A field of the form is too long');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString();
  }
}
