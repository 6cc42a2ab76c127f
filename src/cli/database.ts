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

  // biome-ignore lint/suspicious/noExplicitAny: the platform's two signatures have no common type
  raw(options?: any): Promise<any> {
    return this.#db
      .prepare(this.statement)
      .bind(...this.params)
      .raw(options);
  }
}
