import { parameters, type Row } from '../json-rows.ts';

/** Statements that read in one transaction, and the value of their results. */
export interface Reading<Value> {
  readonly statements: readonly D1PreparedStatement[];
  /** @param results the rows of each statement, in the statements' order */
  value(results: readonly (readonly never[])[]): Value;
}

/** Combines several readings into one transaction, with their values by name. */
export function together<Values extends object>(
  readings: { readonly [Name in keyof Values]: Reading<Values[Name]> },
): Reading<Values> {
  const named = Object.entries<Reading<unknown>>(readings);
  return {
    statements: named.flatMap(([, { statements }]) => statements),
    value: (results) => {
      let read = 0;
      const values = named.map(([name, { statements, value }]) => {
        read += statements.length;
        return [name, value(results.slice(read - statements.length, read))];
      });
      return Object.fromEntries(values) as Values;
    },
  };
}

/** Reads in one transaction, in which other statements are executed before. @throws what D1 throws */
export async function read<Value>(
  db: D1Database,
  reading: Reading<Value>,
  before: readonly D1PreparedStatement[] = [],
): Promise<Value> {
  const all = [...before, ...reading.statements];
  const results = all.length === 0 ? [] : await db.batch<never>(all);
  return reading.value(results.slice(before.length).map(({ results: rows }) => rows));
}

/**
 * Reads rows with a statement whose parameters are an account and a JSON array of rows, once for each array. It is plain SQL,
 * which can name parameter 1, the account, in several places: drizzle's `sql` has no numbered parameters.
 */
export function selectIn(db: D1Database, accountId: number) {
  return <Found>(sql: string, rows: readonly (Row | string)[]): Reading<readonly Found[]> => ({
    statements: parameters(rows).map((json) => db.prepare(sql).bind(accountId, json)),
    value: (results) => results.flat(),
  });
}

/** A reading with another value. */
export function mapped<From, To>({ statements, value }: Reading<From>, map: (read: From) => To): Reading<To> {
  return { statements, value: (results) => map(value(results)) };
}
