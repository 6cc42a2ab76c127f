import { parameters, type Row } from './json-rows.ts';

/**
 * Adds a statement to those that read in one transaction. It is plain SQL, which can name parameter 1, the account, in several
 * places: drizzle's `sql` has no numbered parameters.
 *
 * @param rows parameter 2, a JSON array: with several arrays, the statement is executed once for each
 * @returns a function that returns the rows found; call it once all statements have been executed
 */
export type Select = <Found>(
  sql: string,
  rows?: readonly (Row | string)[],
) => () => readonly Found[];

/**
 * Reads an account in one transaction, in which other statements are executed before.
 *
 * @param prepare adds the statements, and returns a function that makes the value from their rows
 */
export async function readAccount<Value>(
  db: D1Database,
  accountId: number,
  prepare: (select: Select) => () => Value,
  before: readonly D1PreparedStatement[] = [],
): Promise<Value> {
  const statements = [...before];
  let results: readonly D1Result<never>[] = [];
  const value = prepare((sql, rows) => {
    const first = statements.length;
    const given = rows === undefined ? [[]] : parameters(rows).map((json) => [json]);
    const end = statements.push(...given.map((more) => db.prepare(sql).bind(accountId, ...more)));
    return () => results.slice(first, end).flatMap((result) => result.results);
  });
  if (statements.length > 0) results = await db.batch(statements);
  return value();
}
