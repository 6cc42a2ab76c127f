import {
  and,
  eq,
  getTableColumns,
  inArray,
  isNull,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { SQLiteAsyncDialect, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { withCauses } from '../lib/log.ts';
import { listOf } from './json-rows.ts';

type RowOf<Table extends SQLiteTable> = Table['$inferSelect'];

/** Where something is found: its account, and its name there. */
export type Address = Readonly<{ accountId: number; name: string }>;

/** Values by column: a row must have this one, one of these, or that of an expression. */
export type Values<Table extends SQLiteTable> = {
  readonly [Name in keyof RowOf<Table>]?: RowOf<Table>[Name] | readonly RowOf<Table>[Name][] | SQL;
};

/** Whether a row of a table has these values. */
export function whereEquals<Table extends SQLiteTable>(table: Table, values: Values<Table>): SQL {
  const columns = getTableColumns(table);
  const conditions = Object.entries(values).map(([name, value]) => {
    const column = columns[name]!;
    if (value === null) return isNull(column);
    return Array.isArray(value) ? inArray(column, listOf(value)) : eq(column, value);
  });
  return and(...conditions)!;
}

/** Some columns of the row of a table with these values that meets the condition; `null` if there is none. */
export async function selectOne<
  Table extends SQLiteTable,
  Name extends keyof RowOf<Table> & string,
>(
  db: D1Database,
  table: Table,
  names: readonly Name[],
  values: Values<Table>,
  condition?: SQL,
): Promise<Readonly<Pick<RowOf<Table>, Name>> | null> {
  const columns = getTableColumns(table);
  const selected = Object.fromEntries(names.map((name) => [name, columns[name]!]));
  const query = drizzle(db)
    .select(selected)
    .from(table as SQLiteTable);
  const found = await query.where(and(whereEquals(table, values), condition)).get();
  return (found as Pick<RowOf<Table>, Name> | undefined) ?? null;
}

/** Changes the rows of a table that have these values, and meet the condition; returns whether there are any. */
export async function change<Table extends SQLiteTable>(
  db: D1Database,
  table: Table,
  values: Values<Table>,
  to: Values<Table>,
  condition?: SQL,
): Promise<boolean> {
  const update = drizzle(db)
    .update(table as SQLiteTable)
    .set(to);
  return (
    (await update.where(and(whereEquals(table, values), condition)).returning({ one: sql`1` }))
      .length > 0
  );
}

/** Deletes the rows of a table that have these values, and meet the condition; returns whether there were any. */
export async function remove<Table extends SQLiteTable>(
  db: D1Database,
  table: Table,
  values: Values<Table>,
  condition?: SQL,
): Promise<boolean> {
  const deletion = drizzle(db).delete(table as SQLiteTable);
  return (
    (await deletion.where(and(whereEquals(table, values), condition)).returning({ one: sql`1` }))
      .length > 0
  );
}

/** Whether an insertion succeeds; `false` if there is a row with the same key. */
export async function isInserted(insertion: PromiseLike<unknown>): Promise<boolean> {
  try {
    await insertion;
    return true;
  } catch (error) {
    if (withCauses(error).includes('UNIQUE constraint failed')) return false;
    throw error;
  }
}

const dialect = new SQLiteAsyncDialect();

/** A query of drizzle, or plain SQL, as a statement for a batch. */
export function statementOf(db: D1Database, query: SQLWrapper): D1PreparedStatement {
  const { sql: text, params } = dialect.sqlToQuery(query.getSQL());
  return db.prepare(text).bind(...params);
}

/** The rows of several statements, executed in one transaction. Drizzle's own `batch` takes no plain SQL. */
export async function runBatch<Rows extends unknown[]>(
  db: D1Database,
  queries: readonly SQLWrapper[],
): Promise<{ [Index in keyof Rows]: Rows[Index][] }> {
  const results = await db.batch(queries.map((query) => statementOf(db, query)));
  return results.map((result) => result.results) as { [Index in keyof Rows]: Rows[Index][] };
}
