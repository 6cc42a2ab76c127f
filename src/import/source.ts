import { ImportError } from './error.ts';
import { formatOfXml, isHomesOverseas, isHtml, unsupported, unsupportedText } from './input/formats.ts';
import { bytesOf, followedBy, type Input } from './input/input.ts';
import { textOf } from './input/text.ts';
import { KyeroSource } from './kyero/source.ts';
import { ndjsonSource } from './ndjson.ts';
import type { ReadingOptions, Source } from './record.ts';
import { ResalesSource } from './resales/source.ts';
import { Notes } from './results/notes.ts';
import { openXml } from './xml/elements.ts';
import type { XmlNode } from './xml/node.ts';
import { repairedXml } from './xml/repair.ts';

/** Characters that are read to detect a format. */
const HEAD_LENGTH = 512;

/** Maximum number of elements before the first record. */
const BEFORE_RECORDS = 20;

/**
 * Opens a file to be imported, in the format that its beginning shows.
 *
 * @throws ImportError if the file is empty or its format cannot be imported
 */
export async function openSource(input: Input, options: ReadingOptions): Promise<Source> {
  const text = textOf(bytesOf(input), options.encoding);
  const head: string[] = [];
  let start = '';
  while (start.length < HEAD_LENGTH) {
    const next = await text.next();
    if (next.done) break;
    head.push(next.value);
    start = head.join('').trimStart();
  }
  if (start === '') throw new ImportError('bad_file', 'The file is empty.');
  const all = followedBy(head, text);
  if (isHtml(start)) throw unsupported('an HTML page');
  if (isHomesOverseas(start)) throw unsupported('a HomesOverseas feed');
  if (start.startsWith('<') && options.format !== 'ndjson') return xmlSource(all, options);
  if (options.format === 'ndjson' || /^\{.*"kind"\s*:/s.test(start)) return ndjsonSource(all, new Notes());
  throw unsupportedText(start);
}

async function xmlSource(text: AsyncGenerator<string>, options: ReadingOptions): Promise<Source> {
  const notes = new Notes();
  const report = ({ line, text, as }: { line: number; text: string; as: string }) =>
    notes.interpreted('text', 'entity', line, text, as);
  const { root, elements } = await openXml(repairedXml(text, options.strict ? undefined : report));
  const first: XmlNode[] = [];
  while (first.length < BEFORE_RECORDS && first.at(-1)?.name !== 'property') {
    const next = await elements.next();
    if (next.done) break;
    first.push(next.value);
  }
  const { format = formatOfXml(root, first) } = options;
  const all = followedBy(first.splice(0), elements);
  return format === 'resales' ? new ResalesSource(all, options, notes) : new KyeroSource(all, options, notes);
}
