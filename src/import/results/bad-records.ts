import type { PortfolioDocument } from '../../portfolio/documents.ts';
import type { BadRecord } from '../record.ts';

/** The maximum of rejected records whose reasons are stored; the others are only counted. */
const REMEMBERED = 1_000;

/** The rejected records of a file, by record number, because several may start on one line. */
export class BadRecords {
  readonly #kinds = new Map<number, PortfolioDocument['kind']>();
  readonly #remembered: BadRecord[] = [];

  add(number: number, record: BadRecord): void {
    if (this.#kinds.has(number)) return;
    this.#kinds.set(number, record.kind);
    if (this.#remembered.length < REMEMBERED) this.#remembered.push(record);
  }

  has(number: number): boolean {
    return this.#kinds.has(number);
  }

  get count(): number {
    return this.#kinds.size;
  }

  /** How many of them are of this kind. */
  of(kind: PortfolioDocument['kind']): number {
    let count = 0;
    for (const other of this.#kinds.values()) if (other === kind) count++;
    return count;
  }

  /** The first of them, in the order of their lines. */
  get remembered(): readonly BadRecord[] {
    return this.#remembered.toSorted((a, b) => a.line - b.line);
  }
}

/** A rejected record as text, one line per problem. */
export function describeBad({ line, id, problems }: BadRecord): string {
  const where = `line ${line}${typeof id !== 'string' ? '' : `, property ${id}`}`;
  return problems.map(({ field, detail }) => `${where}: ${field === '' ? '' : `${field}: `}${detail}\n`).join('');
}
