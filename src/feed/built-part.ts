import type { Revisions } from '../db/feed-properties.ts';
import { type DeflatedPiece, deflatePiece } from './gzip.ts';

/** A built part, as readers and the cache need it. */
export interface BuiltPiece extends DeflatedPiece {
  /** Records of the feed in it. */
  readonly records: number;
  /** The revisions that determine its bytes; `null` if a change came between the statements that read it. */
  readonly revisions: Revisions | null;
}

/** A part that was just built: uncompressed for its reader, and compressed once that form is first used. */
export class BuiltPart {
  /** Bytes before compression. */
  readonly length: number;
  #plain: Uint8Array | null;
  #piece: BuiltPiece | null = null;

  readonly #facts: Pick<BuiltPiece, 'records' | 'revisions'>;

  constructor(plain: Uint8Array, facts: Pick<BuiltPiece, 'records' | 'revisions'>) {
    this.#facts = facts;
    this.#plain = plain;
    this.length = plain.length;
  }

  /** `null` once only the compressed form is in memory. */
  get plain(): Uint8Array | null {
    return this.#plain;
  }

  get records(): number {
    return this.#facts.records;
  }

  get revisions(): Revisions | null {
    return this.#facts.revisions;
  }

  get piece(): BuiltPiece {
    this.#piece ??= { ...deflatePiece(this.#plain!), ...this.#facts };
    return this.#piece;
  }

  /** Releases the uncompressed form; the compressed one takes a fifth of the memory. */
  compact(): void {
    this.#piece = this.piece;
    this.#plain = null;
  }
}
