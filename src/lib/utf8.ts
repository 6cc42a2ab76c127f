import { Buffer, transcode } from 'node:buffer';
import { concatenate } from './bytes.ts';

/** UTF-16 units that are encoded at once: a longer text is made whole in memory first, which costs more than it saves. */
const AT_ONCE = 262_144;

/** Bytes of a UTF-16 unit. */
const UNIT = 2;

/** Where text is laid down as UTF-16 on its way; it grows for a single text that is longer than what is encoded at once. */
let laidDown = Buffer.alloc(AT_ONCE * UNIT);

/** Well-formed text in UTF-8, written little by little. */
export class Utf8Writer {
  readonly #encoded: Uint8Array[] = [];
  #texts: string[] = [];
  #length = 0;

  write(text: string): void {
    if (this.#length + text.length > AT_ONCE) this.#encode();
    this.#texts.push(text);
    this.#length += text.length;
  }

  /** All that was written. */
  bytes(): Uint8Array {
    this.#encode();
    return concatenate(this.#encoded);
  }

  /**
   * By way of UTF-16: workerd copies it out and transcodes it several times as fast as it encodes strings. The texts are
   * joined, not added up: what is copied out is then one run of characters, and no tree of thousands of strings.
   */
  #encode(): void {
    const length = this.#length * UNIT;
    if (length === 0) return;
    if (length > laidDown.length) laidDown = Buffer.alloc(length);
    laidDown.write(this.#texts.join(''), 'utf16le');
    this.#encoded.push(transcode(laidDown.subarray(0, length), 'utf16le', 'utf8'));
    this.#texts = [];
    this.#length = 0;
  }
}
