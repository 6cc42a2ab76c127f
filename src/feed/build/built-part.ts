import type { Revisions } from '../../db/feed/feed-properties.ts';
import { concatenate } from '../../lib/bytes/bytes.ts';
import { type DeflatedPiece, deflatePiece } from '../document/gzip.ts';
import type { WrittenRecords } from '../formats/format.ts';

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
  readonly revisions: Revisions | null;
  /** Records of the feed in it. */
  readonly records: number;
  #plain: readonly Uint8Array[] | null;
  #piece: BuiltPiece | null;
  readonly #onCompact: () => void;

  /**
   * @param source the part itself, or its compressed form if the other one was never in memory as a whole
   * @param onCompact called when the uncompressed form is no longer in memory
   */
  constructor(
    source: WrittenRecords | DeflatedPiece,
    records: number,
    revisions: Revisions | null,
    onCompact: () => void,
  ) {
    this.revisions = revisions;
    this.records = records;
    this.#onCompact = onCompact;
    if ('chunks' in source) {
      this.length = source.chunks.reduce((length, chunk) => length + chunk.length, 0);
      this.#plain = source.chunks;
      this.#piece = null;
    } else {
      this.length = source.length;
      this.#plain = null;
      this.#piece = { ...source, records, revisions };
      onCompact();
    }
  }

  /** The uncompressed form in chunks; `null` once only the compressed form is in memory. */
  get plain(): readonly Uint8Array[] | null {
    return this.#plain;
  }

  get piece(): BuiltPiece {
    this.#piece ??= {
      ...deflatePiece(concatenate(this.#plain!)),
      records: this.records,
      revisions: this.revisions,
    };
    return this.#piece;
  }

  /** Releases the uncompressed form; the compressed one takes a fifth of the memory. */
  compact(): void {
    this.#piece = this.piece;
    this.#plain = null;
    this.#onCompact();
  }
}
