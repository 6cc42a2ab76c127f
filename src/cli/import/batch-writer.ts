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
import { documentsOf } from './onto-stored.ts';
import type { StagedRecord } from './record.ts';
import type { Tally } from './tally.ts';

/**
 * Milliseconds in which a batch leaves this process: piece by piece, as the database takes it. Making the next one ready
 * at once would hold up the rest of it, and the database would wait for that.
 */
const LEAVING = 15;

/** A record that conflicts with others or with what is stored. */
export interface Conflicting {
  readonly record: StagedRecord;
  /** Every reason. */
  readonly problems: readonly DocumentProblem[];
  /** Whether it may be written once the rest is. */
  readonly retryable: boolean;
}

/**
 * Writes batches of records into an account's portfolio in their order, each in one transaction. While the database works
 * on one, the next is prepared, from what was stored before that one: records of two batches never have one key. The
 * database is asked for that while it works, and answers between two batches.
 */
export class BatchWriter {
  readonly #db: D1Database;
  readonly #accountId: number;
  readonly #languages: ReadonlySet<string> | null;
  readonly #tally: Tally;
  #ready: D1PreparedStatement[] = [];
  #working: Promise<unknown> = Promise.resolve();

  /**
   * @param languages those that the file may have texts in; `null` is all of them
   * @param tally where what is written is counted
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
        const [documents, onto] = documentsOf(fitting, this.#languages);
        return { plan: planPortfolio(this.#db, this.#accountId, documents, before, onto), fitting, conflicting };
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

/** Whoever waits for it gets the error; until then nobody does. */
function ignore(): void {}
