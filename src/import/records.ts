import { type Completion, completed } from './completion.ts';
import type { Input } from './input/input.ts';
import { isBad, type ReadingOptions, type ValidRecord } from './record.ts';
import { openSource } from './source.ts';

/** What the second reading of a file needs to know of the first. */
export interface Scanned {
  readonly reading: ReadingOptions;
  /** The places of records that are not imported, rejected or repeated, among all records of the file, from 1. */
  readonly skipped: readonly number[];
  readonly completion: Completion;
}

/** A valid record of a file. */
export interface NumberedRecord extends ValidRecord {
  /** Its place among all records of the file, from 1. */
  readonly number: number;
}

/**
 * Reads the valid records of a file again, completed by what the whole file says.
 *
 * @param wanted whether the record at a place of the file is wanted; by default all are
 */
export async function* recordsOf(
  input: Input,
  { reading, skipped, completion }: Scanned,
  wanted: (number: number) => boolean = () => true,
): AsyncGenerator<NumberedRecord> {
  const source = await openSource(input, reading);
  const isSkipped = new Set(skipped);
  let number = 0;
  for await (const record of source.records()) {
    number++;
    if (!isBad(record) && !isSkipped.has(number) && wanted(number)) {
      yield { ...completed(record, completion), number };
    }
  }
}

/** Records in batches of up to 150, in one transaction each, or fewer of long ones: they have to fit into memory. */
const BATCH = 150;
const BATCH_LENGTH = 4 * 1024 * 1024;

export async function* batchesOf(records: AsyncIterable<NumberedRecord>): AsyncGenerator<NumberedRecord[], undefined> {
  let [batch, length]: [NumberedRecord[], number] = [[], 0];
  for await (const record of records) {
    const own = lengthOf(record);
    if (batch.length > 0 && (batch.length === BATCH || length + own > BATCH_LENGTH)) {
      yield batch;
      [batch, length] = [[], 0];
    }
    batch.push(record);
    length += own;
  }
  if (batch.length > 0) yield batch;
  return undefined;
}

/** About how many characters a record has. */
function lengthOf({ document }: ValidRecord): number {
  if (document.kind !== 'property') return JSON.stringify(document).length;
  const texts = Object.values(document.texts).reduce((sum, { description }) => sum + (description?.length ?? 0), 0);
  const pictures = document.pictures.reduce((sum, url) => sum + url.length, 0);
  return 4_000 + texts + pictures + (document.notes?.length ?? 0);
}
