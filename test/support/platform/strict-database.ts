import type { Invocation } from './invocation.ts';
import { countStatements } from './limits/invocation-limits.ts';
import { checkRow, checkStatement } from './limits/statement-limits.ts';

/** A D1 database within the platform's limits, as one invocation sees it. */
export class StrictDatabase {
  private readonly real: D1Database;
  private readonly invocation: Invocation;

  constructor(real: D1Database, invocation: Invocation) {
    this.real = real;
    this.invocation = invocation;
  }

  prepare(sql: string): StrictStatement {
    return new StrictStatement(this.real.prepare(sql), sql, [], this.invocation);
  }

  batch(statements: readonly StrictStatement[]): Promise<D1Result[]> {
    return this.invocation.use('A D1 batch', async () => {
      countStatements(this.invocation.usage, statements.length);
      for (const statement of statements) statement.check();
      const results = await this.real.batch(statements.map(({ real }) => real));
      results.forEach((result, index) => {
        statements[index]!.count(result);
      });
      return results;
    });
  }

  exec(sql: string): Promise<D1ExecResult> {
    return this.invocation.use('D1 exec', async () => {
      countStatements(this.invocation.usage, 1);
      checkStatement(sql, []);
      return this.real.exec(sql);
    });
  }

  /** Locally there is one database and no replica. */
  withSession(): this {
    return this;
  }
}

/** A prepared statement within the platform's limits. */
class StrictStatement {
  readonly real: D1PreparedStatement;
  private readonly sql: string;
  private readonly parameters: readonly unknown[];
  private readonly invocation: Invocation;

  constructor(
    real: D1PreparedStatement,
    sql: string,
    parameters: readonly unknown[],
    invocation: Invocation,
  ) {
    this.real = real;
    this.sql = sql;
    this.parameters = parameters;
    this.invocation = invocation;
  }

  bind(...parameters: unknown[]): StrictStatement {
    return new StrictStatement(
      this.real.bind(...parameters),
      this.sql,
      parameters,
      this.invocation,
    );
  }

  all(): Promise<D1Result> {
    return this.#run(() => this.real.all());
  }

  run(): Promise<D1Result> {
    return this.#run(() => this.real.run());
  }

  async first(column?: string): Promise<unknown> {
    const { results } = await this.all();
    const row = results[0] as Record<string, unknown> | undefined;
    if (row === undefined || column === undefined) return row ?? null;
    if (column in row) return row[column];
    throw new Error(`D1_ERROR: column not found: ${column}`);
  }

  raw(options?: { columnNames?: false }): Promise<unknown[][]> {
    return this.invocation.use('A D1 statement', async () => {
      countStatements(this.invocation.usage, 1);
      this.check();
      // `raw` does not tell how many rows were read or written; `all` does, but merges columns of the same name.
      if (!/^\s*(SELECT|WITH)\b/i.test(this.sql)) {
        const written = await this.real.all();
        this.count(written);
        return written.results.map((row) => Object.values(row as object));
      }
      const rows = (await this.real.raw(options)) as unknown[][];
      for (const row of rows) checkRow(row, this.sql);
      if (this.invocation.countsRows) this.count(await this.real.all());
      return rows;
    });
  }

  /** @throws PlatformViolation */
  check(): void {
    checkStatement(this.sql, this.parameters);
  }

  /** Counts and checks the rows of a result. */
  count({ results, meta }: D1Result): void {
    for (const row of results ?? []) checkRow(row, this.sql);
    this.invocation.usage.rowsRead += meta?.rows_read ?? 0;
    this.invocation.usage.rowsWritten += meta?.rows_written ?? 0;
  }

  #run(statement: () => Promise<D1Result>): Promise<D1Result> {
    return this.invocation.use('A D1 statement', async () => {
      countStatements(this.invocation.usage, 1);
      this.check();
      const result = await statement();
      this.count(result);
      return result;
    });
  }
}
