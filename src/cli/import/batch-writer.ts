import { setTimeout } from 'node:timers/promises';
import { problemsByIndex } from '../../db/operator/portfolio/conflicts.ts';
import { read } from '../../db/operator/portfolio/reading.ts';
import {
  type Before,
  beforeReading,
  PortfolioError,
  type PortfolioPlan,
  planPortfolio,
} from '../../db/operator/portfolio/write.ts';
import type { DocumentProblem } from '../../portfolio/documents.ts';
import { documentsOf } from './merge-stored.ts';
import type { StagedRecord } from './record.ts';
import type { Tally } from './tally.ts';

/**
 * Milliseconds in which a batch is sent to the database, in chunks. Preparing the next batch immediately would delay
 * the remaining chunks, and the database would wait for them.
 */
const LEAVING = 2;

/** A record that conflicts with others or with what is stored. */
export interface Conflicting {
  readonly record: StagedRecord;
  /** Every reason. */
  readonly problems: readonly DocumentProblem[];
  /** Whether it may be written once the rest is. */
  readonly retryable: boolean;
}

/**
 * Writes batches of records into an account's portfolio in order, each in one transaction. While the database executes
 * a batch, the next one is prepared from the state before it, which is correct because no two batches contain the same
 * key. The database answers these reads between two batches.
 */
export class BatchWriter {
  readonly #db: D1Database;
  readonly #accountId: number;
  readonly #languages: ReadonlySet<string> | null;
  readonly #tally: Tally;
  #ready: D1PreparedStatement[] = [];
  #working: Promise<unknown> = Promise.resolve();

  /**
   * @param languages the languages that the file's format supports; `null` for all
   * @param tally counts the written documents
   */
  constructor(db: D1Database, accountId: number, languages: ReadonlySet<string> | null, tally: Tally) {
    this.#db = db;
    this.#accountId = accountId;
    this.#languages = languages;
    this.#tally = tally;
  }

  /** Has records written, and returns those that conflict. */
  async write(records: readonly StagedRecord[]): Promise<Conflicting[]> {
    const documents = records.map(({ document }) => document);
    const reading = read(this.#db, beforeReading(this.#db, this.#accountId, documents));
    reading.catch(ignore);
    await this.#working;
    this.#begin();
    await setTimeout(LEAVING);
    const before = await reading;
    const { plan, fitting, conflicting } = this.#planFitting(records, before);
    this.#ready = plan.written > 0 ? plan.statements() : [];
    this.#tally.add(
      fitting.map(({ document }) => document),
      plan.changed,
      (key) => before.stored.has(key),
    );
    return conflicting;
  }

  /** Waits until all that was given is written. */
  async finish(): Promise<void> {
    await this.#working;
    this.#begin();
    await this.#working;
  }

  #begin(): void {
    this.#working = this.#ready.length > 0 ? this.#db.batch(this.#ready) : Promise.resolve();
    this.#ready = [];
    this.#working.catch(ignore);
  }

  #planFitting(
    records: readonly StagedRecord[],
    before: Before,
  ): { plan: PortfolioPlan; fitting: readonly StagedRecord[]; conflicting: Conflicting[] } {
    const conflicting: Conflicting[] = [];
    for (let fitting = records; ; ) {
      try {
        const [documents, merge] = documentsOf(fitting, this.#languages);
        return { plan: planPortfolio(this.#db, this.#accountId, documents, before, merge), fitting, conflicting };
      } catch (error) {
        if (!(error instanceof PortfolioError)) throw error;
        const problems = problemsByIndex(error.conflicts);
        const lasting = new Set(error.conflicts.filter(({ retryable }) => !retryable).map(({ index }) => index));
        for (const [index, reasons] of problems) {
          conflicting.push({ record: fitting[index]!, problems: reasons, retryable: !lasting.has(index) });
        }
        fitting = fitting.filter((_, index) => !problems.has(index));
      }
    }
  }
}

/** Prevents an unhandled rejection before the promise is awaited. */
function ignore(): void {}
