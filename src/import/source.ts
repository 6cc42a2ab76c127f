import { Failure } from '../cli/command/failure.ts';
import { textOf, textOfHead, toUtf8 } from './input/decode.ts';
import { type Format, formatOfXml, isHtml, unsupported, unsupportedText } from './input/formats.ts';
import { type KyeroOptions, KyeroReader } from './kyero/reader.ts';
import { kyeroSource } from './kyero/source.ts';
import type { KyeroNames } from './names/names-table.ts';
import { ndjsonSource } from './ndjson.ts';
import type { Source } from './record.ts';
import { resalesSource } from './resales/source.ts';
import { openXml } from './xml/elements.ts';
import type { XmlNode } from './xml/node.ts';

export interface SourceOptions extends Omit<KyeroOptions, 'names'> {
  /** Reads the table of names of types and features, which only some formats need. */
  readonly names: () => Promise<KyeroNames>;
  /** The format; detected by default. */
  readonly format?: Format | undefined;
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

/** @param bytes the file in UTF-8 */
async function xmlSource(bytes: AsyncIterable<Uint8Array>, options: SourceOptions): Promise<Source> {
  const { root, elements } = await openXml(textOf(bytes));
  const first: XmlNode[] = [];
  while (first.length < BEFORE_RECORDS && first.at(-1)?.name !== 'property') {
    const next = await elements.next();
    if (next.done) break;
    first.push(next.value);
  }
  const { names, format = formatOfXml(root.name, first), now, strict } = options;
  const all = followedBy(first, elements);
  if (format === 'resales') return resalesSource(all, { now });
  return kyeroSource(new KyeroReader({ names: await names(), now, strict }), all);
}

/** Items of a list, which is emptied, and then further ones. */
async function* followedBy<Item>(first: Item[], rest: AsyncIterator<Item>): AsyncGenerator<Item> {
  for (let item = first.shift(); item !== undefined; item = first.shift()) yield item;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
