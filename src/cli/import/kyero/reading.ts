import type { Reporting } from '../xml/reporting.ts';
import type { KyeroVocabulary } from './names.ts';

/** What reading a record needs beside it. */
export interface KyeroReading extends Reporting {
  readonly vocabulary: KyeroVocabulary;
  /** When a property without a date counts as listed: ISO 8601, whole seconds of UTC. */
  readonly now: string;
}
