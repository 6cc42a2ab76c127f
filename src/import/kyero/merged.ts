import { isEqual } from '../../lib/equal.ts';
import type { PropertyDocument } from '../../portfolio/documents.ts';
import { mergedOffers, OFFERS, type Offers } from '../completion.ts';
import { isBad, type SourceRecord, type ValidRecord } from '../record.ts';

/**
 * Records, with those of one property as one. A record has one price, so feeds have a record for each offer of a property:
 * one after the other, with the same contents except the price.
 */
export async function* withOffersTogether(records: AsyncIterable<SourceRecord>): AsyncGenerator<SourceRecord> {
  let held: SourceRecord | undefined;
  for await (const record of records) {
    const merged = held === undefined ? undefined : mergedRecord(held, record);
    if (held !== undefined && merged === undefined) yield held;
    held = merged ?? record;
  }
  if (held !== undefined) yield held;
}

/** `undefined` if they are not two offers of one property. */
function mergedRecord(first: SourceRecord, second: SourceRecord): ValidRecord | undefined {
  if (isBad(first) || isBad(second)) return undefined;
  const id = identifierOf(first);
  if (id === undefined || id !== identifierOf(second)) return undefined;
  const [a, b] = [first.document, second.document] as [PropertyDocument, PropertyDocument];
  const offers = bothOffers(a.offers, b.offers);
  if (offers === undefined) return undefined;
  const together = {
    offers,
    sale_updated_at: a.sale_updated_at ?? b.sale_updated_at,
    rental_updated_at: a.rental_updated_at ?? b.rental_updated_at,
  };
  const document = { ...a, ...together };
  return isEqual(document, { ...b, ...together }) ? { ...first, document } : undefined;
}

function identifierOf({ document }: ValidRecord): string | undefined {
  return document.kind === 'property' ? document.id : undefined;
}

/** `undefined` if both have the same kind of offer. */
function bothOffers(a: Offers, b: Offers): Offers | undefined {
  return OFFERS.some((name) => a[name] !== null && b[name] !== null) ? undefined : mergedOffers(a, b);
}
