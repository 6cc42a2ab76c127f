import { documentKey, keyOf, type PortfolioDocument, twinsOf } from '../../portfolio/documents.ts';
import { BadRecords } from './bad-records.ts';
import { type GoodRecord, isBad, type Source } from './record.ts';
import type { Spool } from './spool.ts';

/** A file that has been read to its end, before anything of it is written. */
export interface Staged {
  readonly spool: Spool;
  /** How many records it has. */
  readonly records: number;
  /** The keys of the good ones. */
  readonly keys: Set<string>;
  /** The identifiers of its properties, bad ones included. */
  readonly ids: ReadonlySet<string>;
  /** Where bad records stand whose identifier cannot be told. */
  readonly nameless: readonly number[];
  readonly bad: BadRecords;
}

/**
 * Reads a file whole and lays its good records aside. What speaks against a record in itself or beside those before it
 * makes it a bad one.
 *
 * @throws Failure where the file breaks off or is not of its format
 */
export async function stage(source: Source, spool: Spool): Promise<Staged> {
  const keys = new Set<string>();
  const ids = new Set<string>();
  const units = new Map<string, string>();
  const nameless: number[] = [];
  const bad = new BadRecords();
  let records = 0;
  for await (const record of source.records()) {
    records++;
    const { line } = record;
    if (isBad(record)) {
      bad.add(records, record);
      if (record.id === null) nameless.push(line);
      else if (record.id !== undefined) ids.add(record.id);
      continue;
    }
    const id = record.document.kind === 'property' ? record.document.id : undefined;
    const detail = clashOf(record, keys, ids, units);
    if (id !== undefined) ids.add(id);
    if (detail !== null) {
      bad.add(records, { line, id, problems: [detail] });
      continue;
    }
    keys.add(documentKey(record.document));
    const unit = unitOf(record.document);
    if (unit !== null && id !== undefined) units.set(unit, id);
    await spool.add({ ...record, number: records });
  }
  return { spool, records, keys, ids, nameless, bad };
}

function clashOf(
  { document }: GoodRecord,
  keys: ReadonlySet<string>,
  ids: ReadonlySet<string>,
  units: ReadonlyMap<string, string>,
): { field: string; detail: string } | null {
  if (keys.has(documentKey(document))) return { field: '', detail: 'is given before in this file' };
  if (document.kind !== 'property') return null;
  const twin = twinsOf(document.id).find((id) => ids.has(id));
  if (twin !== undefined) {
    return { field: 'id', detail: `differs from that of property ${twin} only in an appended -LT or -ST` };
  }
  const holder = units.get(unitOf(document) ?? '');
  return holder === undefined ? null : { field: 'unit', detail: `is that of property ${holder}` };
}

/** The key of the unit that a property is. */
function unitOf(document: PortfolioDocument): string | null {
  if (document.kind !== 'property' || document.unit === null) return null;
  return keyOf('unit', document.unit.development, document.unit.name);
}
