import type { DocumentProblem, PortfolioDocument, PropertyDocument } from '../../portfolio/documents.ts';
import type { Interpretations } from './interpretations.ts';
import type { UnknownNames } from './kyero/names.ts';

/** A record of an imported file. */
export type SourceRecord = GoodRecord | BadRecord;

/** A valid record, which is imported unless it conflicts with stored documents. */
export interface GoodRecord {
  /** Where it begins in the file, from 1. */
  readonly line: number;
  readonly document: PortfolioDocument;
  /** Fields of a property that the record says nothing of: what is stored of them stays. */
  readonly open?: readonly (keyof PropertyDocument)[];
  /** The same for the parts of its texts. */
  readonly openTexts?: readonly TextPart[];
  /** The same for its offers. */
  readonly openOffers?: readonly (keyof PropertyDocument['offers'])[];
  /** Whether what is stored under the document's key stays as it is. */
  readonly onlyIfMissing?: true;
}

/** The parts of a text of a property. */
export type TextPart = 'title' | 'description' | 'url';

/** A valid record. */
export interface StagedRecord extends GoodRecord {
  /** Its place among all records of the file, from 1. */
  readonly number: number;
}

/** A rejected record, with every reason. */
export interface BadRecord {
  readonly line: number;
  /** What it is of; a property where that is not known. */
  readonly kind: PortfolioDocument['kind'];
  /** The identifier of the property that it is of; `null` where that is not known. `undefined`: it is of none. */
  readonly id: string | null | undefined;
  readonly problems: readonly DocumentProblem[];
}

/** Whether a record is rejected. */
export function isBad(record: SourceRecord): record is BadRecord {
  return 'problems' in record;
}

/** An imported file as its records in order. Its other properties are only valid after all records have been read. */
export interface Source {
  readonly format: 'kyero' | 'resales' | 'ndjson';
  /** @throws Failure where the file breaks off or is not of its format */
  records(): AsyncGenerator<SourceRecord>;
  /** Types, categories and features that records name. */
  vocabulary(): Vocabulary;
  /** Names of types and features that no table has, as a table of names to be completed. */
  unknownNames(): UnknownNames;
  /** What the records held that is not imported, by name. */
  ignored(): ReadonlyMap<string, Ignored>;
  /** Completes a record by what is known only after the whole file was read. */
  completed<Given extends GoodRecord>(record: Given): Given;
  /** Whether the newest properties come first: they are written in the opposite order, so that their order is kept. */
  isNewestFirst(): boolean;
  /** Languages that the file may have texts in: of a property, stored texts in others stay. `null` is all of them. */
  languages(): ReadonlySet<string> | null;
  /** How values were understood that are not as the format has them; known at the end. */
  readonly interpretations: Interpretations;
}

/** The types, categories and features to be stored for the records. */
export interface Vocabulary {
  /** Written where they differ from what is stored. */
  readonly set: readonly PortfolioDocument[];
  /** Written where nothing is stored under their codes. */
  readonly fallback: readonly PortfolioDocument[];
  /** Written with their labels in place of the stored ones, which stay in other languages. */
  readonly labelled: readonly LabelledDocument[];
}

/** A document of the vocabulary for which a file has some labels. */
export interface LabelledDocument {
  /** What is written where nothing is stored under its code. */
  readonly document: PortfolioDocument;
  /** What is written else. */
  onto(stored: PortfolioDocument): PortfolioDocument;
}

/** The ignored nodes of a file with one name. */
export interface Ignored {
  readonly times: number;
  /** Where it was first found. */
  readonly line: number;
}
