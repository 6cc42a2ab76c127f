import { ImportError } from './error.ts';
import { formatOfText, formatOfXml } from './input/formats.ts';
import { bytesOf, type Input, peek } from './input/input.ts';
import { textOf } from './input/text.ts';
import { kyeroRecords } from './kyero/source.ts';
import { ndjsonRecords } from './ndjson.ts';
import { Notes } from './notes.ts';
import { type Completion, completed, isBad, type ReadingOptions, type Source, type ValidRecord } from './record.ts';
import { resalesRecords } from './resales/source.ts';
import { openXml } from './xml/elements.ts';
import type { XmlNode } from './xml/node.ts';
import { repairedXml } from './xml/repair.ts';

/** Characters, and then elements, that are read to detect a format. */
const [HEAD_LENGTH, BEFORE_RECORDS] = [512, 20];

/** Opens a file to be imported, in the format that its beginning shows. */
export async function openSource(input: Input, options: ReadingOptions): Promise<Source> {
  const text = textOf(bytesOf(input), options.encoding);
  const { taken, all } = await peek(text, (pieces) => pieces.join('').trimStart().length >= HEAD_LENGTH);
  const start = taken.join('').trimStart();
  if (start === '') throw new ImportError('bad_file', 'The file is empty.');
  const notes = new Notes();
  if (formatOfText(start, options.format) === 'ndjson') {
    return { format: 'ndjson', notes, records: ndjsonRecords(all, options, notes) };
  }
  const report = (line: number, text: string, as: string) => notes.interpreted('text', 'entity', line, text, as);
  const { root, elements } = await openXml(repairedXml(all, options.strict ? undefined : report));
  const isDecided = (nodes: readonly XmlNode[]) => nodes.length === BEFORE_RECORDS || nodes.at(-1)?.name === 'property';
  const { taken: first, all: nodes } = await peek(elements, isDecided);
  const { format = formatOfXml(root, first) } = options;
  const recordsIn = format === 'resales' ? resalesRecords : kyeroRecords;
  return { format, notes, records: recordsIn(nodes, options, notes) };
}

/** What the second reading of a file needs to know of the first. */
export interface Scanned {
  readonly reading: ReadingOptions;
  /** The places of records that are not imported, rejected or repeated, among all records of the file, from 1. */
  readonly skipped: readonly number[];
  readonly completion: Completion;
}

export interface NumberedRecord extends ValidRecord {
  /** Its place among all records of the file, from 1. */
  readonly number: number;
}

/** Reads those valid records of a file again whose place in it is wanted, completed by what the whole file says. */
export async function* recordsOf(
  input: Input,
  { reading, skipped, completion }: Scanned,
  wanted: (number: number) => boolean = () => true,
): AsyncGenerator<NumberedRecord> {
  const { records } = await openSource(input, reading);
  const isSkipped = new Set(skipped);
  let number = 0;
  for await (const record of records) {
    number++;
    if (!isBad(record) && !isSkipped.has(number) && wanted(number)) yield { ...completed(record, completion), number };
  }
}

/** Records in batches of up to 150, in one transaction each, or fewer of long ones: they have to fit into memory. */
const BATCH = 150;
const BATCH_LENGTH = 4 * 1024 * 1024;

export async function* batchesOf(records: AsyncIterable<NumberedRecord>): AsyncGenerator<NumberedRecord[], undefined> {
  let [batch, length]: [NumberedRecord[], number] = [[], 0];
  for await (const record of records) {
    const own = JSON.stringify(record.document).length;
    if (batch.length > 0 && (batch.length === BATCH || length + own > BATCH_LENGTH)) {
      yield batch;
      [batch, length] = [[], 0];
    }
    batch.push(record);
    length += own;
  }
  if (batch.length > 0) yield batch;
}
