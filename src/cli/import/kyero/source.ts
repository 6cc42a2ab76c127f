import type { PropertyDocument } from '../../../portfolio/documents.ts';
import { Failure } from '../../failure.ts';
import { IgnoredNodes } from '../ignored-nodes.ts';
import { Interpretations } from '../interpretations.ts';
import { isBad, type Source, type SourceRecord } from '../record.ts';
import { childText, isEmpty, type XmlNode } from '../xml/node.ts';
import { KyeroVocabulary } from './names.ts';
import type { KyeroNames } from './names-table.ts';
import { kyeroProperty } from './property.ts';
import { Provinces } from './provinces.ts';

export interface KyeroOptions {
  /** What the names of types and features stand for. */
  readonly names: KyeroNames;
  /** When a property without a date counts as listed. */
  readonly now: Date;
  /** Whether a record is rejected if one of its nodes had to be interpreted. */
  readonly strict: boolean;
}

/** The languages of the format, by their names in documents. */
const LANGUAGES = new Set(['ca', 'de', 'da', 'uk', 'es', 'fi', 'fr', 'it', 'nl', 'no', 'pt', 'ru', 'sv']);

/**
 * A Kyero v3 feed: a root with a `kyero` that contains the version, and one `property` per record.
 *
 * @param elements the children of the root
 */
export function kyeroSource(elements: AsyncIterable<XmlNode>, { names, now, strict }: KyeroOptions): Source {
  const vocabulary = new KyeroVocabulary(names);
  const ignored = new IgnoredNodes();
  const interpretations = new Interpretations();
  const provinces = new Provinces();
  const withoutProvince: { town: string; line: number }[] = [];
  const reading = {
    vocabulary,
    now: `${now.toISOString().slice(0, 19)}Z`,
    ignored: ignored.add.bind(ignored),
    interpreted: interpretations.add.bind(interpretations),
  };
  const recordOf = (node: XmlNode): SourceRecord => {
    const record = kyeroProperty(node, reading, strict);
    if (isBad(record)) return record;
    const document = record.document as PropertyDocument;
    vocabulary.use(document);
    if (document.province !== '') provinces.add(document.town, document.province);
    else withoutProvince.push({ town: document.town, line: record.line });
    return record;
  };
  return {
    format: 'kyero',
    async *records(): AsyncGenerator<SourceRecord> {
      let version: string | undefined;
      for await (const node of elements) {
        if (node.name === 'property') yield recordOf(node);
        else if (node.name === 'kyero') version = supported(childText(node, 'feed_version'));
        else if (node.name === 'feed_version') version = supported(childText({ ...node, children: [node] }, node.name));
        else if (!ABOUT_THE_FEED.has(node.name) && !isEmpty(node)) reading.ignored(node.name, node.line);
      }
      for (const { town, line } of withoutProvince) {
        const found = provinces.of(town);
        interpretations.add(
          'province',
          found === undefined ? 'missing' : 'from_other_records',
          line,
          town,
          found ?? '',
        );
      }
      if (version === undefined) interpretations.add('kyero/feed_version', 'missing', 1, '', '3');
    },
    completed(record) {
      const { document } = record;
      if (document.kind !== 'property' || document.province !== '') return record;
      return { ...record, document: { ...document, province: provinces.of(document.town) ?? '' } };
    },
    isNewestFirst: () => false,
    languages: () => LANGUAGES,
    vocabulary: () => ({ ...vocabulary.documents(), labelled: [] }),
    unknownNames: () => vocabulary.unknownNames(),
    ignored: () => ignored.byName,
    interpretations,
  };
}

/** Elements between the records that do not describe any. */
const ABOUT_THE_FEED: ReadonlySet<string> = new Set(['agent', 'feed_generated']);

/** A version 3 of the format, or an empty version. */
function supported(version: string): string | undefined {
  if (version === '' || /^v?3(\.\d+)?$/i.test(version)) return version || undefined;
  throw new Failure(
    'unsupported_format',
    `The file is a Kyero feed of version ${version}; only version 3 can be imported.`,
  );
}
