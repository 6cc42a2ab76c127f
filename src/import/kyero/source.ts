import type { Source, SourceRecord } from '../record.ts';
import { withOffersTogether } from './merged.ts';
import type { KyeroReader } from './reader.ts';

/** The languages of the format, by their names in documents. */
const LANGUAGES = new Set(['ca', 'de', 'da', 'uk', 'es', 'fi', 'fr', 'it', 'nl', 'no', 'pt', 'ru', 'sv']);

/**
 * A Kyero v3 feed: a root with a `kyero` that contains the version, and one `property` per record.
 *
 * @param reader collects what concerns several records
 * @param records the records, read by that reader
 */
export function kyeroSource(reader: KyeroReader, records: AsyncIterable<SourceRecord>): Source {
  const { vocabulary, provinces } = reader;
  return {
    format: 'kyero',
    async *records() {
      yield* withOffersTogether(records);
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
