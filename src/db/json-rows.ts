import { Buffer } from 'node:buffer';
import { type SQL, sql } from 'drizzle-orm';

/** A value in a row of a JSON parameter. */
export type Value =
  | string
  | number
  | boolean
  | null
  | readonly [mantissa: number, exponent: number]
  | readonly string[]
  | readonly number[];
export type Row = readonly Value[];

/** A statement whose parameter 2 is a JSON array of rows. */
export interface Write {
  readonly sql: string;
  readonly rows: Iterable<Row | string>;
  /** Parameter 3, if there is one: the values that all rows share, as JSON. */
  readonly common?: readonly [json: string];
}

/** A column's name, with 'real' if its values are written by {@link real}. */
export type Column = string | readonly [name: string, kind: 'real'];

/** Bytes of JSON in one parameter. D1 accepts 2,000,000 per statement with all of its parameters. */
const PARAMETER_BYTES = 1_400_000;

/** Values as a list for a condition with `IN`: one parameter, however many they are. */
export function listOf(values: readonly (string | number)[]): SQL {
  return sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;
}

const float = new DataView(new ArrayBuffer(8));

/**
 * A number in a form that is exact to the last bit: an integer mantissa and an exponent of 2. SQLite reads integers up to
 * 2^53 and computes such products exactly, but reads decimals of 17 digits only approximately.
 */
export function real(value: number | null): Value {
  if (value === null) return null;
  if (Number.isSafeInteger(value)) return [value, 0];
  float.setFloat64(0, value);
  const high = float.getUint32(0);
  const biased = (high >>> 20) & 0x7ff;
  const implicit = biased === 0 ? 0 : 0x100000;
  const mantissa = ((high & 0xfffff) + implicit) * 2 ** 32 + float.getUint32(4);
  return [value < 0 ? -mantissa : mantissa, Math.max(biased, 1) - 1075];
}

/**
 * The rows of parameter 2 as a table `d` of these columns, for a FROM clause. They are materialized because `json_each`
 * would serialize a row again for every column that is read from it.
 */
export function rowsOf(columns: readonly Column[]): string {
  return tableOf('value', expressionsOf(columns));
}

/**
 * A statement for rows of many columns like those of {@link rowsOf}, with one more for their `position` in parameter 2, from 0.
 * Most of their values are the same in all rows: SQLite reads these once for a statement instead of once for a row.
 *
 * @param sql the statement, given the table `d` for its FROM clause
 */
export function wideWrite(columns: readonly Column[], rows: readonly Row[], sql: (table: string) => string): Write {
  const [first = []] = rows;
  const isCommon = columns.map((_, index) => rows.every((row) => isSame(row[index]!, first[index]!)));
  const parted = (row: Row, common: boolean) => row.filter((_, index) => isCommon[index] === common);
  const common = columns.filter((_, index) => isCommon[index]);
  const own = columns.filter((_, index) => !isCommon[index]);
  const expressions = ['key AS position', expressionsOf(own), expressionsOf(common, '?3')];
  return {
    sql: sql(tableOf('key, value', expressions.filter((each) => each !== '').join(', '))),
    rows: rows.map((row) => parted(row, false)),
    common: [JSON.stringify(parted(first, true))],
  };
}

/** Expressions by columns. */
type Expressions = Readonly<Record<string, string>>;

/**
 * Inserts rows, or sets the values of those that exist.
 *
 * @param values what is set
 * @param others the other columns, which do not change
 * @param given the columns of the rows `d`
 */
export function upsert(
  { table, key, values }: { readonly table: string; readonly key: readonly string[]; readonly values: Expressions },
  others: Expressions,
  given: readonly Column[],
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

function isSame(a: Value, b: Value): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  return a.length === b.length && a.every((each, index) => each === b[index]);
}

function tableOf(given: string, expressions: string): string {
  return `(WITH given AS MATERIALIZED (SELECT ${given} FROM json_each(?2)) SELECT ${expressions} FROM given) AS d`;
}

/** The rows of a JSON array as {@link rowsOf} gives those of parameter 2, for drizzle, which numbers no parameters. */
export function rowsIn(columns: readonly Column[], json: string): SQL {
  const expressions = sql.raw(expressionsOf(columns));
  return sql`(WITH given AS MATERIALIZED (SELECT value FROM json_each(${json})) SELECT ${expressions} FROM given) AS d`;
}

function expressionsOf(columns: readonly Column[], row = 'value'): string {
  return columns
    .map((column, index) =>
      typeof column === 'string'
        ? `${row} ->> ${index} AS ${column}`
        : `(${row} ->> '$[${index}][0]') * pow(2.0, ${row} ->> '$[${index}][1]') AS ${column[0]}`,
    )
    .join(', ');
}

/**
 * Rows as JSON arrays, each small enough for one parameter; no arrays for no rows.
 *
 * @param others further parameters of the same statement
 */
export function parameters(rows: Iterable<Row | string>, others: readonly string[] = []): string[] {
  const most = PARAMETER_BYTES - others.reduce((sum, other) => sum + Buffer.byteLength(other), 0);
  const chunks: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    const json = JSON.stringify(row);
    const size = Buffer.byteLength(json) + 1;
    if (bytes + size > most) {
      chunks.push([]);
      bytes = 0;
    }
    chunks.at(-1)!.push(json);
    bytes += size;
  }
  return chunks.map((chunk) => `[${chunk.join(',')}]`);
}
