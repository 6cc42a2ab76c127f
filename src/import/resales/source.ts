import {
  DocumentError,
  type PortfolioDocument,
  type PropertyDocument,
  parseDocument,
} from '../../portfolio/documents.ts';
import { mergedOffers, OFFERS, type Offers } from '../completion.ts';
import type { ReadingOptions, Source, SourceRecord, Summary } from '../record.ts';
import type { Notes } from '../results/notes.ts';
import { childText, emptyAbsent, isEmpty, type XmlNode } from '../xml/node.ts';
import { mainLabel } from './labels.ts';
import { type FeedProperty, readFeedProperty } from './property.ts';
import { directionOf, Units } from './units.ts';
import { FeedVocabulary } from './vocabulary.ts';

/** The path of a direction of a unit, below its record. */
const DIRECTION = 'characteristics/category/value';

/**
 * The XML feed of ReSales-Online in versions 1 to 3, as this service and others write it: a root with a `resalesonline`
 * that contains the version, and one `property` per record. Rental records of a property, whose identifiers end in -LT
 * or -ST, are merged into it; types, categories and features get the labels in the feed.
 */
export class ResalesSource implements Source {
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

  /** @param elements the children of the root */
  constructor(elements: AsyncIterable<XmlNode>, { now }: ReadingOptions, notes: Notes) {
    this.#elements = elements;
    this.#now = now;
    this.notes = notes;
  }

  async *records(): AsyncGenerator<SourceRecord> {
    for await (const node of this.#elements) {
      const { name } = node;
      if (name === 'property') yield* this.#recordsOf(node);
      else if (name === 'resalesonline') {
        this.#vocabulary = new FeedVocabulary(Number.parseInt(childText(node, 'feed_version'), 10) || 1);
      } else if (!isEmpty(node)) this.notes.ignored(name, node.line);
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
    const read = readFeedProperty(node, this.#vocabulary, this.notes, this.#now);
    const { given } = read;
    this.#byListingDate ||= !read.open.includes('listed_at');
    const offers = given.offers as Offers;
    for (const name of OFFERS) if (offers[name] !== null) this.#offered.add(name);
    for (const language of Object.keys(given.texts ?? {})) this.#languages.add(language);
    const others = this.#records.get(given.id);
    if (others !== undefined && !others.has(id)) {
      others.add(id);
      const before = this.#offers.get(given.id);
      this.#offers.set(given.id, before === undefined ? offers : mergedOffers(before, offers));
      return [];
    }
    this.#records.set(given.id, new Set([id]));
    try {
      return [this.#recordWith(line, read)];
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      return [{ line, kind: 'property', id: given.id, problems: error.problems }];
    }
  }

  #recordWith(line: number, { given, open, development, unit, categories }: FeedProperty): SourceRecord {
    const vocabulary = this.#vocabulary;
    const isUnit = development.trim() !== '';
    const isDirections = categories.map((category) => isUnit && vocabulary.isOrientation(category));
    const features = vocabulary.features(categories.filter((_, index) => !isDirections[index]));
    const needs: PortfolioDocument[] = [];
    let held: PropertyDocument['unit'] = null;
    if (isUnit) {
      const directions = categories
        .flatMap(({ values }, index) => (isDirections[index] ? values : []))
        .map((labels) => {
          const { value, how } = directionOf(labels);
          if (how !== undefined) this.notes.interpreted(DIRECTION, how, line, mainLabel(labels), value);
          return value;
        });
      const documents = this.#units.of(development, unit, given.status, given.offers?.sale?.price ?? 0, directions);
      held = { development: documents[0].id, name: documents[1].name };
      needs.push(...documents.map(parseDocument));
    }
    const document = parseDocument({ ...given, unit: held, features }) as PropertyDocument;
    vocabulary.use(document);
    return { line, document, open, openTexts: ['title', 'url'], needs };
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
