import type { BadRecord } from './record.ts';

/** Bad records that are remembered; the others are counted. */
const REMEMBERED = 1_000;

/** The records of a file that are not taken, by their numbers: several may stand in one line. */
export class BadRecords {
  readonly #numbers = new Set<number>();
  readonly #remembered: BadRecord[] = [];

  add(number: number, record: BadRecord): void {
    if (this.#numbers.has(number)) return;
    this.#numbers.add(number);
    if (this.#remembered.length < REMEMBERED) this.#remembered.push(record);
  }

  has(number: number): boolean {
    return this.#numbers.has(number);
  }

  get count(): number {
    return this.#numbers.size;
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
