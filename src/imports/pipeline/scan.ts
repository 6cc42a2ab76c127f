import { sha256Hex } from '../../lib/secrets/secrets.ts';
import { message } from '../../messages/messages.ts';
import { documentKey, keyOf, suffixVariants } from '../../properties/documents.ts';
import { bytesOf, type Input, peek } from '../input/input.ts';
import { formatOfText, formatOfXml, SHAPE } from '../input/recognise.ts';
import { examineAsUtf8, NotDecodable, statedEncoding, textOf } from '../input/text.ts';
import { MAX_RECORD_LENGTH, openXml } from '../xml/elements.ts';
import { weightOf, type XmlNode } from '../xml/node.ts';
import { repairedXml } from '../xml/repair.ts';
import { ImportError } from './error.ts';
import type { NumberedRecord } from './kept.ts';
import { type IgnoredNode, type Interpretation, Notes } from './notes.ts';
import {
  type BadRecord,
  isBad,
  KINDS,
  type Kind,
  type ReadingOptions,
  type Source,
  type Summary,
} from './record.ts';
import { type Rejections, reject } from './rejections.ts';

/** What is read to detect a format, at most: characters, elements before the first record, and white space at the beginning. */
const HEAD_LENGTH = 512;
const BEFORE_RECORDS = 20;
const MAX_BLANK = 256 * 1024;

/** Opens a file to be imported, in the format that its beginning shows. */
async function openSource(input: Input, options: ReadingOptions): Promise<Source> {
  const text = textOf(bytesOf(input), options.encoding);
  const { taken, all } = await peek(text, (pieces) => {
    const head = pieces.join('');
    return head.length > MAX_BLANK || head.trimStart().length >= HEAD_LENGTH;
  });
  const start = taken.join('').trimStart();
  if (start === '') throw new ImportError('bad_file', message('empty_file'));
  const notes = new Notes();
  const lines = formatOfText(start, options.format);
  if (lines !== undefined) {
    const { name, mayRepeat, content } = lines;
    return { format: name, mayRepeat, notes, records: content.records(all, options, notes) };
  }
  const report = notes.interpreted.bind(notes, 'text');
  const { root, elements } = await openXml(
    repairedXml(all, options.strict ? undefined : report),
    SHAPE,
  );
  const record = SHAPE.recordIn(root);
  const isDecided = (nodes: readonly XmlNode[]) =>
    nodes.length === BEFORE_RECORDS ||
    nodes.at(-1)?.name === record ||
    nodes.reduce((sum, node) => sum + weightOf(node), 0) > MAX_RECORD_LENGTH;
  const { taken: first, all: nodes } = await peek(elements, isDecided);
  const { name, mayRepeat, content } = formatOfXml(root, first, options.format);
  return { format: name, mayRepeat, notes, records: content.records(nodes, options, notes) };
}

/** What a file contains, once it has been read and validated completely; JSON. */
export interface Scan extends Summary {
  readonly format: Source['format'];
  readonly reading: ReadingOptions;
  /** How many records it has of each kind, rejected ones included. */
  readonly read: Record<Kind, number>;
  readonly valid: number;
  readonly rejections: Rejections;
  readonly ignored: readonly IgnoredNode[];
  readonly interpreted: readonly Interpretation[];
}

/** The keys of a file: what it contains, without its contents. */
export interface Keys {
  readonly documents: Set<string>;
  /** The identifiers of its properties, rejected ones included. */
  readonly ids: ReadonlySet<string>;
  /** The lines of rejected records whose identifier is not known. */
  readonly nameless: readonly number[];
}

/** What is done with the valid records of a file, all of which it must read; they are not yet completed. */
type Keep = (records: AsyncIterable<NumberedRecord>) => Promise<void>;

interface Scanned {
  readonly scan: Scan;
  readonly keys: Keys;
}

/**
 * Reads and validates a complete file. A record that is invalid or conflicts with an earlier one is rejected.
 *
 * @param keep called again if the file turns out to be in another encoding than it states
 */
