import { isDeepStrictEqual } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import {
  type DocumentProblem,
  documentKey,
  keyOf,
  type PortfolioDocument,
  type PropertyDocument,
} from '../portfolio/documents.ts';
import type { UnknownNames } from './names/names.ts';
import type { Interpretations } from './results/interpretations.ts';

/** A record of an imported file. */
export type SourceRecord = ValidRecord | BadRecord;

/** A valid record, which is imported unless it conflicts with stored documents. */
export interface ValidRecord {
  /** Where it begins in the file, from 1. */
  readonly line: number;
  readonly document: PortfolioDocument;
  /** Fields of a property that the record leaves open: their stored values remain. */
  readonly open?: readonly (keyof PropertyDocument)[];
  /** The same for the parts of its texts. */
  readonly openTexts?: readonly TextPart[];
  /** The same for its offers. */
  readonly openOffers?: readonly (keyof PropertyDocument['offers'])[];
  /** Whether its format is Kyero's, whose limits a stored property may exceed: see `kyero/limits.ts`. */
  readonly limited?: true;
  /** Whether a document that is stored under this key remains unchanged. */
  readonly onlyIfMissing?: true;
}

/** A valid record in the form in which it is spooled. */
export interface SerializedRecord {
  readonly line: number;
  readonly key: RecordKey;
  /** The other fields of the record as {@link serialize} writes them: in half the time that JSON takes. */
  readonly bytes: Uint8Array;
}

/** What identifies a record among others, and the unit that its property is. */
export interface RecordKey {
  readonly kind: PortfolioDocument['kind'];
  /** Its {@link documentKey}. */
  readonly key: string;
  /** The identifier of its property; absent for other kinds. */
  readonly id?: string;
  /** The key of its property's unit. */
  readonly unit?: string;
}

/** The parts of a text of a property. */
export type TextPart = 'title' | 'description' | 'url';

/** A valid record. */
export interface StagedRecord extends ValidRecord {
  /** Its place among all records of the file, from 1. */
  readonly number: number;
}

/** A rejected record, with every reason. */
export interface BadRecord {
  readonly line: number;
  /** The kind of its document; `property` if unknown. */
  readonly kind: PortfolioDocument['kind'];
  /** The identifier of its property; `null` if unknown, `undefined` if it is not of a property. */
  readonly id: string | null | undefined;
  readonly problems: readonly DocumentProblem[];
}

/** Whether a record is rejected. */
export function isBad(record: { readonly line: number }): record is BadRecord {
  return 'problems' in record;
}

/** A valid record in the form in which it is spooled. */
export function serialized({ line, ...record }: ValidRecord): SerializedRecord {
  return { line, key: recordKey(record.document), bytes: serialize(record) };
}

/** The record that was {@link serialized}. */
export function deserialized(bytes: SerializedRecord['bytes']): Omit<ValidRecord, 'line'> {
  return deserialize(bytes);
}

/** What identifies a document, as a record. */
export function recordKey(document: PortfolioDocument): RecordKey {
  const { kind } = document;
  const key = documentKey(document);
  if (kind !== 'property') return { kind, key };
  const { id, unit } = document;
  return unit === null ? { kind, key, id } : { kind, key, id, unit: keyOf('unit', unit.development, unit.name) };
}

/** Whether two records have the same document. The same text may be stored in one byte per character, or in two. */
export function sameDocument(a: SerializedRecord['bytes'], b: SerializedRecord['bytes']): boolean {
  return isDeepStrictEqual(deserialized(a).document, deserialized(b).document);
}

/** An imported file as its records in order. Its other properties are only valid after all records have been read. */
export interface Source {
  readonly format: 'kyero' | 'resales' | 'ndjson';
  /** @throws Failure if the file is truncated or invalid */
  records(): AsyncGenerator<SourceRecord>;
  /** The types, categories and features of the records. */
  vocabulary(): Vocabulary;
  /** Unknown names of types and features, as a table of names to be completed. */
  unknownNames(): UnknownNames;
  /** The ignored nodes of the records, by name. */
  ignored(): ReadonlyMap<string, Ignored>;
  /** Completes a record by values that depend on the complete file. */
  completed<Given extends ValidRecord>(record: Given): Given;
  /** Whether the newest properties come first: they are then written in reverse, so that their order is preserved. */
  isNewestFirst(): boolean;
  /** The languages of the format: a property's stored texts in others remain. `null` for all languages. */
  languages(): ReadonlySet<string> | null;
  /** How values that deviate from the format were interpreted; complete after all records have been read. */
  readonly interpretations: Interpretations;
}

/** The types, categories and features to be stored for the records. */
export interface Vocabulary {
  /** Written if they differ from the stored ones. */
  readonly set: readonly PortfolioDocument[];
  /** Written if nothing is stored under their codes. */
  readonly fallback: readonly PortfolioDocument[];
  /** Written with their labels instead of the stored ones, which stay in other languages. */
  readonly labelled: readonly LabelledDocument[];
}

/** A document of the vocabulary for which a file has some labels. */
export interface LabelledDocument {
  /** Written if nothing is stored under its code. */
  readonly document: PortfolioDocument;
  /** What is written else. */
  merge(stored: PortfolioDocument): PortfolioDocument;
}

/** The ignored nodes of a file with one name. */
export interface Ignored {
  readonly times: number;
  /** Where it was first found. */
  readonly line: number;
}
