import { isEqual } from '../../lib/bytes/equal.ts';
import { inLanguageOrder } from '../../properties/checks.ts';
import {
  documentKey,
  type PortfolioDocument,
  type PropertyDocument,
  type TypeDocument,
} from '../../properties/documents.ts';
import { storedPictures } from '../../properties/pictures.ts';
import type { Absences } from '../../properties/store/absences.ts';
import type { Read } from '../../properties/store/read.ts';
import type { Merge } from '../../properties/store/write.ts';
import { beyondLimits } from '../formats/kyero/limits.ts';
import type { NumberedRecord } from './kept.ts';
import { withLabel } from './names.ts';
import type { ImportPlan } from './plan.ts';
import type { TypeSet, ValidRecord, VocabularyEntry } from './record.ts';

/**
 * The documents of records, each with its record, and how they are merged with what is stored where their records leave them
 * unspecified.
 *
 * @param languages the languages that the file's format supports; `null` for all
 * @param channel a channel that its properties are put into, besides their own
 * @param absences how properties were withdrawn because a file of the same source no longer had them
 */
export function mergeable(
  given: readonly NumberedRecord[],
  { languages, channel }: Pick<ImportPlan, 'languages' | 'channel'>,
  absences: Absences = new Map(),
) {
  const byKey = new Map<
    string,
    { readonly document: PortfolioDocument; readonly record: NumberedRecord }
  >();
  for (const record of given) {
    for (const document of [...(record.needs ?? []), record.document]) {
      const key = documentKey(document);
      if (!byKey.has(key)) byKey.set(key, { document, record });
    }
  }
  const merge: Merge = (document, storedDocuments, states) => {
    const key = documentKey(document);
    const { record } = byKey.get(key)!;
    const stored = storedDocuments.get(key);
    if (document !== record.document) {
      // A stored property keeps its own unit, and a stored unit its own price.
      return stored === undefined && !storedDocuments.has(documentKey(record.document))
        ? document
        : undefined;
    }
    if (document.kind !== 'property') return document;
    const before = stored?.kind === 'property' ? stored : undefined;
    const merged =
      before === undefined
        ? document
        : mergedProperty(document, record, languages, before, () =>
            statusWithout(before, states.get(key), absences),
          );
    return channel === null ? merged : inChannel(merged, before?.channels, channel);
  };
  const all = [...byKey.values()];
  return {
    documents: all.map(({ document }) => document),
    records: all.map(({ record }) => record),
    merge,
  };
}

/** A property in one channel more. One that leaves its channels unspecified stays in the stored ones. */
function inChannel(
  property: PropertyDocument,
  stored: readonly string[] | null | undefined,
  channel: string,
): PropertyDocument {
  const own = property.channels ?? stored ?? [];
  return { ...property, channels: [...new Set([...own, channel])].sort() };
}

/**
 * The status of a stored property whose record states none: the stored one. One that was withdrawn because the file no longer had it,
 * and has not changed since, has again the status that it had before.
 */
function statusWithout(
  { id, status }: PropertyDocument,
  change: number | string | undefined,
  absences: Absences,
): PropertyDocument['status'] {
  const absence = absences.get(id);
  return status === 'Withdrawn' && absence !== undefined && absence.change === change
    ? absence.status
    : status;
}

/** Whether a stored property is off the market, and a record without a status has left it so. */
export function isKeptOff(
  { open, keepsStatus = false, document }: ValidRecord,
  { stored, states }: Read,
  absences: Absences,
): boolean {
  const before = stored.get(documentKey(document));
  if (before?.kind !== 'property' || !open?.includes('status') || keepsStatus) return false;
  const status = statusWithout(before, states.get(documentKey(document)), absences);
  return status === 'Withdrawn' || status === 'Sold';
}

