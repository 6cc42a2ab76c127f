const encoder = new TextEncoder();

/** UTF-16 units that are encoded at once: a longer text is made whole in memory first, which costs more than it saves. */
const AT_ONCE = 65_536;

/** UTF-8 needs at most this many bytes for a UTF-16 unit. */
const MOST_BYTES = 3;

/** Text in UTF-8, written little by little into one buffer that grows as it must. */
export class Utf8Writer {
  #buffer = new Uint8Array(1_048_576);
  #length = 0;
  #text = '';

  write(text: string): void {
    this.#text += text;
    if (this.#text.length >= AT_ONCE) this.#encode();
  }

  /** All that was written. */
  bytes(): Uint8Array {
    this.#encode();
    return this.#buffer.subarray(0, this.#length);
  }

  #encode(): void {
    const most = this.#length + this.#text.length * MOST_BYTES;
    if (most > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(most, this.#buffer.length * 2));
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
    }
    this.#length += encoder.encodeInto(this.#text, this.#buffer.subarray(this.#length)).written;
    this.#text = '';
  }
}
