import { type FoundInSection, type KyeroOptions, KyeroReader } from '../kyero/reader.ts';
import { type BadRecord, isBad, type RecordKey, serialized } from '../record.ts';
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
 * @param document the section as a complete document: with a root, in UTF-8
 * @throws Failure if it is not well-formed, or of another version
 */
export function readSection(document: Uint8Array, options: KyeroOptions): ReadSection {
  const reader = new KyeroReader(options);
  const records: (ValidInSection | BadRecord)[] = [];
  const parts: Uint8Array[] = [];
  const elements = elementsOf(document);
  let next = elements.next();
  for (; !next.done; next = elements.next()) {
    const record = reader.read(next.value);
    if (record === undefined) continue;
    if (isBad(record)) {
      records.push(record);
      continue;
    }
    const { line, key, bytes } = serialized(record);
    parts.push(bytes);
    records.push({ line, key, length: bytes.length });
  }
  return { records, bytes: joined(parts), found: reader.found(), lines: next.value };
}

/** In a buffer of their own, which can be transferred to another thread. */
function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let length = 0;
  for (const part of parts) {
    all.set(part, length);
    length += part.length;
  }
  return all;
}
