import { Failure } from '../cli/failure.ts';
import { textOf, textOfHead, toUtf8 } from './input/decode.ts';
import { type Format, formatOfXml, isHtml, unsupported, unsupportedText } from './input/formats.ts';
import { type KyeroOptions, KyeroReader } from './kyero/reader.ts';
import { kyeroSource } from './kyero/source.ts';
import type { KyeroNames } from './names/names-table.ts';
import { ndjsonSource } from './ndjson.ts';
import type { Source, SourceRecord } from './record.ts';
import { resalesSource } from './resales/source.ts';
import { readElements, recordsInSections, type StartThreads } from './sections/records.ts';
import { openXml, type Root } from './xml/elements.ts';
import type { XmlNode } from './xml/node.ts';

export interface SourceOptions extends Omit<KyeroOptions, 'names'> {
  /** Reads the table of names of types and features, which only some formats need. */
  readonly names: () => Promise<KyeroNames>;
  /** The format; detected by default. */
  readonly format?: Format | undefined;
  /** Starts threads that read parts of a large feed; without it, this thread reads all. */
  readonly startThreads?: StartThreads | undefined;
}

/** Characters that are read to detect a format. */
const HEAD = 512;

/**
 * Opens a file to be imported, in the format that its beginning shows.
 *
 * @throws Failure if the file is empty or its format cannot be imported
 */
export async function openSource(bytes: AsyncIterable<Uint8Array>, options: SourceOptions): Promise<Source> {
  const chunks = toUtf8(bytes)[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  let start = '';
  while (start.length < HEAD) {
    const next = await chunks.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
    start = textOfHead(head).trimStart();
  }
  if (start === '') throw new Failure('bad_file', 'The file is empty.');
  const all = followedBy([head], chunks);
  if (isHtml(start)) throw unsupported('an HTML page');
  if (start.startsWith('<') && options.format !== 'ndjson') return xmlSource(all, options);
  if (options.format === 'ndjson' || /^\{.*"kind"\s*:/s.test(start)) return ndjsonSource(textOf(all));
  throw unsupportedText(start);
}

/** Maximum number of elements before the first record. */
const BEFORE_RECORDS = 20;

/** Bytes from which other threads are worth their start. */
export const LARGE = 4 * 1024 * 1024;

/** @param bytes the file in UTF-8 */
async function xmlSource(bytes: AsyncIterable<Uint8Array>, options: SourceOptions): Promise<Source> {
  const chunks = bytes[Symbol.asyncIterator]();
  const head: Uint8Array[] = [];
  const { root, elements } = await openXml(textOf(recorded(chunks, head)));
  const first: XmlNode[] = [];
  while (first.length < BEFORE_RECORDS && first.at(-1)?.name !== 'property') {
    const next = await elements.next();
    if (next.done) break;
    first.push(next.value);
  }
  const { names, format = formatOfXml(root.name, first), now, strict, startThreads } = options;
  if (format === 'resales') return resalesSource(followedBy(first, elements), { now });
  const kyero = { names: await names(), now, strict };
  const reader = new KyeroReader(kyero);
  const threads =
    startThreads &&
    (async () => {
      const started = await startThreads();
      for (const thread of started) thread.begin(kyero);
      return started;
    });
  return kyeroSource(reader, kyeroRecords(head, chunks, root, reader, threads));
}

/** The records of a Kyero feed, which begins with these chunks. */
async function* kyeroRecords(
  head: Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
  root: Root,
  reader: KyeroReader,
  startThreads: StartThreads | undefined,
): AsyncGenerator<SourceRecord> {
  if (startThreads !== undefined && (await isLarge(head, rest))) {
    yield* recordsInSections(followedBy(head, rest), root, reader, await startThreads());
  } else {
    yield* readElements((await openXml(textOf(followedBy(head, rest)))).elements, reader);
  }
}

/** Chunks, which are also added to a list. */
async function* recorded(chunks: AsyncIterator<Uint8Array>, list: Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    list.push(next.value);
    yield next.value;
  }
}

/** Reads more of a file until it is known whether it is large. */
async function isLarge(head: Uint8Array[], rest: AsyncIterator<Uint8Array>): Promise<boolean> {
  let length = head.reduce((sum, chunk) => sum + chunk.length, 0);
  for await (const chunk of recorded(rest, head)) {
    length += chunk.length;
    if (length >= LARGE) return true;
  }
  return length >= LARGE;
}

/** Items of a list, which is emptied, and then further ones. */
async function* followedBy<Item>(first: Item[], rest: AsyncIterator<Item>): AsyncGenerator<Item> {
  for (let item = first.shift(); item !== undefined; item = first.shift()) yield item;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
