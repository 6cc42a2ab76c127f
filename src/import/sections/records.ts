import { textOf } from '../input/decode.ts';
import type { KyeroOptions, KyeroReader } from '../kyero/reader.ts';
import { isBad, type SourceRecord } from '../record.ts';
import { elementsOf, openXml, type Root } from '../xml/elements.ts';
import type { XmlNode } from '../xml/node.ts';
import type { ReadSection } from './section.ts';
import { asDocument, type Section, sectionsOf } from './split.ts';

/** Reads sections in another thread, in the order in which they are given. */
export interface SectionThread {
  /** Sets how sections are read; called before the first. */
  begin(options: KyeroOptions): void;
  /**
   * Reads a section.
   *
   * @param document the section as a document of its own, in UTF-8
   * @returns `null` if the section cannot be read by itself, or if the thread has failed
   */
  read(document: Uint8Array): Promise<ReadSection | null>;
  end(): void;
}

/** Starts threads that read sections. */
export type StartThreads = () => Promise<SectionThread[]>;

/** Bytes of a section. */
const SECTION = 256 * 1024;

/** Sections given to a thread at a time, so that it need not wait for the next. */
const AHEAD = 2;

/**
 * The records of a Kyero feed, read by other threads section by section. Sections that are well-formed by themselves are
 * so together, with the same records. From the first section that is not, or at which a thread fails, this thread reads
 * the rest. Hence the records, and every error, are those of reading the feed in one go.
 *
 * @param chunks the feed in UTF-8
 * @param reader collects what concerns several records
 * @param least how many bytes a section has at least
 */
export async function* recordsInSections(
  chunks: AsyncIterable<Uint8Array>,
  root: Root,
  reader: KyeroReader,
  threads: readonly SectionThread[],
  least = SECTION,
): AsyncGenerator<SourceRecord> {
  const sections = sectionsOf(chunks, least);
  const pending: { readonly section: Section; readonly reading: Promise<ReadSection | null> }[] = [];
  let given = 0;
  let line = 1;
  const giveMore = async () => {
    while (pending.length < threads.length * AHEAD) {
      const next = await sections.next();
      if (next.done) return;
      const thread = threads[given++ % threads.length]!;
      pending.push({ section: next.value, reading: thread.read(asDocument(next.value, root.name)) });
    }
  };
  try {
    for (await giveMore(); pending.length > 0; await giveMore()) {
      const { section, reading } = pending.shift()!;
      const read = await reading;
      if (read === null) {
        const rest = followedBy([section, ...pending.map((each) => each.section)], sections);
        yield* readElements((await openXml(textOf(inRoot(rest, root.name)), line, root.line)).elements, reader);
        return;
      }
      if (reader.add(read.found, line - 1)) yield* recordsIn(read, line - 1);
      else yield* readElements(elementsOf(asDocument(section, root.name), line), reader);
      line += read.lines;
    }
  } finally {
    for (const thread of threads) thread.end();
  }
}

/** The records of these elements. */
export async function* readElements(
  elements: AsyncIterable<XmlNode> | Iterable<XmlNode>,
  reader: KyeroReader,
): AsyncGenerator<SourceRecord> {
  for await (const element of elements) {
    const record = reader.read(element);
    if (record !== undefined) yield record;
  }
}

function* recordsIn({ records, bytes }: ReadSection, linesBefore: number): Generator<SourceRecord> {
  let start = 0;
  for (const record of records) {
    const line = record.line + linesBefore;
    if (isBad(record)) {
      yield { ...record, line };
      continue;
    }
    const end = start + record.length;
    yield { line, key: record.key, bytes: bytes.subarray(start, end) };
    start = end;
  }
}

/** The bytes of sections up to the last, with a root. */
async function* inRoot(sections: AsyncIterable<Section>, root: string): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const section of sections) {
    yield isFirst ? asDocument({ ...section, isLast: true }, root) : section.bytes;
    isFirst = false;
  }
}

async function* followedBy<Item>(first: readonly Item[], rest: AsyncIterable<Item>): AsyncGenerator<Item> {
  yield* first;
  yield* rest;
}
