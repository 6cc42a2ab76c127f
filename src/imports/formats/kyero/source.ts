import { isEqual } from '../../../lib/bytes/equal.ts';
import type { PropertyDocument } from '../../../properties/documents.ts';
import { ImportError } from '../../pipeline/error.ts';
import { Vocabulary } from '../../pipeline/names.ts';
import type { Notes } from '../../pipeline/notes.ts';
import {
  EMPTY_SUMMARY,
  isBad,
  mergedOffers,
  OFFERS,
  type ReadingOptions,
  type Source,
  type SourceRecord,
  type ValidRecord,
} from '../../pipeline/record.ts';
import { spelling } from '../../values/interpretation.ts';
import { isEmpty, trimmed, type XmlNode } from '../../xml/node.ts';
import { kyeroProperty } from './property.ts';

const LANGUAGES = ['ca', 'de', 'da', 'uk', 'es', 'fi', 'fr', 'it', 'nl', 'no', 'pt', 'ru', 'sv'];

const ABOUT_THE_FEED: ReadonlySet<string> = new Set(['agent', 'feed_generated']);

/**
 * A Kyero feed of version 2 or 3: the version and one `property` per record, in the root or in a `kyero` within it. A record
 * has one price, so feeds have a record for each offer of a property, one after the other: they become one.
 */
export async function* kyeroRecords(
  elements: AsyncIterable<XmlNode>,
  options: ReadingOptions,
  notes: Notes,
): Source['records'] {
  const vocabulary = new Vocabulary(options.names);
  const provinces = new Provinces();
  let version: string | undefined;
  let held: SourceRecord | undefined;
  for await (const element of elements) {
    const { name, line } = element;
    if (name === 'feed_version') version = supported(trimmed(element));
    else if (name === 'property') {
      const record = kyeroProperty(element, vocabulary, notes, options);
      if (!isBad(record)) {
        vocabulary.use(record.document as PropertyDocument);
        provinces.add(record);
      }
      const merged = held && mergedRecord(held, record);
      if (held !== undefined && merged === undefined) yield held;
      held = merged ?? record;
    } else if (!ABOUT_THE_FEED.has(name) && !isEmpty(element)) notes.ignored(name, line);
  }
  if (held !== undefined) yield held;
  if (version === undefined) notes.interpreted('kyero/feed_version', 'missing', 1, '', '3');
  return {
    ...EMPTY_SUMMARY,
    vocabulary: vocabulary.entries(),
    unknownNames: vocabulary.unknownNames(),
    languages: LANGUAGES,
    completion: { provinces: provinces.found(notes) },
  };
}

/** The provinces that records state for their towns, by the town's spelling. */
class Provinces {
  /** How many records state each. */
  readonly #counts = new Map<string, Map<string, number>>();
  readonly #missing: { readonly town: string; readonly line: number }[] = [];

  add({ line, document }: ValidRecord): void {
    const { town, province } = document as PropertyDocument;
    const counts = this.#counts.get(spelling(town)) ?? new Map<string, number>();
    if (province === '') this.#missing.push({ town, line });
    else this.#counts.set(spelling(town), counts.set(province, (counts.get(province) ?? 0) + 1));
  }

  /** For towns of records without a province, the one that most others state; each of these records is reported. */
  found(notes: Notes): Record<string, string> {
    const found: Record<string, string> = {};
    for (const { town, line } of this.#missing) {
      const counts = town === '' ? undefined : this.#counts.get(spelling(town));
      const [most] = [...(counts ?? [])].sort(([, a], [, b]) => b - a);
      if (most !== undefined) found[spelling(town)] = most[0];
      notes.interpreted(
        'province',
        most ? 'from_other_records' : 'missing',
        line,
        most ? town : '',
        most?.[0] ?? '',
      );
    }
    return found;
  }
}

/** A version 2 or 3 of the format, or an empty version. */
function supported(version: string): string | undefined {
  if (version === '' || /^v?[23](\.\d+)?$/i.test(version)) return version || undefined;
  throw new ImportError(
    'unsupported_format',
    `The file is a Kyero feed of version ${version}; only versions 2 and 3 can be imported.`,
  );
}

/** Two records that are offers of one property with the same contents except the price, as one; otherwise `undefined`. */
function mergedRecord(first: SourceRecord, second: SourceRecord): ValidRecord | undefined {
  if (isBad(first) || isBad(second)) return undefined;
  const [a, b] = [first.document, second.document] as [PropertyDocument, PropertyDocument];
  if (a.id !== b.id || OFFERS.some((name) => a.offers[name] !== null && b.offers[name] !== null))
    return undefined;
  const document = { ...a, offers: mergedOffers(a.offers, b.offers) };
  return isEqual(document, { ...b, offers: document.offers }) ? { ...first, document } : undefined;
}
