import type { PropertyDocument } from '../../../properties/documents.ts';
import type { Notes } from '../../pipeline/notes.ts';
import { mergedOffers, OFFERS, type Offers, type ValidRecord } from '../../pipeline/record.ts';

/** What is remembered of the first record of a property. */
interface First {
  readonly facts: string;
  readonly extent: string;
  readonly line: number;
  readonly offers: Offers;
}

/**
 * The offers of properties that have a record for each, wherever these stand in the file. Dates,
 * texts, pictures and features are those of the first record.
 */
export class FurtherOffers {
  readonly #notes: Notes;
  readonly #first = new Map<string, First>();
  /** Offers that further records add, by the property's identifier. */
  readonly #added = new Map<string, Offers>();

  constructor(notes: Notes) {
    this.#notes = notes;
  }

  /**
   * @returns whether a record only adds an offer to the property of an earlier one, or repeats one
   *   that has been added
   */
  add({ line, document, openOffers }: ValidRecord): boolean {
    const property = document as PropertyDocument;
    const { id, offers } = property;
    const before = this.#first.get(id);
    if (before === undefined) {
      const offered = openOffers === undefined ? offers : UNKNOWN;
      const facts = factsOf(property);
      const extent = extentOf(property);
      this.#first.set(id, { facts, extent, line, offers: offered });
      return false;
    }
    if (factsOf(property) !== before.facts || openOffers !== undefined) return false;
    const added = this.#added.get(id);
    if (isRepeated(offers, added)) {
      this.#notes.interpreted('property', 'repeated', line, id, 'one record');
      return true;
    }
    const known = added === undefined ? before.offers : mergedOffers(before.offers, added);
    if (OFFERS.some((name) => known[name] !== null && offers[name] !== null)) return false;
    this.#added.set(id, added === undefined ? offers : mergedOffers(added, offers));
    if (extentOf(property) !== before.extent) {
      const as = `the record at line ${before.line}`;
      this.#notes.interpreted('property', 'first_of_several', line, id, as);
    }
    return true;
  }

  byId(): Readonly<Record<string, Offers>> {
    return Object.fromEntries(this.#added);
  }
}

/** Nothing can be added to offers that are not known. */
const UNKNOWN: Offers = {
  sale: { price: null, minimum_price: 0 },
  long_term: { rent: null },
  short_term: { low: null, high: null, license: null },
};

function isRepeated(offers: Offers, added: Offers | undefined): boolean {
  return (
    added !== undefined &&
    OFFERS.every(
      (name) =>
        offers[name] === null || JSON.stringify(offers[name]) === JSON.stringify(added[name]),
    )
  );
}

/**
 * What records of one property agree in: it is another property, or contradicts the first record,
 * if they do not.
 */
function factsOf(property: PropertyDocument): string {
  return JSON.stringify(FACTS.map((field) => property[field]));
}

const FACTS = [
  'ref',
  'type',
  'status',
  'rented',
  'currency',
  'new_build',
  'town',
  'area',
  'province',
  'country',
  'postcode',
  'address',
  'location',
  'beds',
  'bath',
  'built_area',
  'plot_area',
  'floor',
  'cadastral_ref',
] as const;

/** How much a record says of what the sale and the rental may each have their own of. */
function extentOf({ texts, pictures, features }: PropertyDocument): string {
  const lengths = Object.entries(texts).map(
    ([language, text]) =>
      `${language}${text?.description?.length}${text?.title?.length}${text?.url?.length}`,
  );
  return [pictures.length, features.length, ...lengths].join();
}
