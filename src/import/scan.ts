import { suffixConflict } from '../db/portfolio/conflicts.ts';
import { digest } from '../lib/bytes/digest.ts';
import { documentKey, keyOf, twinsOf } from '../portfolio/documents.ts';
import { bytesOf, type Input } from './input/input.ts';
import { examineInvalidUtf8, NotDecodable } from './input/text.ts';
import {
  type BadRecord,
  isBad,
  type Kind,
  keysOf,
  type ReadingOptions,
  type Source,
  type Summary,
  type ValidRecord,
} from './record.ts';
import type { NumberedRecord, Scanned } from './records.ts';
import type { IgnoredNode, Interpretation } from './results/notes.ts';
import { newRejections, type Rejections, reject } from './results/rejections.ts';
import { openSource } from './source.ts';

/** What a file contains, once it has been read and validated completely; JSON. */
export interface Scan extends Summary, Scanned {
  readonly format: Source['format'];
  /** How many records it has of each kind, rejected ones included. */
  readonly read: Record<Kind, number>;
  /** Its valid records. */
  readonly valid: number;
  readonly rejections: Rejections;
  readonly ignored: readonly IgnoredNode[];
  readonly interpreted: readonly Interpretation[];
}

/** The keys of a file: what it contains, without its contents. */
export interface Keys {
  /** Of its valid documents. */
  readonly documents: Set<string>;
  /** The identifiers of its properties, rejected ones included. */
  readonly ids: ReadonlySet<string>;
  /** The lines of rejected records whose identifier is not known. */
  readonly nameless: readonly number[];
}

/**
 * Reads and validates a complete file. A record that is invalid or conflicts with an earlier one is rejected.
 *
 * @param each called with each valid record, not yet completed
 * @throws ImportError if the file is truncated or invalid
 */
export async function scan(
  input: Input,
  reading: ReadingOptions,
  each: (record: NumberedRecord) => Promise<void> | void = () => {},
): Promise<{ scan: Scan; keys: Keys }> {
  try {
    return await scanAs(input, reading, each);
  } catch (error) {
    if (!(error instanceof NotDecodable) || error.encoding !== 'utf-8') throw error;
    const { isLatin1, line } = await examineInvalidUtf8(bytesOf(input));
    if (!isLatin1 || reading.strict) throw new NotDecodable('UTF-8', `, at line ${line}`);
    const scanned = await scanAs(input, { ...reading, encoding: 'windows-1252' }, each);
    return { ...scanned, scan: { ...scanned.scan, interpreted: [latin1At(line), ...scanned.scan.interpreted] } };
  }
}

function latin1At(line: number): Interpretation {
  return { node: 'encoding', kind: 'latin1', times: 1, lines: [line], example: { text: 'UTF-8', as: 'Latin-1' } };
}

async function scanAs(
  input: Input,
  reading: ReadingOptions,
  each: (record: NumberedRecord) => Promise<void> | void,
): Promise<{ scan: Scan; keys: Keys }> {
  const source = await openSource(input, reading);
  /** Digests of the valid documents, by key. */
  const digests = new Map<string, string>();
  const ids = new Set<string>();
  const units = new Map<string, string>();
  const nameless: number[] = [];
  const rejections = newRejections();
  const skipped: number[] = [];
  const read: Record<Kind, number> = { type: 0, category: 0, feature: 0, development: 0, unit: 0, property: 0 };
  let [number, valid] = [0, 0];
  const skip = (bad: BadRecord | null) => {
    skipped.push(number);
    if (bad !== null) reject(rejections, bad);
  };
  for await (const record of source.records()) {
    number++;
    if (isBad(record)) {
      read[record.kind]++;
      if (record.id === null) nameless.push(record.line);
      else if (record.id !== undefined) ids.add(record.id);
      skip(record);
      continue;
    }
    const { line, document } = record;
    const key = documentKey(document);
    const mayRepeat = source.format !== 'ndjson' && !reading.strict;
    const contents = mayRepeat ? digest(JSON.stringify(document)) : '';
    if (mayRepeat && digests.get(key) === contents) {
      source.notes.interpreted('property', 'repeated', line, key, 'one record');
      skip(null);
      continue;
    }
    read[document.kind]++;
    const problem = problemOf(record, digests, ids, units);
    if (document.kind === 'property') ids.add(document.id);
    if (problem !== null) {
      const id = document.kind === 'property' ? document.id : undefined;
      skip({ line, kind: document.kind, id, problems: [problem] });
      continue;
    }
    for (const each of keysOf(record)) digests.set(each, '');
    digests.set(key, contents);
    if (document.kind === 'property' && document.unit) units.set(unitKey(document.unit), document.id);
    valid++;
    await each({ ...record, number });
  }
  const { ignoredNodes: ignored, interpretations: interpreted } = source.notes;
  return {
    scan: {
      ...source.summary(),
      ...{ format: source.format, reading, read, valid, rejections, skipped, ignored, interpreted },
    },
    keys: { documents: new Set(digests.keys()), ids, nameless },
  };
}

/** Why a record conflicts with earlier ones. */
function problemOf(
  { document }: ValidRecord,
  keys: ReadonlyMap<string, unknown>,
  ids: ReadonlySet<string>,
  units: ReadonlyMap<string, string>,
): { field: string; detail: string } | null {
  const isProperty = document.kind === 'property';
  if (keys.has(documentKey(document))) {
    return { field: isProperty ? 'id' : '', detail: 'duplicates the id of an earlier, different record' };
  }
  if (!isProperty) return null;
  const other = twinsOf(document.id).find((twin) => ids.has(twin));
  if (other !== undefined) return { field: 'id', detail: suffixConflict(other) };
  const occupant = document.unit && units.get(unitKey(document.unit));
  return occupant ? { field: 'unit', detail: `is already assigned to property ${occupant}` } : null;
}

function unitKey({ development, name }: { development: string; name: string }): string {
  return keyOf('unit', development, name);
}
