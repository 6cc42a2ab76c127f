import { type FoundInSection, type KyeroOptions, KyeroReader } from '../kyero/reader.ts';
import { type BadRecord, isBad, type RecordKey, recordKey, serializedText } from '../record.ts';
import { elementsOf } from '../xml/elements.ts';

/** A section of a Kyero feed as it was read by another thread; lines count from its first, from 1. */
export interface ReadSection {
  readonly records: readonly (ValidInSection | BadRecord)[];
  /** The serialized valid records, one after the other. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly found: FoundInSection;
  /** How many lines end in it. */
  readonly lines: number;
}

/** A valid record: where it begins, what identifies it, and how many of the bytes are its own. */
interface ValidInSection {
  readonly line: number;
  readonly key: RecordKey;
  readonly length: number;
}

/**
 * Reads a section of a Kyero feed.
 *
 * @param document the section as a complete document: with a root
 * @throws Failure if it is not well-formed, or of another version
 */
export function readSection(document: string, options: KyeroOptions): ReadSection {
  const reader = new KyeroReader(options);
  const records: (ValidInSection | BadRecord)[] = [];
  const written = new WrittenBytes(document.length);
  const elements = elementsOf(document);
  let next = elements.next();
  for (; !next.done; next = elements.next()) {
    const record = reader.read(next.value);
    if (record === undefined) continue;
    if (isBad(record)) {
      records.push(record);
      continue;
    }
    const length = written.write(serializedText(record));
    records.push({ line: record.line, key: recordKey(record.document), length });
  }
  return { records, bytes: written.bytes(), found: reader.found(), lines: next.value };
}

/** Text as UTF-8, one after the other in one buffer: a buffer for each would cost more than the encoding. */
class WrittenBytes {
  #buffer: Buffer;
  #length = 0;

  /** @param expected how many bytes will probably be written */
  constructor(expected: number) {
    this.#buffer = Buffer.allocUnsafeSlow(expected);
  }

  /** Returns the number of bytes written. */
  write(text: string): number {
    // A UTF-16 code unit takes at most three bytes.
    if (this.#length + text.length * 3 > this.#buffer.length) this.#grow(text.length * 3);
    const length = this.#buffer.write(text, this.#length);
    this.#length += length;
    return length;
  }

  /** All of them, with a buffer of their own, which can be transferred to another thread. */
  bytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#buffer.subarray(0, this.#length));
  }

  #grow(more: number): void {
    const larger = Buffer.allocUnsafeSlow(this.#buffer.length * 2 + more);
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}
