import type { KyeroVocabulary } from '../names/names.ts';
import type { Reporting } from '../results/notes.ts';

/** What is needed to read a record, in addition to the record. */
export interface KyeroReading extends Reporting {
  readonly vocabulary: KyeroVocabulary;
  /** The record's own type, by which a feature that says more of it is known. */
  readonly type?: string;
  /** The listing date of a property without one: ISO 8601, whole seconds of UTC. */
  readonly now: string;
}
