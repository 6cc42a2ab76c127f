import { rmSync } from 'node:fs';
import { type FileHandle, mkdtemp, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atExit } from '../../cli/command/ending.ts';
import type { PortfolioDocument } from '../../portfolio/documents.ts';
import { deserialized, type SerializedRecord, type StagedRecord, sameDocument } from '../record.ts';

type Kind = PortfolioDocument['kind'];

/** The records of a kind. */
interface SpoolFile {
  readonly handle: FileHandle;
  /** What is still to be written, and its bytes. */
  pending: Uint8Array[];
  pendingBytes: number;
  /** Of each record: its bytes, its line and its number in the imported file. */
  readonly lengths: number[];
  readonly lines: number[];
  readonly numbers: number[];
}

/** Bytes written to a file at a time. */
const BLOCK = 1024 * 1024;

/**
 * The valid records of a file, on disk: all are read and checked before any is written to the database, in constant
 * memory and unaffected by later changes of the file.
 */
export class Spool {
  readonly #directory: string;
  readonly #files = new Map<Kind, SpoolFile>();
  readonly #removeDirectory: () => void;

  private constructor(directory: string) {
    this.#directory = directory;
    this.#removeDirectory = atExit(() => rmSync(directory, { recursive: true }));
  }

  static async create(): Promise<Spool> {
    return new Spool(await mkdtemp(join(tmpdir(), 'lindero-import-')));
  }

  /**
   * Adds a record.
   *
   * @param number its place among all records of the imported file, from 1
   * @returns its place among those of its kind, from 0
   */
  async add({ line, key: { kind }, bytes }: SerializedRecord, number: number): Promise<number> {
    let file = this.#files.get(kind);
    if (file === undefined) {
      const handle = await open(join(this.#directory, kind), 'a+', 0o600);
      file = { handle, pending: [], pendingBytes: 0, lengths: [], lines: [], numbers: [] };
      this.#files.set(kind, file);
    }
    file.pending.push(bytes);
    file.pendingBytes += bytes.length;
    file.lines.push(line);
    file.numbers.push(number);
    const place = file.lengths.push(bytes.length) - 1;
    if (file.pendingBytes >= BLOCK) await this.#flush(file);
    return place;
  }

  /** Whether the record at a place among those of its kind has the same document. */
  async has(kind: Kind, place: number, bytes: SerializedRecord['bytes']): Promise<boolean> {
    const file = this.#files.get(kind);
    if (file === undefined) return false;
    await this.#flush(file);
    const start = sum(file.lengths.slice(0, place));
    return sameDocument(await readAt(file, start, file.lengths[place]!), bytes);
  }

  /** The records of a kind in their order, `most` at a time, or fewer of long ones. */
  async *batches(kind: Kind, most: number, bytes: number): AsyncGenerator<StagedRecord[]> {
    const file = this.#files.get(kind);
    if (file === undefined) return;
    await this.#flush(file);
    const { lengths } = file;
    let start = 0;
    for (let first = 0; first < lengths.length; ) {
      let [end, last] = [start, first];
      do end += lengths[last++]!;
      while (last < lengths.length && last - first < most && end - start + lengths[last]! <= bytes);
      yield recordsIn(file, await readAt(file, start, end - start), first, last);
      [first, start] = [last, end];
    }
  }

  /** The same from the last record to the first. */
  async *batchesFromTheEnd(kind: Kind, most: number, bytes: number): AsyncGenerator<StagedRecord[]> {
    const file = this.#files.get(kind);
    if (file === undefined) return;
    await this.#flush(file);
    const { lengths } = file;
    let end = sum(lengths);
    for (let last = lengths.length; last > 0; ) {
      let [first, start] = [last, end];
      do start -= lengths[--first]!;
      while (first > 0 && last - first < most && end - start + lengths[first - 1]! <= bytes);
      yield recordsIn(file, await readAt(file, start, end - start), first, last).reverse();
      [last, end] = [first, start];
    }
  }

  async remove(): Promise<void> {
    for (const { handle } of this.#files.values()) await handle.close();
    this.#removeDirectory();
  }

  async #flush(file: SpoolFile): Promise<void> {
    const { pending } = file;
    if (pending.length === 0) return;
    file.pending = [];
    file.pendingBytes = 0;
    await file.handle.appendFile(Buffer.concat(pending));
  }
}

async function readAt({ handle }: SpoolFile, start: number, length: number): Promise<Buffer> {
  const { buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, start);
  return buffer;
}

/** The records of a file from one place to another, which are given as bytes. */
function recordsIn({ lengths, lines, numbers }: SpoolFile, bytes: Buffer, first: number, last: number): StagedRecord[] {
  const records: StagedRecord[] = [];
  let start = 0;
  for (let place = first; place < last; place++) {
    const end = start + lengths[place]!;
    const record = deserialized(bytes.subarray(start, end));
    records.push({ ...record, line: lines[place]!, number: numbers[place]! });
    start = end;
  }
  return records;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
