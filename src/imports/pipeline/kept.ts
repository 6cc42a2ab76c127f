import { Buffer } from 'node:buffer';
import { completed, type Summary, type ValidRecord } from './record.ts';

/** A valid record of a file that has been read. */
export interface NumberedRecord extends ValidRecord {
  /** Its place among all records of the file, from 1. */
  readonly number: number;
}

/** Where the records of a file are kept between reading and writing them, so that the file is parsed once. */
export interface RecordStore {
  /** Stores bytes instead of those of an earlier call. */
  write(chunks: AsyncIterable<Uint8Array>): Promise<unknown>;
  /** The stored bytes from a position on. */
  open(position: number): AsyncIterable<Uint8Array>;
}

/** A record as it is written: completed with what only the whole file shows. */
export interface KeptRecord extends NumberedRecord {
  /** Its bytes in the store, and where the next record begins. */
  readonly bytes: number;
  readonly end: number;
}

const LINE_FEED = 10;

/** Keeps records, each as a line of JSON. An empty line ends them, because a bucket cannot be read from the end of a file. */
export async function keepRecords(
  store: RecordStore,
  records: AsyncIterable<NumberedRecord>,
): Promise<void> {
  const encoder = new TextEncoder();
  const lines = async function* () {
    for await (const record of records) yield encoder.encode(`${JSON.stringify(record)}\n`);
    yield Uint8Array.of(LINE_FEED);
  };
  await store.write(lines());
}

/**
 * The kept records of a file from a position on.
 *
 * @param skipped the places in the file of records that are left out
 * @param position 0, or the end of a record
 */
export async function* keptRecords(
  store: RecordStore,
  { completion, skipped }: Pick<Summary, 'completion'> & { readonly skipped: readonly number[] },
  position = 0,
): AsyncGenerator<KeptRecord> {
  const decoder = new TextDecoder();
  const isSkipped = new Set(skipped);
  let end = position;
  for await (const line of linesIn(store.open(position))) {
    if (line.length === 0) return;
    const bytes = line.length + 1;
    end += bytes;
    const record: NumberedRecord = JSON.parse(decoder.decode(line));
    if (!isSkipped.has(record.number)) yield { ...completed(record, completion), bytes, end };
  }
  throw new Error('The kept records are incomplete');
}

/** Lines of bytes without the line feeds that end them. */
async function* linesIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let begun: Uint8Array[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      yield Buffer.concat([...begun, chunk.subarray(start, end)]);
      begun = [];
      start = end + 1;
    }
    begun.push(chunk.subarray(start));
  }
}

/** Maximum number of records in a batch, and of their bytes: a batch is one transaction, and has to fit into memory. */
const BATCH_RECORDS = 150;
const BATCH_BYTES = 4 * 1024 * 1024;

export async function* batchesOf(
  records: AsyncIterable<KeptRecord>,
): AsyncGenerator<KeptRecord[], undefined> {
  let batch: KeptRecord[] = [];
  let total = 0;
  for await (const record of records) {
    if (
      batch.length > 0 &&
      (batch.length === BATCH_RECORDS || total + record.bytes > BATCH_BYTES)
    ) {
      yield batch;
      batch = [];
      total = 0;
    }
    batch.push(record);
    total += record.bytes;
  }
  if (batch.length > 0) yield batch;
}
