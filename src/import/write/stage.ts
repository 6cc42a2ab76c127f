import { type PortfolioDocument, twinsOf } from '../../portfolio/documents.ts';
import { isBad, type RecordKey, type Source, type StagedRecord, serialized } from '../record.ts';
import { BadRecords } from '../results/bad-records.ts';
import type { Spool } from './spool.ts';

/** A file that has been read completely, before anything is written. */
export interface Staged {
  /** How many records it has of each kind, rejected ones included. */
  readonly read: Readonly<Record<Kind, number>>;
  /** The keys of the valid ones. */
  readonly keys: Set<string>;
  /** The identifiers of its properties, rejected ones included. */
  readonly ids: ReadonlySet<string>;
  /** The lines of rejected records whose identifier is not known. */
  readonly nameless: readonly number[];
  readonly bad: BadRecords;
  /** The valid records of a kind in order, up to `most` at a time, or fewer long ones. */
  batches(kind: Kind, most: number, bytes: number): AsyncGenerator<StagedRecord[]>;
}

type Kind = PortfolioDocument['kind'];

/**
 * Reads a complete file and spools its valid records. A record that is invalid or conflicts with an earlier one is
 * rejected.
 *
 * @param strict whether a repeated record is rejected; otherwise it counts once
 * @throws Failure if the file is truncated or invalid
 */
export async function stage(source: Source, spool: Spool, strict: boolean): Promise<Staged> {
  /** The positions of valid records in the spool, by key. */
  const places = new Map<string, number>();
  const keys = new Set<string>();
  const ids = new Set<string>();
  const units = new Map<string, string>();
  const nameless: number[] = [];
  const bad = new BadRecords();
  const read = { type: 0, category: 0, feature: 0, development: 0, unit: 0, property: 0 };
  let number = 0;
  for await (const record of source.records()) {
    number++;
    const { line } = record;
    if (isBad(record)) {
      bad.add(number, record);
      read[record.kind]++;
      if (record.id === null) nameless.push(line);
      else if (record.id !== undefined) ids.add(record.id);
      continue;
    }
    const valid = serialized(record);
    const { kind, key, id, unit } = valid.key;
    const place = strict || source.format === 'ndjson' ? undefined : places.get(key);
    if (place !== undefined && (await spool.has(kind, place, valid.bytes))) {
      source.interpretations.add('property', 'repeated', line, key, 'one record');
      continue;
    }
    read[kind]++;
    const detail = conflictOf(valid.key, keys, ids, units);
    if (id !== undefined) ids.add(id);
    if (detail !== null) {
      bad.add(number, { line, kind, id, problems: [detail] });
      continue;
    }
    keys.add(key);
    if (unit !== undefined && id !== undefined) units.set(unit, id);
    places.set(key, await spool.add(valid, number));
  }
  const batches = (kind: Kind, most: number, characters: number) =>
    kind === 'property' && source.isNewestFirst()
      ? spool.batchesFromTheEnd(kind, most, characters)
      : spool.batches(kind, most, characters);
  return { read, keys, ids, nameless, bad, batches: (...limits) => completed(batches(...limits), source) };
}

async function* completed(batches: AsyncIterable<StagedRecord[]>, source: Source): AsyncGenerator<StagedRecord[]> {
  for await (const batch of batches) {
    yield batch.map((record) => source.completed(record));
  }
}

function conflictOf(
  { kind, key, id, unit }: RecordKey,
  keys: ReadonlySet<string>,
  ids: ReadonlySet<string>,
  units: ReadonlyMap<string, string>,
): { field: string; detail: string } | null {
  if (keys.has(key)) {
    return { field: kind === 'property' ? 'id' : '', detail: 'duplicates the id of an earlier, different record' };
  }
  if (id === undefined) return null;
  const twin = twinsOf(id).find((other) => ids.has(other));
  if (twin !== undefined) {
    return { field: 'id', detail: `differs from that of property ${twin} only in an appended -LT or -ST` };
  }
  const holder = unit === undefined ? undefined : units.get(unit);
  return holder === undefined ? null : { field: 'unit', detail: `is that of property ${holder}` };
}