function mergedProperty(
  document: PropertyDocument,
  { open, openTexts = [], openOffers = [], keepsStatus, statesMinimum, limited }: ValidRecord,
  languages: readonly string[] | null,
  stored: PropertyDocument,
  statusWithoutOne: () => PropertyDocument['status'],
): PropertyDocument {
  if (open === undefined) return document;
  const known = { ...document, pictures: storedPictures(document.pictures, stored.pictures) };
  const given = limited ? beyondLimits(known, stored) : known;
  const status = keepsStatus ? stored.status : statusWithoutOne();
  const { sale, long_term, short_term } = given.offers;
  const storedMinimum = statesMinimum ? undefined : stored.offers.sale?.minimum_price;
  const merged: PropertyDocument = {
    ...given,
    ...Object.fromEntries(open.map((field) => [field, stored[field]])),
    status: open.includes('status') ? status : given.status,
    bath: Math.floor(stored.bath) === given.bath ? stored.bath : given.bath,
    // The offers of the record, completed by stored parts for which it has no node.
    offers: {
      sale: sale && { ...sale, minimum_price: storedMinimum ?? sale.minimum_price },
      long_term,
      short_term: short_term && {
        ...short_term,
        high: short_term.high ?? stored.offers.short_term?.high ?? null,
        license: short_term.license ?? stored.offers.short_term?.license ?? null,
      },
      ...Object.fromEntries(openOffers.map((name) => [name, stored.offers[name]])),
    },
    texts: mergedTexts(given.texts, stored.texts, openTexts, languages),
  };
  return hasNewDateOnly(merged, stored) ? stored : merged;
}

/** Whether a property differs in nothing but the date of its record, which some programs set anew in each file. */
function hasNewDateOnly(merged: PropertyDocument, stored: PropertyDocument): boolean {
  const { source_changed_at, updated_at } = stored;
  const isLater = merged.updated_at !== null && merged.updated_at > (updated_at ?? '');
  const channels = merged.channels ?? stored.channels;
  return !isLater && isEqual({ ...merged, source_changed_at, updated_at, channels }, stored);
}

type Texts = PropertyDocument['texts'];

/** Texts, completed by stored ones in languages that the format lacks, and by stored parts that the record leaves unspecified. */
function mergedTexts(
  given: Texts,
  stored: Texts,
  openTexts: NonNullable<ValidRecord['openTexts']>,
  languages: readonly string[] | null,
): Texts {
  const texts: Texts = {};
  for (const language of new Set([...Object.keys(stored), ...Object.keys(given)]) as Set<
    keyof Texts
  >) {
    const mine = given[language];
    const theirs = stored[language];
    if (theirs !== undefined && mine === undefined && languages?.includes(language) === false) {
      texts[language] = theirs;
      continue;
    }
    const text = { ...(mine ?? { title: null, description: null, url: null }) };
    for (const part of openTexts) text[part] = theirs?.[part] ?? text[part];
    if (mine !== undefined || Object.values(text).some((value) => value !== null))
      texts[language] = text;
  }
  return inLanguageOrder(texts);
}

/** An entry merged with what is stored under its code. */
export function mergedEntry(
  { document, over }: VocabularyEntry,
  stored: PortfolioDocument | undefined,
) {
  if (stored === undefined) return document;
  if (over === 'keep') return undefined;
  if (stored.kind === 'type')
    return mergedType(stored, over.labels as TypeDocument['labels'], over.set);
  if (stored.kind !== 'category' && stored.kind !== 'feature') return stored;
  return { ...stored, labels: inLanguageOrder({ ...stored.labels, ...over.labels }) };
}

function mergedType(
  stored: TypeDocument,
  labels: TypeDocument['labels'],
  set: TypeSet,
): TypeDocument {
  const merged = { ...stored.labels };
  for (const [name, label] of Object.entries(labels)) {
    const language = name as keyof TypeDocument['labels'];
    const [type, subtype] =
      set === 'older' ? [label.older_type, label.older_subtype] : [label.type, label.subtype];
    merged[language] = withLabel(set, stored.labels[language] ?? label, type, subtype);
  }
  return { ...stored, labels: inLanguageOrder(merged) };
}
