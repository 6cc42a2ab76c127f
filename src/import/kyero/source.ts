import type { Completion } from '../completion.ts';
import type { BadRecord, Source, ValidRecord } from '../record.ts';
import type { XmlNode } from '../xml/node.ts';
import { withOffersTogether } from './merged.ts';
import type { KyeroReader } from './reader.ts';

/** The languages of the format, by their names in documents. */
const LANGUAGES = ['ca', 'de', 'da', 'uk', 'es', 'fi', 'fr', 'it', 'nl', 'no', 'pt', 'ru', 'sv'];

/**
 * A Kyero v3 feed: a root with a `kyero` that contains the version, and one `property` per record.
 *
 * @param reader collects what concerns several records
 * @param elements the children of the root
 */
export function kyeroSource(reader: KyeroReader, elements: AsyncIterable<XmlNode>): Source {
  const { vocabulary, notes } = reader;
  let completion: Completion = {};
  return {
    format: 'kyero',
    notes,
    async *records() {
      yield* withOffersTogether(recordsOf(elements, reader));
      completion = reader.finish();
    },
    summary: () => ({
      vocabulary: vocabulary.entries(),
      unknownNames: vocabulary.unknownNames(),
      newestFirst: false,
      languages: LANGUAGES,
      completion,
    }),
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
