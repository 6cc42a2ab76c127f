import type { BadRecord, Source, ValidRecord } from '../record.ts';
import type { XmlNode } from '../xml/node.ts';
import { withOffersTogether } from './merged.ts';
import type { KyeroReader } from './reader.ts';

/** The languages of the format, by their names in documents. */
const LANGUAGES = new Set(['ca', 'de', 'da', 'uk', 'es', 'fi', 'fr', 'it', 'nl', 'no', 'pt', 'ru', 'sv']);

/**
 * A Kyero v3 feed: a root with a `kyero` that contains the version, and one `property` per record.
 *
 * @param reader collects what concerns several records
 * @param elements the children of the root
 */
export function kyeroSource(reader: KyeroReader, elements: AsyncIterable<XmlNode>): Source {
  const { vocabulary, provinces } = reader;
  return {
    format: 'kyero',
    async *records() {
      yield* withOffersTogether(recordsOf(elements, reader));
      reader.finish();
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
    ignored: () => reader.ignored.byName,
    interpretations: reader.interpretations,
  };
}

async function* recordsOf(
  elements: AsyncIterable<XmlNode>,
  reader: KyeroReader,
): AsyncGenerator<ValidRecord | BadRecord> {
  for await (const element of elements) {
    const record = reader.read(element);
    if (record !== undefined) yield record;
  }
}
