import type { Onto } from '../../db/portfolio.ts';
import type { PortfolioDocument, PropertyDocument } from '../../portfolio/documents.ts';
import type { GoodRecord } from './record.ts';

/** The documents of records, and how each is made whole by what is stored where its record leaves it open. */
export function documentsOf(records: readonly GoodRecord[]): [documents: PortfolioDocument[], onto: Onto] {
  const open = new Map(records.map((record) => [record.document, record.open]));
  return [[...open.keys()], (document, stored) => ontoStored(document, open.get(document), stored)];
}

function ontoStored(
  document: PortfolioDocument,
  open: GoodRecord['open'],
  stored: PortfolioDocument | undefined,
): PortfolioDocument {
  if (open === undefined || document.kind !== 'property' || stored?.kind !== 'property') return document;
  return {
    ...document,
    ...Object.fromEntries(open.map((field) => [field, stored[field]])),
    status: open.includes('status') ? statusOf(stored) : document.status,
    bath: Math.floor(stored.bath) === document.bath ? stored.bath : document.bath,
    offers: offersOf(document, stored),
    // Polish is no language of Kyero's.
    texts: { ...(stored.texts.pl ? { pl: stored.texts.pl } : {}), ...document.texts },
  };
}

/** A property that is in a feed is on the market; how far its sale has come is left open. */
function statusOf({ status }: PropertyDocument): PropertyDocument['status'] {
  return status === 'Withdrawn' || status === 'Sold' ? 'Available' : status;
}

/** The offer that a record makes, with those of its parts that the record has no node for. */
function offersOf({ offers }: PropertyDocument, { offers: stored }: PropertyDocument): PropertyDocument['offers'] {
  return {
    sale: offers.sale && { ...offers.sale, minimum_price: stored.sale?.minimum_price ?? offers.sale.minimum_price },
    long_term: offers.long_term,
    short_term: offers.short_term && {
      ...offers.short_term,
      high: stored.short_term?.high ?? offers.short_term.high,
      license: stored.short_term?.license ?? offers.short_term.license,
    },
  };
}
