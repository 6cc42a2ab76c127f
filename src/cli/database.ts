import { setTimeout } from 'node:timers/promises';
import { Failure } from './failure.ts';

/**
 * A database whose statements are made on this side of wrangler's platform proxy, and cross it in one call when they are
 * run. The proxy's own cross it one by one when they are prepared and when they are bound, each time holding up this
 * process: an import of a large file would take twice as long.
 *
 * What D1's `batch` asks of a statement is its text and its parameters, under these names; that holds for the version of
 * workerd that the project pins, and the tests of imports in a process of their own would tell.
 */
export function withOwnStatements(db: D1Database): D1Database {
  const own: Pick<D1Database, 'prepare' | 'batch'> = {
    prepare: (statement) => new OwnStatement(db, statement, []),
    batch: (statements) => db.batch((statements as OwnStatement[]).map(crossing)),
  };
  return own as D1Database;
}

/** A statement as the plain object that crosses the proxy. */
function crossing({ statement, params }: OwnStatement): D1PreparedStatement {
  return { statement, params } as unknown as D1PreparedStatement;
}

class OwnStatement implements D1PreparedStatement {
  readonly #db: D1Database;

  constructor(
    db: D1Database,
    readonly statement: string,
    readonly params: readonly unknown[],
  ) {
    this.#db = db;
  }

  bind(...params: unknown[]): D1PreparedStatement {
    return new OwnStatement(this.#db, this.statement, params);
  }

  async all<Row>(): Promise<D1Result<Row>> {
    const [result] = await this.#db.batch<Row>([crossing(this)]);
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

  /** A batch gives rows as objects, so the columns must have names of their own. */
  // biome-ignore lint/suspicious/noExplicitAny: the platform's two signatures have no common type
  async raw(): Promise<any> {
    return (await this.all<object>()).results.map(Object.values);
  }
}

/** How often a batch is tried that meets the lock of another process; the waits grow to ten seconds in all. */
const ATTEMPTS = 20;
const FIRST_WAIT = 50;

/**
 * The local database, whose file `wrangler dev` may have open as well: what meets its lock, which SQLite reports by rolling
 * the transaction back, is tried again.
 *
 * @throws Failure where the lock is never free
 */
export function sharedWithServer(db: D1Database): D1Database {
  async function batch<Row>(statements: D1PreparedStatement[]): Promise<D1Result<Row>[]> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      try {
        return await db.batch<Row>(statements);
      } catch (error) {
        if (!LOCKED.test(String(error))) throw error;
        await setTimeout(attempt * FIRST_WAIT);
      }
    }
    throw new Failure('database_busy', 'The local database is in use by another process, as npm start is: try again.');
  }
  const shared: Pick<D1Database, 'prepare' | 'batch'> = { prepare: (statement) => db.prepare(statement), batch };
  return shared as D1Database;
}

/** By one name where a statement meets the lock, by the other, with the reason in workerd's log, where a commit does. */
const LOCKED = /SQLITE_BUSY|internal error/;