export async function scan(input: Input, reading: ReadingOptions, keep: Keep): Promise<Scanned> {
  const scanIn = async (
    encoding: string,
    kind: 'latin1' | 'utf8',
    line: number,
    text: string,
    as: string,
  ) => {
    const { scan: scanned, keys } = await scanAs(input, { ...reading, encoding }, keep);
    const other: Interpretation = {
      node: 'encoding',
      kind,
      times: 1,
      lines: [line],
      listings: [null],
      example: { text, as },
    };
    return { scan: { ...scanned, interpreted: [other, ...scanned.interpreted] }, keys };
  };
  const stated =
    reading.encoding === undefined && !reading.strict
      ? await statedEncoding(bytesOf(input))
      : 'utf-8';
  if (/^(iso-?8859|latin|windows|cp)/i.test(stated) && (await examineAsUtf8(bytesOf(input))).isUtf8)
    return await scanIn('utf-8', 'utf8', 1, stated, 'UTF-8');
  try {
    return await scanAs(input, reading, keep);
  } catch (error) {
    if (!(error instanceof NotDecodable) || error.encoding !== 'utf-8') throw error;
    const { isLatin1, line } = await examineAsUtf8(bytesOf(input));
    if (!isLatin1 || reading.strict) throw new NotDecodable('UTF-8', line);
    return await scanIn('windows-1252', 'latin1', line, 'UTF-8', 'Latin-1');
  }
}

async function scanAs(input: Input, reading: ReadingOptions, keep: Keep): Promise<Scanned> {
  let scanned: Scanned | undefined;
  const records = async function* () {
    scanned = yield* validRecords(input, reading);
  };
  await keep(records());
  return scanned!;
}

/** The valid records of a file, and finally what it contains. */
async function* validRecords(
  input: Input,
  reading: ReadingOptions,
): AsyncGenerator<NumberedRecord, Scanned> {
  const { format, mayRepeat: mayFormatRepeat, notes, records } = await openSource(input, reading);
  const mayRepeat = mayFormatRepeat && !reading.strict;
  /** Digests of the valid documents, by key. */
  const digests = new Map<string, string>();
  const lines = new Map<string, number>();
  const ids = new Set<string>();
  /** The properties that have a unit, by the unit's key. */
  const occupants = new Map<string, string>();
  const nameless: number[] = [];
  const rejections: Rejections = { counts: {}, records: [] };
  const read = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>;
  let number = 0;
  let valid = 0;
  let next = await records.next();
  for (; !next.done; next = await records.next()) {
    const record = next.value;
    number++;
    if (isBad(record)) {
      read[record.kind]++;
      if (record.id === null) nameless.push(record.line);
      else if (record.id !== undefined) ids.add(record.id);
      reject(rejections, record);
      continue;
    }
    const { line, document, needs = [] } = record;
    const key = documentKey(document);
    const contents = mayRepeat ? sha256Hex(JSON.stringify(document)) : '';
    if (mayRepeat && digests.get(key) === contents) {
      notes.interpreted('property', 'repeated', line, key, 'one record');
      continue;
    }
    read[document.kind]++;
    const property = document.kind === 'property' ? document : undefined;
    const unit = property?.unit ? keyOf('unit', property.unit.development, property.unit.name) : '';
    const variant = property && suffixVariants(property.id).find((id) => ids.has(id));
    const occupant = occupants.get(unit);
    const problem = digests.has(key)
      ? {
          field: property ? 'id' : '',
          message: message('duplicate_record', { line: lines.get(key)! }),
        }
      : variant !== undefined
        ? { field: 'id', message: message('suffix_conflict', { property: variant }) }
        : occupant !== undefined && {
            field: 'unit',
            message: message('taken', { property: occupant }),
          };
    if (property) ids.add(property.id);
    if (problem) {
      reject(rejections, {
        line,
        kind: document.kind,
        id: property?.id,
        problems: [problem],
      } satisfies BadRecord);
      continue;
    }
    for (const needed of needs) {
      digests.set(documentKey(needed), '');
      lines.set(documentKey(needed), line);
    }
    digests.set(key, contents);
    lines.set(key, line);
    if (unit !== '') occupants.set(unit, property!.id);
    valid++;
    yield { ...record, number };
  }
  const { ignoredNodes: ignored, interpretations: interpreted } = notes;
  return {
    scan: { ...next.value, format, reading, read, valid, rejections, ignored, interpreted },
    keys: { documents: new Set(digests.keys()), ids, nameless },
  };
}
