import { MAX_LISTED } from './notes.ts';
import type { BadRecord, Kind } from './record.ts';

const MAX_ID_LENGTH = 200;

/** The rejected records of a file: how many, and the first of them; JSON. */
export interface Rejections {
  readonly counts: Partial<Record<Kind, number>>;
  readonly records: BadRecord[];
}

export function reject({ counts, records }: Rejections, record: BadRecord): void {
  counts[record.kind] = (counts[record.kind] ?? 0) + 1;
  const id = typeof record.id === 'string' ? record.id.slice(0, MAX_ID_LENGTH) : record.id;
  if (records.length < MAX_LISTED) records.push({ ...record, id });
}

/** How many records of these kinds are rejected; by default of all. */
export function countRejected(
  { counts }: Rejections,
  kinds = Object.keys(counts) as readonly Kind[],
): number {
  return kinds.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
}

/** A rejected record as text, one line per problem. */
export function describeBad({ line, id, problems }: BadRecord): string {
  const where = `line ${line}${typeof id !== 'string' ? '' : `, property ${id}`}`;
  return problems
    .map(({ field, detail }) => `${where}: ${field === '' ? '' : `${field}: `}${detail}\n`)
    .join('');
}
