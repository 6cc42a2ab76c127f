import { isEqual } from '../../lib/bytes/equal.ts';
import type { PropertyDocument } from '../../portfolio/documents.ts';
import { ImportError } from '../error.ts';
import { KyeroVocabulary } from '../names/names.ts';
import { kyeroNames } from '../names/names-table.ts';
import type { Notes } from '../notes.ts';
import {
  type Completion,
  isBad,
  mergedOffers,
  OFFERS,
  type ReadingOptions,
  type Source,
  type SourceRecord,
  type ValidRecord,
} from '../record.ts';
import { spelling } from '../values/interpretation.ts';
import { childText, isEmpty, trimmed, type XmlNode } from '../xml/node.ts';
import { kyeroProperty } from './property.ts';

const LANGUAGES = ['ca', 'de', 'da', 'uk', 'es', 'fi', 'fr', 'it', 'nl', 'no', 'pt', 'ru', 'sv'];

const ABOUT_THE_FEED: ReadonlySet<string> = new Set(['agent', 'feed_generated']);

/**
 * A Kyero feed of version 2 or 3: a root with a `kyero` that contains the version, and one `property` per record. A record
 * has one price, so feeds have a record for each offer of a property, one after the other: they become one.
 */
export function kyeroSource(elements: AsyncIterable<XmlNode>, options: ReadingOptions, notes: Notes): Source {
  const vocabulary = new KyeroVocabulary(kyeroNames(options.names));
  /** By a town's spelling, how many records give each province. */
  const provincesOf = new Map<string, Map<string, number>>();
  const withoutProvince: { readonly town: string; readonly line: number }[] = [];
  let version: string | undefined;
  let completion: Completion = {};

  function recordOf(node: XmlNode): SourceRecord {
    const record = kyeroProperty(node, vocabulary, notes, options);
    if (isBad(record)) return record;
    const { town, province, ...document } = record.document as PropertyDocument;
    vocabulary.use(document);
    const key = spelling(town);
    if (province === '') withoutProvince.push({ town, line: record.line });
    else {
      const counts = provincesOf.get(key) ?? new Map<string, number>();
      provincesOf.set(key, counts.set(province, (counts.get(province) ?? 0) + 1));
    }
    return record;
  }

  /** Reports what is missing, and completes it by what most records give for a town. */
  function complete(): void {
    const provinces: Record<string, string> = {};
    for (const { town, line } of withoutProvince) {
      const found = [...(provincesOf.get(spelling(town)) ?? [])].sort(([, a], [, b]) => b - a)[0]?.[0];
      if (found === undefined) notes.interpreted('province', 'missing', line, '', '');
      else {
        notes.interpreted('province', 'from_other_records', line, town, found);
        provinces[spelling(town)] = found;
      }
    }
    if (version === undefined) notes.interpreted('kyero/feed_version', 'missing', 1, '', '3');
    completion = { provinces };
  }

  return {
    format: 'kyero',
    notes,
    async *records() {
      let held: SourceRecord | undefined;
      for await (const element of elements) {
        const { name, line } = element;
        if (name === 'kyero') version = supported(childText(element, 'feed_version'));
        else if (name === 'feed_version') version = supported(trimmed(element));
        else if (name === 'property') {
          const record = recordOf(element);
          const merged = held && mergedRecord(held, record);
          if (held !== undefined && merged === undefined) yield held;
          held = merged ?? record;
        } else if (!ABOUT_THE_FEED.has(name) && !isEmpty(element)) notes.ignored(name, line);
      }
      if (held !== undefined) yield held;
      complete();
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
  if (a.id !== b.id || OFFERS.some((name) => a.offers[name] !== null && b.offers[name] !== null)) return undefined;
  const together = {
    offers: mergedOffers(a.offers, b.offers),
    sale_updated_at: a.sale_updated_at ?? b.sale_updated_at,
    rental_updated_at: a.rental_updated_at ?? b.rental_updated_at,
  };
  const document = { ...a, ...together };
  return isEqual(document, { ...b, ...together }) ? { ...first, document } : undefined;
}
