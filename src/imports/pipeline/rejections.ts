import { type CodedMessage, inEnglish, message } from '../../messages/messages.ts';
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

/** What is wrong with a rejected record, one message per problem. */
export function problemsOf({ line, id, problems }: BadRecord): CodedMessage[] {
  return problems.map(({ field, message: found }) => {
    const problem = field === '' ? found : message('in_field', { field, problem: found });
    return typeof id === 'string'
      ? message('at_property', { line, id, problem })
      : message('at_line', { line, problem });
  });
}

/** A rejected record as text, one line per problem. */
export function describeBad(record: BadRecord): string {
  return problemsOf(record)
    .map((problem) => `${inEnglish(problem)}\n`)
    .join('');
}
