import type { BadRecord, Kind } from '../record.ts';

/** The maximum of rejected records whose reasons are stored; the others are only counted. */
const MOST = 1_000;

/** The rejected records of a file; JSON. */
export interface Rejections {
  readonly counts: Partial<Record<Kind, number>>;
  /** The first of them. */
  readonly records: BadRecord[];
}

export function newRejections(): Rejections {
  return { counts: {}, records: [] };
}

/** Adds a rejected record. */
export function reject({ counts, records }: Rejections, record: BadRecord): void {
  counts[record.kind] = (counts[record.kind] ?? 0) + 1;
  if (records.length < MOST) records.push(record);
}

/** How many records of these kinds are rejected; by default of all. */
export function countRejected({ counts }: Rejections, kinds = Object.keys(counts) as readonly Kind[]): number {
  return kinds.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
}

/** A rejected record as text, one line per problem. */
export function describeBad({ line, id, problems }: BadRecord): string {
  const where = `line ${line}${typeof id !== 'string' ? '' : `, property ${id}`}`;
  return problems.map(({ field, detail }) => `${where}: ${field === '' ? '' : `${field}: `}${detail}\n`).join('');
}
