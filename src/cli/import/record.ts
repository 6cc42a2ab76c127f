import type { DocumentProblem, PortfolioDocument, PropertyDocument } from '../../portfolio/documents.ts';

/** A record of a file that is imported. */
export type SourceRecord = GoodRecord | BadRecord;

/** A record that is taken, if it fits what else is stored. */
export interface GoodRecord {
  /** Where it begins in the file, from 1. */
  readonly line: number;
  readonly document: PortfolioDocument;
  /** Fields of a property that the record says nothing of: what is stored of them stays. */
  readonly open?: readonly (keyof PropertyDocument)[];
}

/** A good record of a file that has been read. */
export interface StagedRecord extends GoodRecord {
  /** Its place among all records of the file, from 1. */
  readonly number: number;
}

/** A record that is not taken, with every reason. */
export interface BadRecord {
  readonly line: number;
  /** The identifier of the property that it is of; `null` where that cannot be told. `undefined`: it is of none. */
  readonly id: string | null | undefined;
  readonly problems: readonly DocumentProblem[];
}

/** Whether a record is not taken. */
export function isBad(record: SourceRecord): record is BadRecord {
  return 'problems' in record;
}

/** A file that is imported, as its records in their order; what is only known at the end is there at the end. */
export interface Source {
  readonly format: 'kyero' | 'ndjson';
  /** @throws Failure where the file breaks off or is not of its format */
  records(): AsyncGenerator<SourceRecord>;
  /** Types, categories and features that records name and that a file of this format does not describe itself. */
  vocabulary(): Vocabulary;
  /** What the records held that is not taken, by name. */
  ignored(): ReadonlyMap<string, Ignored>;
}

/** What is to be stored of types, categories and features that records name. */
export interface Vocabulary {
  /** Written where they differ from what is stored. */
  readonly set: readonly PortfolioDocument[];
  /** Written where nothing is stored under their codes. */
  readonly fallback: readonly PortfolioDocument[];
}

/** What is not taken of a file, under one name. */
export interface Ignored {
  readonly times: number;
  /** Where it was first met. */
  readonly line: number;
}
