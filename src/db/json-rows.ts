import { Buffer } from 'node:buffer';
import { type SQL, sql } from 'drizzle-orm';

/** A value in a row of a JSON parameter. SQLite reads its numbers exactly, to the last bit; an object is a JSON text there. */
export type Value = string | number | boolean | null | object;
export type Row = readonly Value[];

/** A statement whose parameter 1 is the account, and parameter 2 a JSON array of rows. It is executed for none if there are none. */
export interface Write {
  readonly sql: string;
  readonly rows: Iterable<Row | string>;
  readonly parameter3?: string;
}

/** The statements for writes, in their order. */
export function statementsOf(
  db: D1Database,
  accountId: number,
  writes: readonly Write[],
): D1PreparedStatement[] {
  return writes.flatMap(({ sql, rows, parameter3 }) =>
    parameters(rows).map((json) =>
      db.prepare(sql).bind(accountId, json, ...(parameter3 === undefined ? [] : [parameter3])),
    ),
  );
}

/** Bytes of JSON in one parameter. D1 accepts 2,000,000 per statement with all of its parameters. */
const PARAMETER_BYTES = 1_400_000;

/** Values as a list for a condition with `IN`: one parameter, however many they are. */
export function listOf(values: readonly (string | number)[]): SQL {
  return sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;
}

/**
 * The rows of parameter 2 as a table `d` of these columns and their `position`, from 0, for a FROM clause. They are
 * materialized because `json_each` would serialize a row again for every column that is read from it.
 */
export function rowsOf(columns: readonly string[]): string {
  const expressions = columns.map((column, index) => `value ->> ${index} AS ${column}`);
  return `(WITH given AS MATERIALIZED (SELECT key, value FROM json_each(?2))
    SELECT key AS position, ${expressions.join(', ')} FROM given) AS d`;
}

/** Rows as JSON arrays, each small enough for one parameter; no arrays for no rows. */
export function parameters(rows: Iterable<Row | string>): string[] {
  const chunks: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    const json = JSON.stringify(row);
    const size = Buffer.byteLength(json) + 1;
    if (bytes + size > PARAMETER_BYTES) {
      chunks.push([]);
      bytes = 0;
    }
    chunks.at(-1)!.push(json);
    bytes += size;
  }
  return chunks.map((chunk) => `[${chunk.join(',')}]`);
}
