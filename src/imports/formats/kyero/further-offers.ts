import { sha256Hex } from '../../../lib/secrets/secrets.ts';
import type { PropertyDocument } from '../../../properties/documents.ts';
import type { Notes } from '../../pipeline/notes.ts';
import { mergedOffers, OFFERS, type Offers, type ValidRecord } from '../../pipeline/record.ts';

/** What is remembered of the first record of a property. */
interface First {
  /** A digest of what makes it the same property, and of all that it says. */
  readonly facts: string;
  readonly contents: string;
  readonly line: number;
  readonly offers: Offers;
}

/** The offers of properties that have a record for each, wherever these stand in the file. */
export class FurtherOffers {
  readonly #notes: Notes;
  readonly #first = new Map<string, First>();
  /** Offers that further records add, by the property's identifier. */
  readonly #added = new Map<string, Offers>();

  constructor(notes: Notes) {
    this.#notes = notes;
  }

  /** @returns whether a record only adds an offer to the property of an earlier one, or repeats one that has been added */
  add({ line, document, openOffers }: ValidRecord): boolean {
    const property = document as PropertyDocument;
    const { id, offers } = property;
    const before = this.#first.get(id);
    if (before === undefined) {
      const offered = openOffers === undefined ? offers : UNKNOWN;
      this.#first.set(id, { ...digestsOf(property), line, offers: offered });
      return false;
    }
    const { facts, contents } = digestsOf(property);
    if (facts !== before.facts || openOffers !== undefined) return false;
    const added = this.#added.get(id);
    if (isRepeated(offers, added)) {
      this.#notes.interpreted('property', 'repeated', line, id, 'one record');
      return true;
    }
    const known = added === undefined ? before.offers : mergedOffers(before.offers, added);
    if (OFFERS.some((name) => known[name] !== null && offers[name] !== null)) return false;
    this.#added.set(id, added === undefined ? offers : mergedOffers(added, offers));
    if (contents !== before.contents) {
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
 * Records of one property agree in its facts. The sale and the rental may have their own dates, texts, pictures and features, of
 * which the first record's count.
 */
function digestsOf(property: PropertyDocument) {
  const { offers: _, listed_at, source_changed_at, updated_at, ...contents } = property;
  const { texts, pictures, features, has_pool, has_garden, has_garage, ...facts } = contents;
  return {
    facts: sha256Hex(JSON.stringify(facts)),
    contents: sha256Hex(JSON.stringify(contents)),
  };
}
