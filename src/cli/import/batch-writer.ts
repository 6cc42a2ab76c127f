import { setImmediate } from 'node:timers/promises';
import { PortfolioError, type PortfolioPlan, planPortfolio } from '../../db/portfolio.ts';
import { documentsOf } from './onto-stored.ts';
import type { GoodRecord } from './record.ts';

export interface Counts {
  written: number;
  unchanged: number;
}

/** A record that does not fit what is stored. */
export interface Unfit {
  readonly record: GoodRecord;
  readonly field: string;
  readonly detail: string;
}

/**
 * Writes batches of records into an account's portfolio in their order, each in one transaction. While the database works
 * on one, the next is made ready, from what was stored before that one: records of two batches never have one key.
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
  async write(records: readonly GoodRecord[]): Promise<Unfit[]> {
    await this.#working;
    const { plan, unfit } = await this.#planFitting(records);
    this.#begin();
    // Time for what is to be written to leave this process.
    await setImmediate();
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
    // Whoever waits for it is told; until then nobody does.
    this.#working.catch(() => {});
  }

  async #planFitting(records: readonly GoodRecord[]): Promise<{ plan: PortfolioPlan; unfit: Unfit[] }> {
    const unfit: Unfit[] = [];
    for (let fitting = records; ; ) {
      try {
        return { plan: await planPortfolio(this.#db, this.#accountId, ...documentsOf(fitting)), unfit };
      } catch (error) {
        if (!(error instanceof PortfolioError)) throw error;
        const out = new Map(error.misfits.map((misfit) => [misfit.index, misfit]));
        for (const [index, { field, detail }] of out) unfit.push({ record: fitting[index]!, field, detail });
        fitting = fitting.filter((_, index) => !out.has(index));
      }
    }
  }
}
