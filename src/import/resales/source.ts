import { DocumentError, type PropertyDocument, parseDocument } from '../../portfolio/documents.ts';
import type { Source, SourceRecord, ValidRecord } from '../record.ts';
import { IgnoredNodes } from '../results/ignored-nodes.ts';
import { Interpretations } from '../results/interpretations.ts';
import { childText, isEmpty, type XmlNode } from '../xml/node.ts';
import { type Labels, mainLabel } from './labels.ts';
import { mergedOffers, type Offers } from './offers.ts';
import { type FeedProperty, readFeedProperty } from './property.ts';
import { directionOf, Units } from './units.ts';
import { FeedVocabulary } from './vocabulary.ts';

/**
 * The XML feed of ReSales-Online in versions 1 to 3, as this service and others write it: a root with a `resalesonline`
 * that contains the version, and one `property` per record. Rental records of a property, whose identifiers end in -LT
 * or -ST, are merged into it; types, categories and features get the labels in the feed.
 *
 * @param elements the children of the root
 * @param now the listing date of properties without one
 */
export function resalesSource(elements: AsyncIterable<XmlNode>, { now }: { readonly now: Date }): Source {
  return new ResalesSource(elements, now);
}

/** The path of a direction of a unit, below its record. */
const DIRECTION = 'characteristics/category/value';

class ResalesSource implements Source {
  readonly format = 'resales';
  readonly interpretations = new Interpretations();
  readonly #elements: AsyncIterable<XmlNode>;
  readonly #now: string;
  readonly #ignored = new IgnoredNodes();
  readonly #units = new Units();
  #vocabulary = new FeedVocabulary(1);
  /** Identifiers of records by those of their properties. */
  readonly #records = new Map<string, Set<string>>();
  /** Offers of later records of a property. */
  readonly #offers = new Map<string, Offers>();
  readonly #offered = new Set<keyof Offers>();
  readonly #languages = new Set<string>();
  #byListingDate = false;

  constructor(elements: AsyncIterable<XmlNode>, now: Date) {
    this.#elements = elements;
    this.#now = `${now.toISOString().slice(0, 19)}Z`;
  }

  async *records(): AsyncGenerator<SourceRecord> {
    for await (const node of this.#elements) {
      if (node.name === 'property') yield* this.#recordsOf(node);
      else if (node.name === 'resalesonline') {
        this.#vocabulary = new FeedVocabulary(Number.parseInt(childText(node, 'feed_version'), 10) || 1);
      } else if (!isEmpty(node)) this.#ignored.add(node.name, node.line);
    }
  }

  #recordsOf(node: XmlNode): SourceRecord[] {
    const id = childText(node, 'id');
    const { line } = node;
    if (id === '') return [{ line, kind: 'property', id: null, problems: [{ field: 'id', detail: 'is missing' }] }];
    const reporting = {
      now: this.#now,
      ignored: (path: string, at: number) => this.#ignored.add(path, at),
      interpreted: this.interpretations.add.bind(this.interpretations),
    };
    const read = readFeedProperty(node, this.#vocabulary, reporting);
    this.#byListingDate ||= !read.open.includes('listed_at');
    const offers = read.given.offers as Offers;
    for (const name of ['sale', 'long_term', 'short_term'] as const) if (offers[name] !== null) this.#offered.add(name);
    for (const language of Object.keys(read.given.texts ?? {})) this.#languages.add(language);
    const others = this.#records.get(read.given.id);
    if (others !== undefined && !others.has(id)) {
      others.add(id);
      const before = this.#offers.get(read.given.id);
      this.#offers.set(read.given.id, before === undefined ? offers : mergedOffers(before, offers));
      return [];
    }
    this.#records.set(read.given.id, new Set([id]));
    return this.#documentsOf(node, read);
  }

  #documentsOf({ line }: XmlNode, { given, open, development, unit, categories }: FeedProperty): SourceRecord[] {
    try {
      const isUnit = development.trim() !== '';
      const directions = categories.filter((category) => this.#vocabulary.isOrientation(category));
      const features = this.#vocabulary.features(
        isUnit ? categories.filter((one) => !directions.includes(one)) : categories,
      );
      const records: ValidRecord[] = [];
      let held = null;
      if (isUnit) {
        const [unitDocument, developmentDocument] = this.#units.of({
          property: given.id,
          development,
          unit,
          status: given.status,
          price: given.offers?.sale?.price ?? null,
          directions: directions.flatMap(({ values }) => values.map((labels) => this.#directionOf(labels, line))),
        });
        held = { development: unitDocument.development, name: unitDocument.name };
        for (const document of [developmentDocument, unitDocument]) {
          if (document !== null) records.push({ line, document: parseDocument(document), onlyIfMissing: true });
        }
      }
      const document = parseDocument({ ...given, unit: held, features }) as PropertyDocument;
      this.#vocabulary.use(document);
      return [...records, { line, document, open, openTexts: ['title', 'url'] }];
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      return [{ line, kind: 'property', id: given.id, problems: error.problems }];
    }
  }

  #directionOf(labels: Labels, line: number): string {
    const { value, how } = directionOf(labels);
    if (how !== undefined) this.interpretations.add(DIRECTION, how, line, mainLabel(labels), value);
    return value;
  }

  completed<Given extends ValidRecord>(record: Given): Given {
    const { document } = record;
    if (document.kind !== 'property') return record;
    const more = this.#offers.get(document.id);
    const offers = more === undefined ? document.offers : mergedOffers(document.offers, more);
    const openOffers = (['sale', 'long_term', 'short_term'] as const).filter((name) => !this.#offered.has(name));
    return { ...record, document: { ...document, offers }, openOffers };
  }

  languages(): ReadonlySet<string> {
    return this.#languages;
  }

  /** A feed in the order of listing dates begins with the property that came last. */
  isNewestFirst(): boolean {
    return this.#byListingDate;
  }

  vocabulary() {
    return { set: [], fallback: [], labelled: this.#vocabulary.documents() };
  }

  unknownNames() {
    return { types: [], features: [] };
  }

  ignored() {
    return this.#ignored.byName;
  }
}
