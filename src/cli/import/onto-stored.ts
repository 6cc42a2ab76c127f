import type { Merge } from '../../db/operator/portfolio/write.ts';
import type { PortfolioDocument, PropertyDocument } from '../../portfolio/documents.ts';
import type { GoodRecord, TextPart } from './record.ts';

/**
 * The documents of records, and how each is completed by what is stored where its record leaves it open.
 *
 * @param languages those that the file may have texts in; `null` is all of them
 */
export function documentsOf(
  records: readonly GoodRecord[],
  languages: ReadonlySet<string> | null,
): [documents: PortfolioDocument[], onto: Merge] {
  const byDocument = new Map(records.map((record) => [record.document, record]));
  return [
    [...byDocument.keys()],
    (document, stored) => ontoStored(document, byDocument.get(document)!, languages, stored),
  ];
}

function ontoStored(
  document: PortfolioDocument,
  { open, openTexts = [], openOffers = [], onlyIfMissing }: GoodRecord,
  languages: ReadonlySet<string> | null,
  stored: PortfolioDocument | undefined,
): PortfolioDocument {
  if (onlyIfMissing && stored !== undefined) return stored;
  if (open === undefined || document.kind !== 'property' || stored?.kind !== 'property') return document;
  return {
    ...document,
    ...Object.fromEntries(open.map((field) => [field, stored[field]])),
    status: open.includes('status') ? statusOf(stored) : document.status,
    bath: Math.floor(stored.bath) === document.bath ? stored.bath : document.bath,
    offers: {
      ...offersOf(document, stored),
      ...Object.fromEntries(openOffers.map((name) => [name, stored.offers[name]])),
    },
    texts: textsOf(document.texts, stored.texts, openTexts, languages),
  };
}

/** Texts with the stored ones in languages that the file cannot have, and the stored parts of those that it can. */
function textsOf(
  given: Texts,
  stored: Texts,
  openTexts: readonly TextPart[],
  languages: ReadonlySet<string> | null,
): Texts {
  const texts: Texts = {};
  for (const language of new Set([...Object.keys(stored), ...Object.keys(given)]) as Set<keyof Texts>) {
    const [mine, theirs] = [given[language], stored[language]];
    if (theirs !== undefined && mine === undefined && languages?.has(language) === false) {
      texts[language] = theirs;
      continue;
    }
    const text = { ...(mine ?? { title: null, description: null, url: null }) };
    for (const part of openTexts) text[part] = theirs?.[part] ?? text[part];
    if (mine !== undefined || Object.values(text).some((value) => value !== null)) texts[language] = text;
  }
  return texts;
}

type Texts = PropertyDocument['texts'];

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
