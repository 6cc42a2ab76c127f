import { problemsByIndex } from '../../db/portfolio/conflicts.ts';
import { runAndRead } from '../../db/portfolio/reading.ts';
import {
  type Before,
  beforeReading,
  PortfolioError,
  type PortfolioPlan,
  planPortfolio,
} from '../../db/portfolio/write.ts';
import type { DocumentProblem } from '../../portfolio/documents.ts';
import type { StagedRecord } from '../record.ts';
import type { Tally } from '../results/tally.ts';
import { documentsOf } from './merge-stored.ts';

/** A record that conflicts with others or with what is stored. */
export interface Conflicting {
  readonly record: StagedRecord;
  /** Every reason. */
  readonly problems: readonly DocumentProblem[];
  /** Whether it may be written once the rest is. */
  readonly retryable: boolean;
}

/** A batch that is written, or will be before the next one. */
export interface Written {
  /** How many records it has. */
  readonly count: number;
  /** Those of them that are not written. */
  readonly conflicting: readonly Conflicting[];
}

/** A call to the database, and the batch for which it reads what is stored. */
interface Call {
  readonly records: readonly StagedRecord[];
  readonly before: Promise<Before>;
}

/** Calls in flight: one executing, one queued. */
const CALLS = 2;

/** Writes records into an account's portfolio. */
export class BatchWriter {
  readonly #db: D1Database;
  readonly #accountId: number;
  readonly #languages: ReadonlySet<string> | null;
  readonly #tally: Tally;

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

  /**
   * Writes batches in order, each in one transaction. The call that writes a batch also reads what is stored for the batch
   * after the next, and while the database executes one call, the batch of the next is prepared. So a batch is prepared
   * from the state before the batch that precedes it, which is correct because no two batches contain the same key. All
   * are written when the generator ends.
   */
  async *write(batches: AsyncIterable<readonly StagedRecord[]>): AsyncGenerator<Written> {
    const given = batches[Symbol.asyncIterator]();
    const calls: Call[] = [];
    const call = async (statements: readonly D1PreparedStatement[]) => {
      const { value: records = [] } = await given.next();
      if (statements.length === 0 && records.length === 0) return;
      const documents = records.map(({ document }: StagedRecord) => document);
      const before = runAndRead(this.#db, statements, beforeReading(this.#db, this.#accountId, documents));
      before.catch(ignore);
      calls.push({ records, before });
    };
    for (let ahead = 0; ahead < CALLS; ahead++) await call([]);
    for (let next = calls.shift(); next !== undefined; next = calls.shift()) {
      const { statements, ...written } = this.#prepare(next.records, await next.before);
      // Records that outlive a garbage collection make it slower.
      next = undefined;
      await call(statements);
      yield written;
    }
  }

  #prepare(
    records: readonly StagedRecord[],
    before: Before,
  ): Written & { readonly statements: readonly D1PreparedStatement[] } {
    const { plan, fitting, conflicting } = this.#planFitting(records, before);
    this.#tally.add(
      fitting.map(({ document }) => document),
      plan.changed,
      (key) => before.stored.has(key),
    );
    return { statements: plan.written > 0 ? plan.statements() : [], count: records.length, conflicting };
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
