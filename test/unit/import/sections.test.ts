import { describe, expect, test } from 'vitest';
import { textOf } from '../../../src/import/input/decode.ts';
import { KyeroReader } from '../../../src/import/kyero/reader.ts';
import { kyeroSource } from '../../../src/import/kyero/source.ts';
import { readKyeroNames } from '../../../src/import/names/names-table.ts';
import { deserialized, isBad, type Source, type SourceRecord, serialized } from '../../../src/import/record.ts';
import { readElements, recordsInSections, type SectionThread } from '../../../src/import/sections/records.ts';
import { readSection } from '../../../src/import/sections/section.ts';
import { openXml } from '../../../src/import/xml/elements.ts';
import { type KyeroNodes, kyeroFeed, kyeroRecord } from '../../support/kyero.ts';

const options = { names: await readKyeroNames(), now: new Date('2026-05-01T09:30:00Z'), strict: false };

async function* chunksOf(feed: string | Uint8Array): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(feed as string);
  for (let start = 0; start < bytes.length; start += 300) yield bytes.subarray(start, start + 300);
}

/** All that an import uses of a source, or why it cannot be read. */
async function contentOf(source: Source): Promise<unknown> {
  const shown = (record: SourceRecord) => {
    if (isBad(record)) return record;
    const { line, key, bytes } = 'document' in record ? serialized(record) : record;
    return { line, key, record: deserialized(bytes) };
  };
  const records: unknown[] = [];
  try {
    for await (const record of source.records()) records.push(shown(record));
  } catch (error) {
    return { error: String(error) };
  }
  return {
    records,
    vocabulary: source.vocabulary(),
    unknown: source.unknownNames(),
    ignored: [...source.ignored()],
    interpreted: source.interpretations.list(),
  };
}

async function inOneGo(feed: string | Uint8Array): Promise<unknown> {
  const reader = new KyeroReader(options);
  return contentOf(kyeroSource(reader, readElements((await openXml(textOf(chunksOf(feed)))).elements, reader)));
}

interface Sections {
  readonly content: unknown;
  /** Of each section given to a thread, whether it could be read by itself. */
  readonly read: readonly boolean[];
  readonly ended: number;
}

/** Reads a feed in sections of about two records; the threads fail from a section on. */
async function inSections(feed: string | Uint8Array, failing = Number.POSITIVE_INFINITY): Promise<Sections> {
  const read: boolean[] = [];
  let ended = 0;
  const thread: SectionThread = {
    begin() {},
    async read(document) {
      if (read.length >= failing) return null;
      try {
        const section = readSection(document, options);
        read.push(true);
        return section;
      } catch {
        read.push(false);
        return null;
      }
    },
    end() {
      ended++;
    },
  };
  const { root } = await openXml(textOf(chunksOf(feed)));
  const reader = new KyeroReader(options);
  const content = await contentOf(
    kyeroSource(reader, recordsInSections(chunksOf(feed), root, reader, [thread, thread], 2_000)),
  );
  return { content, read, ended };
}

function feedOf(nodes: (index: number) => KyeroNodes): string {
  return kyeroFeed(Array.from({ length: 40 }, (_, index) => kyeroRecord(`k${index}`, nodes(index))));
}

const FEED = feedOf((index) => ({ features: `<feature>Helipad ${index % 7}</feature><feature>Sauna</feature>` }));

describe('a feed read in sections: the same as in one go', () => {
  test.each<[string, string]>([
    ['as specified', FEED],
    ['with CRLF', FEED.replaceAll('\n', '\r\n')],
    ['on one line', FEED.replaceAll('\n', '')],
    ['with records without an id', feedOf((index) => (index % 9 === 5 ? { id: null } : {}))],
    ['with interpretations and ignored nodes', feedOf((index) => ({ beds: `${index}.5`, baths: '2+1', shoe: 'x' }))],
    ['with towns without a province', feedOf((index) => ({ province: index % 3 === 0 ? '' : `P${index % 4}` }))],
    [
      'with labels in several languages',
      feedOf((index) => ({
        features: `<feature><${index < 20 ? 'en' : 'es'}>Helipad</${index < 20 ? 'en' : 'es'}></feature>`,
      })),
    ],
    [
      'with the version at its end',
      FEED.replace(/<kyero>.*<\/kyero>/s, '').replace(
        '</root>',
        '<kyero><feed_version>3</feed_version></kyero></root>',
      ),
    ],
  ])('%s', async (_, feed) => {
    const { content, read, ended } = await inSections(feed);
    expect(content).toEqual(await inOneGo(feed));
    expect(read.length).toBeGreaterThan(4);
    expect([...new Set(read), ended]).toEqual([true, 2]);
  });

  test.each<[string, string]>([
    ['a comment with the end of a record', FEED.replaceAll('</property>', '</property><!-- </property> -->')],
    ['CDATA with the end of a record', FEED.replaceAll('</property>', '</property><x><![CDATA[</property>]]></x>')],
    ['an element that is not closed', FEED.replace('<id>k25</id>', '<id>k25</id><b>')],
    ['a record that is not closed', FEED.replace(/<\/property>(?=\s*<property>\s*<id>k25<)/, '')],
    ['an ampersand that is not escaped', FEED.replace('<id>k25</id>', '<id>k25 & more</id>')],
    ['an end in a record', FEED.slice(0, -400)],
    ['an end after a record', FEED.slice(0, FEED.lastIndexOf('</property>') + 11)],
    ['another version', FEED.replace('</root>', '<kyero><feed_version>2</feed_version></kyero></root>')],
  ])('with %s', async (_, feed) => {
    const { content, read } = await inSections(feed);
    expect(content).toEqual(await inOneGo(feed));
    expect(read).toContain(false);
  });

  test('with spellings of an unknown name', async () => {
    const feed = feedOf((index) => ({ features: `<feature>${index < 20 ? 'Helipad' : 'HELI-PAD'}</feature>` }));
    const { content } = await inSections(feed);
    expect(content).toEqual(await inOneGo(feed));
    expect(content).toMatchObject({ unknown: { features: [{ code: 'Helipad', count: 40 }] } });
  });

  test('with other alphabets, and a character that is a byte order mark at the beginning of a section', async () => {
    const feed = feedOf((index) => ({ town: `Пуэрто ñ 😀 ${index}` })).replaceAll('</property>', '</property>\uFEFF');
    const { content, read } = await inSections(feed);
    expect(content).toEqual(await inOneGo(feed));
    expect(content).not.toHaveProperty('error');
    expect([...new Set(read)]).toEqual([true]);
  });

  test('with bytes that are not UTF-8', async () => {
    const bytes = Buffer.from(FEED);
    bytes[bytes.indexOf('<id>k25') + 4] = 0xff;
    const { content, read } = await inSections(bytes);
    expect(content).toEqual(await inOneGo(bytes));
    expect(content).toEqual({ error: expect.stringContaining('The file is not valid utf-8.') });
    expect(read).toContain(false);
  });

  test('with a thread that fails', async () => {
    expect((await inSections(FEED, 5)).content).toEqual(await inOneGo(FEED));
  });
});
