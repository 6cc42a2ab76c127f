import type { ImportNames } from '../../db/schema.ts';
import {
  type CategoryDocument,
  DocumentError,
  type DocumentProblem,
  type FeatureDocument,
  type PortfolioDocument,
  type PropertyDocument,
  type TypeDocument,
} from '../../properties/documents.ts';
import { spelling } from '../values/interpretation.ts';
import type { Notes } from './notes.ts';

export type Kind = PortfolioDocument['kind'];

/** Kinds of documents, each after those that its documents may refer to. */
export const KINDS: readonly Kind[] = [
  'type',
  'category',
  'feature',
  'development',
  'unit',
  'property',
];

/** How a file is read: the same options give the same records. */
export interface ReadingOptions {
  /** What the account has said that names of types and features mean. */
  readonly names?: ImportNames | undefined;
  /** The name of the format; detected unless given. */
  readonly format?: string | undefined;
  /** Used instead of the encoding that the file declares. */
  readonly encoding?: string | undefined;
  /** When a property without a date counts as listed: ISO 8601, whole seconds of UTC. */
  readonly now: string;
  /** Whether a record is rejected if one of its nodes had to be interpreted, and the file if it had to be repaired. */
  readonly strict: boolean;
}

export type SourceRecord = ValidRecord | BadRecord;

/** A valid record, which is imported unless it conflicts with stored documents. */
export interface ValidRecord {
  readonly line: number;
  readonly document: PortfolioDocument;
  /** Documents that a new property needs: its unit, and the development of that. Stored ones remain as they are. */
  readonly needs?: readonly PortfolioDocument[];
  /** Fields of a property that the record leaves unspecified: their stored values remain. */
  readonly open?: readonly (keyof PropertyDocument)[];
  readonly openTexts?: readonly ('title' | 'description' | 'url')[];
  readonly openOffers?: readonly (keyof Offers)[];
  /** Whether its status is unreadable: a stored property keeps its own. */
  readonly keepsStatus?: boolean;
  /** Whether it states the minimum price of a sale, even if only that there is none. */
  readonly statesMinimum?: boolean;
  /** Whether its format is Kyero's, whose limits a stored property may exceed: see `kyero/limits.ts`. */
  readonly limited?: true;
}

export interface BadRecord {
  readonly line: number;
  /** The kind of its document; `property` if unknown. */
  readonly kind: Kind;
  /** The identifier of its property; `null` if unknown, `undefined` if it is not of a property. */
  readonly id?: string | null | undefined;
  readonly problems: readonly DocumentProblem[];
}

export function isBad(record: { readonly line: number }): record is BadRecord {
  return 'problems' in record;
}

/** The identifier of the property that a record is of; `null` if it is of none. */
export function listingOf(record: SourceRecord): string | null {
  if (isBad(record)) return record.id ?? null;
  return record.document.kind === 'property' ? record.document.id : null;
}

/** What `make` returns, or the problems of the document that it rejects. */
export function attempt<Made extends object>(make: () => Made): Made | Pick<BadRecord, 'problems'> {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return { problems: error.problems };
  }
}

/** A record as rejected for these reasons. */
export function rejected(
  { line, document }: ValidRecord,
  reasons: BadRecord['problems'],
): BadRecord {
  const problems = reasons.map(({ field, message }) => ({ field, message }));
  return {
    line,
    kind: document.kind,
    id: document.kind === 'property' ? document.id : undefined,
    problems,
  };
}

/** An imported file as its records in order, read once. A truncated file is an ImportError. */
export interface Source {
  /** The name of the format. */
  readonly format: string;
  /** Whether a record may come twice without a contradiction. */
  readonly mayRepeat: boolean;
  readonly notes: Notes;
  readonly records: AsyncGenerator<SourceRecord, Summary>;
}

/** The set of types that labels belong to. */
export type TypeSet = 'older' | 'current' | 'both';

/** A type, category or feature that the records of a file use; JSON. */
export interface VocabularyEntry {
  /** What is written if nothing is stored under its code. */
  readonly document: TypeDocument | CategoryDocument | FeatureDocument;
  /**
   * What is written over a stored one: the document, nothing, or the labels that the file has, while labels in other
   * languages remain.
   */
  readonly over: 'keep' | { readonly labels: object; readonly set: TypeSet };
}

/** Names that are not in the vocabulary, with how many properties have each. */
export type UnknownNames = Readonly<Record<'types' | 'features', readonly UnknownName[]>>;

interface UnknownName {
  readonly name: string;
  readonly count: number;
}

/** What is known of a file once all of its records have been read; JSON. */
export interface Summary {
  readonly vocabulary: readonly VocabularyEntry[];
  /** Unknown names of types and features. */
  readonly unknownNames: UnknownNames;
  /** Whether the newest properties come first: new ones are then numbered in reverse. */
  readonly newestFirst: boolean;
  /** The languages of the format: a property's stored texts in others remain. `null` for all languages. */
  readonly languages: readonly string[] | null;
  readonly completion: Completion;
}

export const EMPTY_SUMMARY: Summary = {
  vocabulary: [],
  unknownNames: { types: [], features: [] },
  newestFirst: false,
  languages: null,
  completion: {},
};

export type Offers = PropertyDocument['offers'];

export const OFFERS = [
  'sale',
  'long_term',
  'short_term',
] as const satisfies readonly (keyof Offers)[];

/** Values of records that depend on other records; JSON. */
interface Completion {
  /** The provinces of towns, for records without one, by the town's {@link spelling}. */
  readonly provinces?: Readonly<Record<string, string>>;
  /** Offers that further records add, by the property's identifier. */
  readonly offers?: Readonly<Record<string, Offers>>;
  readonly openOffers?: readonly (keyof Offers)[];
}

/** A record with the values that depend on other records. */
export function completed<Record extends ValidRecord>(
  record: Record,
  { provinces = {}, offers = {}, openOffers }: Completion,
): Record {
  const { document } = record;
  if (document.kind !== 'property') return record;
  const more = Object.hasOwn(offers, document.id) ? offers[document.id] : undefined;
  const key = spelling(document.town);
  const province =
    document.province === '' && Object.hasOwn(provinces, key) ? provinces[key]! : document.province;
  return {
    ...record,
    document: {
      ...document,
      province,
      offers: more ? mergedOffers(document.offers, more) : document.offers,
    },
    ...(openOffers && { openOffers }),
  };
}

export function mergedOffers(first: Offers, second: Offers): Offers {
  return {
    sale: first.sale ?? second.sale,
    long_term: first.long_term ?? second.long_term,
    short_term: first.short_term ?? second.short_term,
  };
}
