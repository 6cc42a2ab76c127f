import {
  DocumentError,
  type PortfolioDocument,
  type PropertyDocument,
  parseDocument,
} from '../../portfolio/documents.ts';
import { mergedOffers, OFFERS, type Offers } from '../completion.ts';
import type { Source, SourceRecord, Summary } from '../record.ts';
import type { Notes } from '../results/notes.ts';
import { childText, emptyAbsent, isEmpty, type XmlNode } from '../xml/node.ts';
import { type Labels, mainLabel } from './labels.ts';
import { type FeedProperty, readFeedProperty } from './property.ts';
import { directionOf, Units } from './units.ts';
import { FeedVocabulary } from './vocabulary.ts';

/**
 * The XML feed of ReSales-Online in versions 1 to 3, as this service and others write it: a root with a `resalesonline`
 * that contains the version, and one `property` per record. Rental records of a property, whose identifiers end in -LT
 * or -ST, are merged into it; types, categories and features get the labels in the feed.
 *
 * @param elements the children of the root
 * @param now the listing date of properties without one: ISO 8601, whole seconds of UTC
 */
export function resalesSource(elements: AsyncIterable<XmlNode>, now: string, notes: Notes): Source {
  return new ResalesSource(elements, now, notes);
}

/** The path of a direction of a unit, below its record. */
const DIRECTION = 'characteristics/category/value';

class ResalesSource implements Source {
  readonly format = 'resales';
  readonly notes: Notes;
  readonly #elements: AsyncIterable<XmlNode>;
  readonly #now: string;
  readonly #units = new Units();
  #vocabulary = new FeedVocabulary(1);
  /** Identifiers of records by those of their properties. */
  readonly #records = new Map<string, Set<string>>();
  /** Offers of later records of a property. */
  readonly #offers = new Map<string, Offers>();
  readonly #offered = new Set<keyof Offers>();
  readonly #languages = new Set<string>();
  #byListingDate = false;

  constructor(elements: AsyncIterable<XmlNode>, now: string, notes: Notes) {
    this.#elements = elements;
    this.#now = now;
    this.notes = notes;
  }

  async *records(): AsyncGenerator<SourceRecord> {
    for await (const node of this.#elements) {
      if (node.name === 'property') yield* this.#recordsOf(node);
      else if (node.name === 'resalesonline') {
        this.#vocabulary = new FeedVocabulary(Number.parseInt(childText(node, 'feed_version'), 10) || 1);
      } else if (!isEmpty(node)) this.notes.ignored(node.name, node.line);
    }
  }

  #recordsOf(node: XmlNode): SourceRecord[] {
    emptyAbsent(node);
    const { line } = node;
    const ref = childText(node, 'ref');
    if (childText(node, 'id') === '' && ref !== '') {
      this.notes.interpreted('id', 'missing', line, '', ref);
      node.children.unshift({ name: 'id', attributes: {}, line, at: 0, children: [], text: ref });
    }
    const id = childText(node, 'id');
    if (id === '') return [{ line, kind: 'property', id: null, problems: [{ field: 'id', detail: 'is missing' }] }];
    const reporting = {
      now: this.#now,
      ignored: this.notes.ignored.bind(this.notes),
      interpreted: this.notes.interpreted.bind(this.notes),
    };
    const read = readFeedProperty(node, this.#vocabulary, reporting);
    this.#byListingDate ||= !read.open.includes('listed_at');
    const offers = read.given.offers as Offers;
    for (const name of OFFERS) if (offers[name] !== null) this.#offered.add(name);
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
      const needs: PortfolioDocument[] = [];
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
        needs.push(parseDocument(developmentDocument), parseDocument(unitDocument));
      }
      const document = parseDocument({ ...given, unit: held, features }) as PropertyDocument;
      this.#vocabulary.use(document);
      return [{ line, document, open, openTexts: ['title', 'url'], needs }];
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      return [{ line, kind: 'property', id: given.id, problems: error.problems }];
    }
  }

  #directionOf(labels: Labels, line: number): string {
    const { value, how } = directionOf(labels);
    if (how !== undefined) this.notes.interpreted(DIRECTION, how, line, mainLabel(labels), value);
    return value;
  }

  summary(): Summary {
    return {
      vocabulary: this.#vocabulary.entries(),
      unknownNames: { types: [], features: [] },
      // A feed in the order of listing dates begins with the property that came last.
      newestFirst: this.#byListingDate,
      languages: [...this.#languages],
      completion: {
        offers: Object.fromEntries(this.#offers),
        openOffers: OFFERS.filter((name) => !this.#offered.has(name)),
      },
    };
  }
}
