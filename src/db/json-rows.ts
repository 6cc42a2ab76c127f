import { Buffer } from 'node:buffer';
import { type SQL, sql } from '#drizzle';

/** A value in a row of a JSON parameter. SQLite reads its numbers exactly, to the last bit; an object is a JSON text there. */
export type Value = string | number | boolean | null | object;
export type Row = readonly Value[];

/** A statement whose parameter 1 is the account, and parameter 2 a JSON array of rows. It is executed for none if there are none. */
export interface Write {
  readonly sql: string;
  readonly rows: Iterable<Row | string>;
  /** Parameter 3. */
  readonly actor?: string;
}

/** The statements for writes, in their order. */
export function statementsOf(db: D1Database, accountId: number, writes: readonly Write[]): D1PreparedStatement[] {
  return writes.flatMap(({ sql, rows, actor }) =>
    parameters(rows).map((json) => db.prepare(sql).bind(accountId, json, ...(actor === undefined ? [] : [actor]))),
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

type Expressions = Readonly<Record<string, string>>;

/**
 * Inserts rows, or updates the ones that exist.
 *
 * @param values what is set
 * @param others the other columns, which do not change
 * @param given the columns of the rows `d`
 */
export function upsert(
  { table, key, values }: { readonly table: string; readonly key: readonly string[]; readonly values: Expressions },
  others: Expressions,
  given: readonly string[],
  rows: readonly Row[],
): Write {
  const all = { ...others, ...values };
  const updates = Object.keys(values).map((column) => `${column} = excluded.${column}`);
  const sql = `INSERT INTO ${table} (${Object.keys(all).join(', ')})
    SELECT ${Object.values(all).join(', ')} FROM ${rowsOf(given)}
     WHERE true ON CONFLICT (${key.join(', ')})
     DO ${updates.length === 0 ? 'NOTHING' : `UPDATE SET ${updates.join(', ')}`}`;
  return { sql, rows };
}

/** The columns of rows `d` as values for columns of the same names. */
export function fromRows(columns: readonly string[]): Expressions {
  return Object.fromEntries(columns.map((column) => [column, `d.${column}`]));
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
