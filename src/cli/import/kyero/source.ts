import { SaxesParser } from 'saxes';
import type { PropertyDocument } from '../../../portfolio/documents.ts';
import { Failure } from '../../failure.ts';
import { MAX_RECORD_LENGTH } from '../lines.ts';
import { type Ignored, isBad, type Source, type SourceRecord } from '../record.ts';
import { isEmpty, type XmlNode } from './element.ts';
import { KyeroVocabulary } from './names.ts';
import type { KyeroNames } from './names-table.ts';
import { kyeroProperty } from './property.ts';

/**
 * A Kyero v3 feed: `root` with a `kyero` that says the version, and a `property` for each record.
 *
 * @param names what the names of types and features stand for
 * @param now when a property without a date counts as listed
 */
export function kyeroSource(chunks: AsyncIterable<string>, names: KyeroNames, now: Date): Source {
  const vocabulary = new KyeroVocabulary(names);
  const ignored = new Map<string, Ignored>();
  const reading = {
    vocabulary,
    now: `${now.toISOString().slice(0, 19)}Z`,
    ignored(path: string, line: number) {
      const before = ignored.get(path);
      ignored.set(path, { times: (before?.times ?? 0) + 1, line: before?.line ?? line });
    },
  };
  const propertyOf = (node: XmlNode): SourceRecord => {
    const record = kyeroProperty(node, reading);
    if (!isBad(record)) vocabulary.use(record.document as PropertyDocument);
    return record;
  };
  return {
    format: 'kyero',
    async *records(): AsyncGenerator<SourceRecord> {
      let version: string | undefined;
      for await (const node of elementsOfRoot(chunks)) {
        if (node.name === 'property') yield propertyOf(node);
        else if (node.name === 'kyero') version = versionOf(node);
        else if (node.name !== 'agent' && !isEmpty(node)) reading.ignored(node.name, node.line);
      }
      if (!/^3(\.\d+)?$/.test(version ?? '')) {
        throw new Failure('bad_file', `The file is not a Kyero v3 feed: its feed_version is ${version ?? 'missing'}.`);
      }
    },
    vocabulary: () => vocabulary.documents(),
    ignored: () => ignored,
  };
}

function versionOf(kyero: XmlNode): string | undefined {
  return kyero.children.find(({ name }) => name === 'feed_version')?.text.trim();
}

/** Elements one in the other: a record has five, and what is not taken of it may have some more. */
const DEEPEST = 100;

/** The elements that stand directly in `root`, each whole. */
async function* elementsOfRoot(chunks: AsyncIterable<string>): AsyncGenerator<XmlNode> {
  const parser = new SaxesParser({ xmlns: false });
  const open: XmlNode[] = [];
  let depth = 0;
  let began = 0;
  let done: XmlNode[] = [];
  parser.on('error', ({ message }) => {
    if (message.includes('undefined entity')) {
      const where = `at line ${message.split(':')[0]}`;
      throw new Failure(
        'bad_file',
        `The file has an entity, ${where}, that XML does not; those of a DTD are not read.`,
      );
    }
    throw new Failure('bad_file', `The file is not well-formed XML, at line ${message.replace(':', ', column ')}`);
  });
  parser.on('opentag', ({ name, attributes }) => {
    depth++;
    if (depth === 1) {
      if (name !== 'root') throw new Failure('bad_file', `The file is not a Kyero feed: its first element is ${name}.`);
      return;
    }
    if (depth === 2) began = parser.position;
    if (depth > DEEPEST) throw new Failure('bad_file', `The record at line ${open[0]?.line} is nested too deeply.`);
    const parent = open.at(-1);
    const node = { name, attributes, line: parser.line, at: parent?.text.length ?? 0, children: [], text: '' };
    parent?.children.push(node);
    open.push(node);
  });
  const addText = (text: string) => {
    const node = open.at(-1);
    if (node !== undefined) node.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    depth--;
    const node = open.pop();
    if (depth === 1 && node !== undefined) done.push(node);
  });
  for await (const chunk of chunks) {
    parser.write(chunk);
    if (depth > 1 && parser.position - began > MAX_RECORD_LENGTH) {
      throw new Failure('bad_file', `The record at line ${open[0]?.line} is longer than any record is.`);
    }
    yield* done;
    done = [];
  }
  parser.close();
  yield* done;
}
