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
 * @throws Failure `database_busy` where the lock is never free, `database_unusable` where that may not be the cause
 */
export function sharedWithServer(db: D1Database): D1Database {
  async function batch<Row>(statements: D1PreparedStatement[]): Promise<D1Result<Row>[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await db.batch<Row>(statements);
      } catch (error) {
        const locked = String(error).includes(LOCKED);
        if (!locked && !String(error).includes(PERHAPS_LOCKED)) throw error;
        if (attempt === ATTEMPTS) throw locked ? BUSY : UNUSABLE;
        await setTimeout(attempt * FIRST_WAIT);
      }
    }
  }
  const shared: Pick<D1Database, 'prepare' | 'batch'> = { prepare: (statement) => db.prepare(statement), batch };
  return shared as D1Database;
}

/** What a statement that meets the lock fails with; and a commit, but also whatever meets a file that is not sound. */
const LOCKED = 'SQLITE_BUSY';
const PERHAPS_LOCKED = 'internal error';

const BUSY = new Failure(
  'database_busy',
  'The local database is in use by another process, as npm start is: try again.',
);
const UNUSABLE = new Failure(
  'database_unusable',
  'The local database cannot be used: its files are damaged or cannot be written, or another process, as npm start is, ' +
    'has them locked.',
);
