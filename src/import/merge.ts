import type { Stored } from '../db/portfolio/read.ts';
import type { Merge } from '../db/portfolio/write.ts';
import { documentKey, type PortfolioDocument, type PropertyDocument } from '../portfolio/documents.ts';
import { beyondLimits } from './kyero/limits.ts';
import type { TextPart, ValidRecord } from './record.ts';

/** The documents of records, and how each is merged with what is stored where its record leaves it unspecified. */
export interface Mergeable<R extends ValidRecord> {
  readonly documents: readonly PortfolioDocument[];
  /** The record of each document. */
  readonly records: readonly R[];
  readonly merge: Merge;
}

/** @param languages the languages that the file's format supports; `null` for all */
export function mergeable<R extends ValidRecord>(
  given: readonly R[],
  languages: readonly string[] | null,
): Mergeable<R> {
  const byKey = new Map<string, { readonly document: PortfolioDocument; readonly record: R }>();
  for (const record of given) {
    for (const document of [...(record.needs ?? []), record.document]) {
      const key = documentKey(document);
      if (!byKey.has(key)) byKey.set(key, { document, record });
    }
  }
  const all = [...byKey.values()];
  return {
    documents: all.map(({ document }) => document),
    records: all.map(({ record }) => record),
    merge: (document, stored) => merged(document, byKey.get(documentKey(document))!.record, languages, stored),
  };
}

function merged(
  document: PortfolioDocument,
  record: ValidRecord,
  languages: readonly string[] | null,
  storedDocuments: Stored,
): PortfolioDocument | undefined {
  const stored = storedDocuments.get(documentKey(document));
  if (document !== record.document) {
    // A stored property keeps its own unit, and a stored unit its own price.
    return stored === undefined && !storedDocuments.has(documentKey(record.document)) ? document : undefined;
  }
  const { open, openTexts = [], openOffers = [], limited } = record;
  if (open === undefined || document.kind !== 'property' || stored?.kind !== 'property') return document;
  const given = limited ? beyondLimits(document, stored) : document;
  return {
    ...given,
    ...Object.fromEntries(open.map((field) => [field, stored[field]])),
    status: open.includes('status') ? statusOf(stored) : given.status,
    bath: Math.floor(stored.bath) === given.bath ? stored.bath : given.bath,
    offers: {
      ...offersOf(given, stored),
      ...Object.fromEntries(openOffers.map((name) => [name, stored.offers[name]])),
    },
    texts: textsOf(given.texts, stored.texts, openTexts, languages),
  };
}

/** Texts, completed by stored ones in languages that the format lacks, and by stored parts that the record leaves unspecified. */
function textsOf(
  given: Texts,
  stored: Texts,
  openTexts: readonly TextPart[],
  languages: readonly string[] | null,
): Texts {
  const texts: Texts = {};
  for (const language of new Set([...Object.keys(stored), ...Object.keys(given)]) as Set<keyof Texts>) {
    const [mine, theirs] = [given[language], stored[language]];
    if (theirs !== undefined && mine === undefined && languages?.includes(language) === false) {
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

/** A property that is in a file without a status is listed; a stored status of its sale remains. */
function statusOf({ status }: PropertyDocument): PropertyDocument['status'] {
  return status === 'Withdrawn' || status === 'Sold' ? 'Available' : status;
}

/** The offer of a record, completed by stored parts for which the record has no node. */
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
