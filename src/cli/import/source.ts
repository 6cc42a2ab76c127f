import { Failure } from '../failure.ts';
import { decode } from './decode.ts';
import { type Format, formatOfXml, isHtml, unsupported, unsupportedText } from './formats.ts';
import type { KyeroNames } from './kyero/names-table.ts';
import { type KyeroOptions, kyeroSource } from './kyero/source.ts';
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
  const chunks = decode(bytes)[Symbol.asyncIterator]();
  let head = '';
  while (head.trimStart().length < HEAD) {
    const next = await chunks.next();
    if (next.done) break;
    head += next.value;
  }
  const start = head.trimStart();
  if (start === '') throw new Failure('bad_file', 'The file is empty.');
  const text = followedBy([head], chunks);
  if (isHtml(start)) throw unsupported('an HTML page');
  if (start.startsWith('<') && options.format !== 'ndjson') return xmlSource(text, options);
  if (options.format === 'ndjson' || /^\{.*"kind"\s*:/s.test(start)) return ndjsonSource(text);
  throw unsupportedText(start);
}

/** Maximum number of elements before the first record. */
const BEFORE_RECORDS = 20;

async function xmlSource(text: AsyncIterable<string>, options: SourceOptions): Promise<Source> {
  const { root, elements } = await openXml(text);
  const first: XmlNode[] = [];
  while (first.length < BEFORE_RECORDS && first.at(-1)?.name !== 'property') {
    const next = await elements.next();
    if (next.done) break;
    first.push(next.value);
  }
  const all = followedBy(first, elements);
  const { names, format = formatOfXml(root, first), ...rest } = options;
  return format === 'resales' ? resalesSource(all, rest) : kyeroSource(all, { ...rest, names: await names() });
}

async function* followedBy<Item>(first: readonly Item[], rest: AsyncIterator<Item>): AsyncGenerator<Item> {
  yield* first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
