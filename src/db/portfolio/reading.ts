import { parameters, type Row } from '../json-rows.ts';

/** Statements that read in one transaction, and the value of their results. */
export interface Reading<Value> {
  readonly statements: readonly D1PreparedStatement[];
  /** @param results the rows of each statement, in the statements' order */
  value(results: readonly (readonly never[])[]): Value;
}

/** Combines several readings into one transaction. */
export function allOf<Value>(readings: readonly Reading<Value>[]): Reading<Value[]> {
  return {
    statements: readings.flatMap(({ statements }) => statements),
    value: (results) => {
      let read = 0;
      return readings.map(({ statements, value }) => {
        read += statements.length;
        return value(results.slice(read - statements.length, read));
      });
    },
  };
}

/** Like {@link allOf}, with the values by name. */
export function together<Values extends object>(
  readings: { readonly [Name in keyof Values]: Reading<Values[Name]> },
): Reading<Values> {
  const { statements, value } = allOf(Object.values<Reading<unknown>>(readings));
  const named = (values: readonly unknown[]) => Object.keys(readings).map((name, index) => [name, values[index]]);
  return { statements, value: (results) => Object.fromEntries(named(value(results))) as Values };
}

/** @throws what D1 throws */
export function read<Value>(db: D1Database, reading: Reading<Value>): Promise<Value> {
  return runAndRead(db, [], reading);
}

/**
 * Runs statements, then reads, in one transaction.
 *
 * @throws what D1 throws
 */
export async function runAndRead<Value>(
  db: D1Database,
  statements: readonly D1PreparedStatement[],
  reading: Reading<Value>,
): Promise<Value> {
  const all = [...statements, ...reading.statements];
  const results = all.length === 0 ? [] : await db.batch<never>(all);
  return reading.value(results.slice(statements.length).map(({ results: rows }) => rows));
}

/**
 * Reads with a statement whose parameter 2 is a JSON array of rows, run once per parameter that the rows need. It is plain
 * SQL: one text for all of these parameters, which may name parameter 1, the account, in several places. Drizzle's `sql`
 * has no numbered parameters.
 */
export function selection<R, Value>(
  db: D1Database,
  accountId: number,
  sql: string,
  rows: readonly (Row | string)[],
  value: (found: readonly R[]) => Value,
): Reading<Value> {
  return {
    statements: parameters(rows).map((json) => db.prepare(sql).bind(accountId, json)),
    value: (results) => value(results.flat()),
  };
}
