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
  #text = '';

  write(text: string): void {
    if (this.#text.length + text.length > AT_ONCE) this.#encode();
    this.#text += text;
  }

  /** All that was written. */
  bytes(): Uint8Array {
    this.#encode();
    return concatenate(this.#encoded);
  }

  /** By way of UTF-16: workerd copies it out and transcodes it several times as fast as it encodes strings. */
  #encode(): void {
    const length = this.#text.length * UNIT;
    if (length === 0) return;
    if (length > laidDown.length) laidDown = Buffer.alloc(length);
    laidDown.write(this.#text, 'utf16le');
    this.#encoded.push(transcode(laidDown.subarray(0, length), 'utf16le', 'utf8'));
    this.#text = '';
  }
}
