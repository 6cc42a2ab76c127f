import type { BadRecord } from './record.ts';

/** Bad records that are remembered; the others are counted. */
const REMEMBERED = 1_000;

/** The records of a file that are not taken. */
export class BadRecords {
  readonly #lines = new Set<number>();
  readonly #remembered: BadRecord[] = [];

  add(record: BadRecord): void {
    if (this.#lines.has(record.line)) return;
    this.#lines.add(record.line);
    if (this.#remembered.length < REMEMBERED) this.#remembered.push(record);
  }

  /** Whether the record at a line is bad. */
  has(line: number): boolean {
    return this.#lines.has(line);
  }

  get count(): number {
    return this.#lines.size;
  }

  /** The first of them, in the order of their lines. */
  get remembered(): readonly BadRecord[] {
    return this.#remembered.toSorted((a, b) => a.line - b.line);
  }
}

/** A bad record in words, a line a problem. */
export function describeBad({ line, id, problems }: BadRecord): string {
  const where = `line ${line}${typeof id !== 'string' ? '' : `, property ${id}`}`;
  return problems.map(({ field, detail }) => `${where}: ${field === '' ? '' : `${field}: `}${detail}\n`).join('');
}
