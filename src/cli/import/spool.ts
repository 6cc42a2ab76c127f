import { rmSync } from 'node:fs';
import { type FileHandle, mkdtemp, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PortfolioDocument } from '../../portfolio/documents.ts';
import { atExit } from '../at-exit.ts';
import { lines } from './lines.ts';
import type { StagedRecord } from './record.ts';

type Kind = PortfolioDocument['kind'];

interface SpoolFile {
  readonly handle: FileHandle;
  /** What is still to be written. */
  pending: string;
  /** Bytes of each record. */
  readonly lengths: number[];
}

/** Characters written to a file at a time. */
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
   * @param json its document as JSON
   * @returns its place among those of its kind, from 0
   */
  async add({ document, ...about }: StagedRecord, json: string): Promise<number> {
    const { kind } = document;
    let file = this.#files.get(kind);
    if (file === undefined) {
      file = { handle: await open(join(this.#directory, kind), 'a+', 0o600), pending: '', lengths: [] };
      this.#files.set(kind, file);
    }
    const line = `${JSON.stringify(about).slice(0, -1)},"document":${json}}\n`;
    file.pending += line;
    const place = file.lengths.push(Buffer.byteLength(line)) - 1;
    if (file.pending.length >= BLOCK) await this.#flush(file);
    return place;
  }

  /** Whether the document of a record, by its place among those of its kind, is this one. */
  async has(kind: Kind, place: number, json: string): Promise<boolean> {
    const file = this.#files.get(kind);
    if (file === undefined) return false;
    await this.#flush(file);
    const start = file.lengths.slice(0, place).reduce((sum, length) => sum + length, 0);
    const length = file.lengths[place]!;
    const { buffer } = await file.handle.read(Buffer.alloc(length), 0, length, start);
    return buffer.toString('utf8').endsWith(`,"document":${json}}\n`);
  }

  /** The records of a kind in their order, `most` at a time, or fewer of long ones. */
  async *batches(kind: Kind, most: number, characters: number): AsyncGenerator<StagedRecord[]> {
    const file = this.#files.get(kind);
    if (file === undefined) return;
    await this.#flush(file);
    let batch: StagedRecord[] = [];
    let length = 0;
    for await (const { text } of lines(
      file.handle.createReadStream({ start: 0, encoding: 'utf8', autoClose: false, highWaterMark: BLOCK }),
    )) {
      if (batch.length === most || (batch.length > 0 && length + text.length > characters)) {
        yield batch;
        batch = [];
        length = 0;
      }
      batch.push(JSON.parse(text));
      length += text.length;
    }
    if (batch.length > 0) yield batch;
  }

  /** The same from the last record to the first. */
  async *batchesFromTheEnd(kind: Kind, most: number, characters: number): AsyncGenerator<StagedRecord[]> {
    const file = this.#files.get(kind);
    if (file === undefined) return;
    await this.#flush(file);
    let end = file.lengths.reduce((sum, length) => sum + length, 0);
    for (let last = file.lengths.length; last > 0; ) {
      let [first, start] = [last, end];
      do start -= file.lengths[--first]!;
      while (first > 0 && last - first < most && end - start + file.lengths[first - 1]! <= characters);
      const { buffer } = await file.handle.read(Buffer.alloc(end - start), 0, end - start, start);
      const records = buffer.toString('utf8').trimEnd().split('\n');
      yield records.map((record): StagedRecord => JSON.parse(record)).reverse();
      [last, end] = [first, start];
    }
  }

  async remove(): Promise<void> {
    for (const { handle } of this.#files.values()) await handle.close();
    this.#removeDirectory();
  }

  async #flush(file: SpoolFile): Promise<void> {
    const { pending } = file;
    file.pending = '';
    if (pending !== '') await file.handle.appendFile(pending);
  }
}
