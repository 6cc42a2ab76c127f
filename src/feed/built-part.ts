import { type DeflatedPiece, deflatePiece } from './gzip.ts';

/** A part that was just built: uncompressed while a reader takes it, and compressed from the first use of that form on. */
export class BuiltPart {
  /** Bytes before compression. */
  readonly length: number;
  #plain: Uint8Array | null;
  #piece: DeflatedPiece | null = null;

  constructor(plain: Uint8Array) {
    this.#plain = plain;
    this.length = plain.length;
  }

  /** `null` once only the compressed form is held. */
  get plain(): Uint8Array | null {
    return this.#plain;
  }

  get piece(): DeflatedPiece {
    this.#piece ??= deflatePiece(this.#plain!);
    return this.#piece;
  }

  /** Holds only the compressed form, a fifth of the memory, from now on. */
  compact(): void {
    this.#piece = this.piece;
    this.#plain = null;
  }
}
