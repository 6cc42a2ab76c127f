import { setTimeout } from 'node:timers/promises';
import type { Env } from '../../env.ts';
import { noteChange } from '../command/ending.ts';
import { Failure } from '../command/failure.ts';

/** A statement and its parameters, as sent to the process with the database. */
export interface Statement {
  readonly statement: string;
  readonly params: readonly unknown[];
}

/**
 * Runs statements in one transaction, and returns a result for each. Transactions are run in the order of the calls; if one
 * fails, so do those that were called while it was under way.
 */
export type RunBatch = <Row>(statements: readonly Statement[]) => Promise<D1Result<Row>[]>;

/** Words of SQL statements that change something. */
const CHANGES = /\b(INSERT|UPDATE|DELETE|CREATE|DROP|ALTER)\b/i;

/** Bindings of Miniflare or wrangler, with databases that send a batch by one call. */
export function withDatabases(env: Env, { isLocal }: { readonly isLocal: boolean }): Env {
  const entries = Object.entries(env).map(([name, binding]) => {
    if (!/^DB(_\d+)?$/.test(name)) return [name, binding];
    return [name, overProxy(binding as D1Database, isLocal ? retryWhileLocked : undefined)];
  });
  return Object.fromEntries(entries);
}

/**
 * A database behind the proxy of wrangler or Miniflare, which would make a synchronous call for each `prepare` and `bind`. D1's
 * `batch` reads only the text and parameters of a statement, under these names.
 */
export function overProxy(
  db: D1Database,
  retry: (runBatch: RunBatch) => RunBatch = (runBatch) => runBatch,
): D1Database {
  const send: RunBatch = (statements) => {
    if (statements.some(({ statement }) => CHANGES.test(statement))) noteChange();
    return db.batch(statements as unknown as D1PreparedStatement[]);
  };
  return databaseOver(oneByOne(retry(send)));
}

/** A database whose statements are prepared and bound in this process. */
export function databaseOver(runBatch: RunBatch): D1Database {
  const database: Pick<D1Database, 'prepare' | 'batch'> = {
    prepare: (statement) => new PreparedStatement(runBatch, statement, []),
    batch: <Row>(statements: D1PreparedStatement[]) => runBatch<Row>((statements as PreparedStatement[]).map(plain)),
  };
  return database as D1Database;
}

/** Runs each batch when the one before it is done. */
export function oneByOne(runBatch: RunBatch): RunBatch {
  let last: Promise<unknown> = Promise.resolve();
  return <Row>(statements: readonly Statement[]) => {
    const batch = last.then(() => runBatch<Row>(statements));
    last = batch;
    batch.catch(() => {
      if (last === batch) last = Promise.resolve();
    });
    return batch;
  };
}

function plain({ statement, params }: PreparedStatement): Statement {
  return { statement, params };
}

class PreparedStatement implements D1PreparedStatement {
  readonly #runBatch: RunBatch;

  readonly statement: string;
  readonly params: readonly unknown[];

  constructor(runBatch: RunBatch, statement: string, params: readonly unknown[]) {
    this.#runBatch = runBatch;
    this.statement = statement;
    this.params = params;
  }

  bind(...params: unknown[]): D1PreparedStatement {
    return new PreparedStatement(this.#runBatch, this.statement, params);
  }

  async all<Row>(): Promise<D1Result<Row>> {
    const [result] = await this.#runBatch<Row>([plain(this)]);
    return result!;
  }

  run<Row>(): Promise<D1Result<Row>> {
    return this.all<Row>();
  }

  first<Value>(column: string): Promise<Value | null>;
  first<Row>(): Promise<Row | null>;
  async first(column?: string): Promise<unknown> {
    const [row] = (await this.all<Record<string, unknown>>()).results;
    if (row === undefined) return null;
    return column === undefined ? row : (row[column] ?? null);
  }

  /** Results have rows as objects, so the columns must have distinct names. */
  // biome-ignore lint/suspicious/noExplicitAny: the platform's two signatures have no common type
  async raw(): Promise<any> {
    return (await this.all<object>()).results.map(Object.values);
  }
}

/** Maximum number of attempts on a locked database; the delays add up to ten seconds. */
const ATTEMPTS = 20;
const FIRST_WAIT_MS = 50;

/**
 * Retries batches while another process, such as `wrangler dev`, locks the local database; SQLite has then rolled the
 * transaction back.
 *
 * @throws Failure `database_busy` if the lock is not released, `database_unusable` if there may be another cause
 */
export function retryWhileLocked(runBatch: RunBatch): RunBatch {
  return async <Row>(statements: readonly Statement[]) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await runBatch<Row>(statements);
      } catch (error) {
        const locked = String(error).includes(LOCKED);
        if (!locked && !String(error).includes(PERHAPS_LOCKED)) throw error;
        if (attempt === ATTEMPTS) throw locked ? BUSY : UNUSABLE;
        await setTimeout(attempt * FIRST_WAIT_MS);
      }
    }
  };
}

/** Errors of a locked database: the first, of a statement; the second, of a commit, but also of a damaged file. */
const LOCKED = 'SQLITE_BUSY';
const PERHAPS_LOCKED = 'internal error';

const BUSY = new Failure(
  'database_busy',
  'Another process, such as npm start, is using the local database. Try again later.',
);
const UNUSABLE = new Failure(
  'database_unusable',
  'The local database cannot be used: its files are damaged or not writable, or another process, such as npm start, has ' +
    'locked them.',
);
