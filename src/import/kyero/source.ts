import { isEqual } from '../../lib/bytes/equal.ts';
import type { PropertyDocument } from '../../portfolio/documents.ts';
import { type Completion, mergedOffers, OFFERS, townKey } from '../completion.ts';
import { ImportError } from '../error.ts';
import { KyeroVocabulary } from '../names/names.ts';
import { kyeroNames } from '../names/names-table.ts';
import {
  isBad,
  type ReadingOptions,
  type Source,
  type SourceRecord,
  type Summary,
  type ValidRecord,
} from '../record.ts';
import type { Notes } from '../results/notes.ts';
import { childText, isEmpty, type XmlNode } from '../xml/node.ts';
import { kyeroProperty } from './property.ts';

/** The languages of the format, by their names in documents. */
const LANGUAGES = ['ca', 'de', 'da', 'uk', 'es', 'fi', 'fr', 'it', 'nl', 'no', 'pt', 'ru', 'sv'];

/** Elements between the records that do not describe any. */
const ABOUT_THE_FEED: ReadonlySet<string> = new Set(['agent', 'feed_generated']);

/**
 * A Kyero feed of version 2 or 3: a root with a `kyero` that contains the version, and one `property` per record. A record
 * has one price, so feeds have a record for each offer of a property, one after the other: they become one.
 */
export class KyeroSource implements Source {
  readonly format = 'kyero';
  readonly notes: Notes;
  readonly #elements: AsyncIterable<XmlNode>;
  readonly #options: ReadingOptions;
  readonly #vocabulary: KyeroVocabulary;
  /** By a town's spelling, how many records give each province. */
  readonly #provinces = new Map<string, Map<string, number>>();
  readonly #withoutProvince: { readonly town: string; readonly line: number }[] = [];
  #version: string | undefined;
  #completion: Completion = {};

  /** @param elements the children of the root */
  constructor(elements: AsyncIterable<XmlNode>, options: ReadingOptions, notes: Notes) {
    this.#elements = elements;
    this.#options = options;
    this.#vocabulary = new KyeroVocabulary(kyeroNames(options.names));
    this.notes = notes;
  }

  async *records(): AsyncGenerator<SourceRecord> {
    let held: SourceRecord | undefined;
    for await (const element of this.#elements) {
      const record = this.#recordOf(element);
      if (record === undefined) continue;
      const merged = held && mergedRecord(held, record);
      if (held !== undefined && merged === undefined) yield held;
      held = merged ?? record;
    }
    if (held !== undefined) yield held;
    this.#complete();
  }

  summary(): Summary {
    return {
      vocabulary: this.#vocabulary.entries(),
      unknownNames: this.#vocabulary.unknownNames(),
      newestFirst: false,
      languages: LANGUAGES,
      completion: this.#completion,
    };
  }

  #recordOf(node: XmlNode): SourceRecord | undefined {
    const { name } = node;
    if (name !== 'property') {
      const isVersion = name === 'kyero' || name === 'feed_version';
      if (isVersion)
        this.#version = supported(childText(name === 'kyero' ? node : { ...node, children: [node] }, 'feed_version'));
      else if (!ABOUT_THE_FEED.has(name) && !isEmpty(node)) this.notes.ignored(name, node.line);
      return undefined;
    }
    const record = kyeroProperty(node, this.#vocabulary, this.notes, this.#options);
    if (isBad(record)) return record;
    const { town, province, ...document } = record.document as PropertyDocument;
    this.#vocabulary.use(document);
    if (province === '') this.#withoutProvince.push({ town, line: record.line });
    else {
      const counts = this.#provinces.get(townKey(town)) ?? new Map<string, number>();
      this.#provinces.set(townKey(town), counts.set(province, (counts.get(province) ?? 0) + 1));
    }
    return record;
  }

  /** Reports what is missing, and completes it by what most records give for a town. */
  #complete(): void {
    const provinces: Record<string, string> = {};
    for (const { town, line } of this.#withoutProvince) {
      const counts = this.#provinces.get(townKey(town)) ?? [];
      const found = [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
      if (found === undefined) this.notes.interpreted('province', 'missing', line, '', '');
      else {
        this.notes.interpreted('province', 'from_other_records', line, town, found);
        provinces[townKey(town)] = found;
      }
    }
    if (this.#version === undefined) this.notes.interpreted('kyero/feed_version', 'missing', 1, '', '3');
    this.#completion = { provinces };
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
  if (a.id !== b.id || OFFERS.some((name) => a.offers[name] !== null && b.offers[name] !== null)) return undefined;
  const together = {
    offers: mergedOffers(a.offers, b.offers),
    sale_updated_at: a.sale_updated_at ?? b.sale_updated_at,
    rental_updated_at: a.rental_updated_at ?? b.rental_updated_at,
  };
  const document = { ...a, ...together };
  return isEqual(document, { ...b, ...together }) ? { ...first, document } : undefined;
}
