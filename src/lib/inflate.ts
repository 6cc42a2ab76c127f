import { createInflateRaw } from 'node:zlib';

/** Bytes of compressed input per step: what it inflates to, usually five times as much, is in memory at once. */
const STEP = 16 * 1024;

/** Bytes of zlib's output buffer, which lives as long as the reader. */
const CHUNK = 32 * 1024;

/** Inflates raw deflate (RFC 1951) in bounded steps: the complete output is never in memory. */
export class StepInflater {
  readonly #inflate = createInflateRaw({ chunkSize: CHUNK });
  #output: Uint8Array[] = [];
  #consumed = 0;
  /** Ends the step that is running. */
  #fail: (error: unknown) => void = () => {};

  constructor() {
    this.#inflate.on('data', (chunk: Uint8Array) => this.#output.push(chunk));
    // zlib does not call back a write that fails.
    this.#inflate.on('error', (error) => this.#fail(error));
  }

  /** Bytes of the input that have been inflated. */
  get consumed(): number {
    return this.#consumed;
  }

  /**
   * Inflates the next step of the input.
   *
   * @param deflated the complete input, which may be another copy each time
   * @throws if it is not raw deflate
   */
  async next(deflated: Uint8Array): Promise<Uint8Array[]> {
    const input = deflated.subarray(this.#consumed, this.#consumed + STEP);
    this.#consumed += input.length;
    await new Promise<void>((resolve, reject) => {
      this.#fail = reject;
      this.#inflate.write(input, () => resolve());
    });
    const output = this.#output;
    this.#output = [];
    return output;
  }

  /** Frees zlib's memory. */
  close(): void {
    this.#inflate.destroy();
  }
}
