import { Buffer, transcode } from 'node:buffer';

/** UTF-16 code units encoded at a time; joining more of them first costs more than it saves. */
const BATCH = 262_144;

/** Holds text as UTF-16, two bytes per code unit, before transcoding; grows if a single text is longer than a batch. */
let scratch = Buffer.alloc(BATCH * 2);

/** Encodes well-formed text as UTF-8 incrementally. */
export class Utf8Writer {
  readonly #encoded: Uint8Array[] = [];
  #texts: string[] = [];
  #length = 0;

  write(text: string): void {
    if (this.#length + text.length > BATCH) this.#encode();
    this.#texts.push(text);
    this.#length += text.length;
  }

  /** Everything written so far, in order: chunks of about 256 KB, larger only if a single text is. */
  chunks(): readonly Uint8Array[] {
    this.#encode();
    return this.#encoded;
  }

  /**
   * Through UTF-16: workerd transcodes it several times faster than it encodes strings. Joining the texts gives one flat
   * string to copy; concatenating them would give a tree of thousands.
   */
  #encode(): void {
    const length = this.#length * 2;
    if (length === 0) return;
    if (length > scratch.length) scratch = Buffer.alloc(length);
    scratch.write(this.#texts.join(''), 'utf16le');
    this.#encoded.push(transcode(scratch.subarray(0, length), 'utf16le', 'utf8'));
    this.#texts = [];
    this.#length = 0;
  }
}
