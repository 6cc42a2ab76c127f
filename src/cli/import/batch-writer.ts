import { setTimeout } from 'node:timers/promises';
import { type Before, beforeReading, PortfolioError, type PortfolioPlan, planPortfolio } from '../../db/portfolio.ts';
import { problemsByIndex } from '../../db/portfolio-check.ts';
import { read } from '../../db/reading.ts';
import type { DocumentProblem } from '../../portfolio/documents.ts';
import { documentsOf } from './onto-stored.ts';
import type { StagedRecord } from './record.ts';

/**
 * Milliseconds in which a batch leaves this process: piece by piece, as the database takes it. Making the next one ready
 * at once would hold up the rest of it, and the database would wait for that.
 */
const LEAVING = 15;

/** Documents that were written, and those that are stored as they were given. */
export interface Counts {
  written: number;
  unchanged: number;
}

/** A record that does not fit what is stored. */
export interface Unfit {
  readonly record: StagedRecord;
  /** Every reason. */
  readonly problems: readonly DocumentProblem[];
  /** Whether it may fit once the rest is written. */
  readonly mayPass: boolean;
}

/**
 * Writes batches of records into an account's portfolio in their order, each in one transaction. While the database works
 * on one, the next is made ready, from what was stored before that one: records of two batches never have one key. The
 * database is asked for that while it works, and answers between two batches.
 */
export class BatchWriter {
  readonly #db: D1Database;
  readonly #accountId: number;
  readonly #counts: Counts;
  #ready: D1PreparedStatement[] = [];
  #working: Promise<unknown> = Promise.resolve();

  /** @param counts where what is written is counted */
  constructor(db: D1Database, accountId: number, counts: Counts) {
    this.#db = db;
    this.#accountId = accountId;
    this.#counts = counts;
  }

  /** Has records written that fit, and gives back the others. */
  async write(records: readonly StagedRecord[]): Promise<Unfit[]> {
    const documents = records.map(({ document }) => document);
    const reading = read(this.#db, beforeReading(this.#db, this.#accountId, documents));
    reading.catch(ignore);
    await this.#working;
    this.#begin();
    await setTimeout(LEAVING);
    const { plan, unfit } = this.#planFitting(records, await reading);
    this.#ready = plan.written > 0 ? plan.statements() : [];
    this.#counts.written += plan.written;
    this.#counts.unchanged += plan.unchanged;
    return unfit;
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

  #planFitting(records: readonly StagedRecord[], before: Before): { plan: PortfolioPlan; unfit: Unfit[] } {
    const unfit: Unfit[] = [];
    for (let fitting = records; ; ) {
      try {
        const [documents, onto] = documentsOf(fitting);
        return { plan: planPortfolio(this.#db, this.#accountId, documents, before, onto), unfit };
      } catch (error) {
        if (!(error instanceof PortfolioError)) throw error;
        const out = problemsByIndex(error.misfits);
        const lasting = new Set(error.misfits.filter(({ mayPass }) => !mayPass).map(({ index }) => index));
        for (const [index, problems] of out) {
          unfit.push({ record: fitting[index]!, problems, mayPass: !lasting.has(index) });
        }
        fitting = fitting.filter((_, index) => !out.has(index));
      }
    }
  }
}

/** Whoever waits for it is told; until then nobody does. */
function ignore(): void {}
