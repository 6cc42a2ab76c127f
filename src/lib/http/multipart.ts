import { Buffer } from 'node:buffer';

/** Maximum bytes of the fields and headers before a file. */
const MAX_HEAD_BYTES = 64 * 1024;

/** A body is not `multipart/form-data` (RFC 7578), or ends before its last boundary. */
export class MultipartError extends Error {}

/** A part of a form. */
export interface FormPart {
  readonly name: string;
  /** Empty if no file was chosen; `undefined` for a field. */
  readonly fileName: string | undefined;
  /** Its bytes as they arrive: these fail with a MultipartError if the form is incomplete. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * The parts of a form in their order, none of which is in memory as a whole: each has to be read before the next. Eight files of
 * 30 MB at once would not fit into an isolate with a parser that holds a part, such as `@remix-run/multipart-parser`.
 *
 * @throws MultipartError
 */
export async function* readParts({ body, headers }: Request): AsyncGenerator<FormPart> {
  const [, quoted, plain] =
    /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(headers.get('Content-Type') ?? '') ?? [];
  const boundary = quoted ?? plain;
  if (body === null || boundary === undefined) throw new MultipartError('The form has no boundary');
  const bytes = new Splitter(body);
  const delimiter = `\r\n--${boundary}`;
  await bytes.text(delimiter);
  while (!(await bytes.continuesWith('--'))) {
    const head = await bytes.text('\r\n\r\n');
    const name = parameter(head, 'name');
    if (name === undefined) throw new MultipartError('A part of the form has no name');
    const rest = bytes.upTo(delimiter);
    // Without `return`: a reader that stops early does not end it, and the rest of the part is skipped here.
    const chunks = { [Symbol.asyncIterator]: () => ({ next: () => rest.next() }) };
    yield { name, fileName: parameter(head, 'filename'), chunks };
    while (!(await rest.next()).done);
  }
}

/** The text of a field. @throws MultipartError */
export function fieldText({ chunks }: FormPart): Promise<string> {
  return textOf(chunks);
}

/**
 * Reads a form up to its first file. What follows the file is ignored.
 *
 * @returns the fields before the file, its name, which is empty if none was chosen, and its bytes
 * @throws MultipartError
 */
export async function readUpload(request: Request) {
  const fields = new URLSearchParams();
  const parts = readParts(request);
  for (;;) {
    const { done, value: part } = await parts.next();
    if (done) throw new MultipartError('The form has no file');
    const { name, fileName, chunks } = part;
    if (fileName !== undefined) return { fields, fileName, chunks };
    fields.append(name, await fieldText(part));
  }
}

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > MAX_HEAD_BYTES) throw new MultipartError('A field of the form is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
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
      await this.#more();
    }
  }

  /** Whether a text comes next. */
  async continuesWith(text: string): Promise<boolean> {
    while (this.#rest.length < text.length) await this.#more();
    return this.#rest.subarray(0, text.length).toString() === text;
  }

  text(pattern: string): Promise<string> {
    return textOf(this.upTo(pattern));
  }

  async #more(): Promise<void> {
    const reader = this.#source.getReader();
    const next = await reader.read().catch(() => ({ done: true, value: undefined }) as const);
    reader.releaseLock();
    if (next.done) throw new MultipartError('The form is incomplete');
    this.#rest = Buffer.concat([this.#rest, next.value]);
  }
}
