import { suffixConflict } from '../db/portfolio/conflicts.ts';
import { sha256Hex } from '../lib/secrets/secrets.ts';
import { documentKey, keyOf, twinsOf } from '../portfolio/documents.ts';
import { bytesOf, type Input } from './input/input.ts';
import { examineInvalidUtf8, NotDecodable } from './input/text.ts';
import { type IgnoredNode, type Interpretation, type Rejections, reject } from './notes.ts';
import { type BadRecord, isBad, type Kind, type ReadingOptions, type Source, type Summary } from './record.ts';
import { type NumberedRecord, openSource, type Scanned } from './records.ts';

/** What a file contains, once it has been read and validated completely; JSON. */
export interface Scan extends Summary, Scanned {
  readonly format: Source['format'];
  /** How many records it has of each kind, rejected ones included. */
  readonly read: Record<Kind, number>;
  readonly valid: number;
  readonly rejections: Rejections;
  readonly ignored: readonly IgnoredNode[];
  readonly interpreted: readonly Interpretation[];
}

/** The keys of a file: what it contains, without its contents. */
export interface Keys {
  readonly documents: Set<string>;
  /** The identifiers of its properties, rejected ones included. */
  readonly ids: ReadonlySet<string>;
  /** The lines of rejected records whose identifier is not known. */
  readonly nameless: readonly number[];
}

type Each = (record: NumberedRecord) => Promise<void> | void;

/**
 * Reads and validates a complete file. A record that is invalid or conflicts with an earlier one is rejected; each other one
 * is passed on, not yet completed.
 */
export async function scan(
  input: Input,
  reading: ReadingOptions,
  each: Each = () => {},
): Promise<{ scan: Scan; keys: Keys }> {
  try {
    return await scanAs(input, reading, each);
  } catch (error) {
    if (!(error instanceof NotDecodable) || error.encoding !== 'utf-8') throw error;
    const { isLatin1, line } = await examineInvalidUtf8(bytesOf(input));
    if (!isLatin1 || reading.strict) throw new NotDecodable('UTF-8', `, at line ${line}`);
    const { scan: scanned, keys } = await scanAs(input, { ...reading, encoding: 'windows-1252' }, each);
    const example = { text: 'UTF-8', as: 'Latin-1' };
    const latin1 = { node: 'encoding', kind: 'latin1', times: 1, lines: [line], example } as const;
    return { scan: { ...scanned, interpreted: [latin1, ...scanned.interpreted] }, keys };
  }
}

async function scanAs(input: Input, reading: ReadingOptions, each: Each): Promise<{ scan: Scan; keys: Keys }> {
  const { format, notes, records } = await openSource(input, reading);
  /** Digests of the valid documents, by key. */
  const digests = new Map<string, string>();
  const ids = new Set<string>();
  /** The properties that have a unit, by the unit's key. */
  const occupants = new Map<string, string>();
  const nameless: number[] = [];
  const rejections: Rejections = { counts: {}, records: [] };
  const skipped: number[] = [];
  const read: Record<Kind, number> = { type: 0, category: 0, feature: 0, development: 0, unit: 0, property: 0 };
  let [number, valid] = [0, 0];
  const skip = (bad: BadRecord) => {
    skipped.push(number);
    reject(rejections, bad);
  };
  let next = await records.next();
  for (; !next.done; next = await records.next()) {
    const record = next.value;
    number++;
    if (isBad(record)) {
      read[record.kind]++;
      if (record.id === null) nameless.push(record.line);
      else if (record.id !== undefined) ids.add(record.id);
      skip(record);
      continue;
    }
    const { line, document, needs = [] } = record;
    const key = documentKey(document);
    const mayRepeat = format !== 'ndjson' && !reading.strict;
    const contents = mayRepeat ? sha256Hex(JSON.stringify(document)) : '';
    if (mayRepeat && digests.get(key) === contents) {
      notes.interpreted('property', 'repeated', line, key, 'one record');
      skipped.push(number);
      continue;
    }
    read[document.kind]++;
    const property = document.kind === 'property' ? document : undefined;
    const unit = property?.unit ? keyOf('unit', property.unit.development, property.unit.name) : '';
    const twin = property && twinsOf(property.id).find((id) => ids.has(id));
    const occupant = occupants.get(unit);
    const problem = digests.has(key)
      ? { field: property ? 'id' : '', detail: 'duplicates the id of an earlier, different record' }
      : twin !== undefined
        ? { field: 'id', detail: suffixConflict(twin) }
        : occupant !== undefined && { field: 'unit', detail: `is already assigned to property ${occupant}` };
    if (property) ids.add(property.id);
    if (problem) {
      skip({ line, kind: document.kind, id: property?.id, problems: [problem] });
      continue;
    }
    for (const needed of needs) digests.set(documentKey(needed), '');
    digests.set(key, contents);
    if (unit !== '') occupants.set(unit, property!.id);
    valid++;
    await each({ ...record, number });
  }
  const { ignoredNodes: ignored, interpretations: interpreted } = notes;
  return {
    scan: { ...next.value, format, reading, read, valid, rejections, skipped, ignored, interpreted },
    keys: { documents: new Set(digests.keys()), ids, nameless },
  };
}
