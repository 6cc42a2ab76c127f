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

/** Rows with a column for their place in parameter 2, from 0, and with the values that all of them share set apart. */
export interface WideRows {
  /** The table `d`, for a FROM clause: the columns, and `position`. */
  readonly table: string;
  readonly rows: readonly Row[];
  /** Parameter 3. */
  readonly common: readonly [json: string];
}

/**
 * Rows of many columns like those of {@link rowsOf}. Most of their values are the same in all rows: SQLite reads these
 * once for a statement instead of once for a row.
 */
export function wideRowsOf(columns: readonly Column[], rows: readonly Row[]): WideRows {
  const [first = []] = rows;
  const isCommon = columns.map((_, index) => rows.every((row) => isSame(row[index]!, first[index]!)));
  const parted = (row: Row, common: boolean) => row.filter((_, index) => isCommon[index] === common);
  const common = columns.filter((_, index) => isCommon[index]);
  const own = columns.filter((_, index) => !isCommon[index]);
  const expressions = ['key AS position', expressionsOf(own), expressionsOf(common, '?3')];
  return {
    table: tableOf('key, value', expressions.filter((each) => each !== '').join(', ')),
    rows: rows.map((row) => parted(row, false)),
    common: [JSON.stringify(parted(first, true))],
  };
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
  const chunks: string[] = [];
  let chunk: string[] = [];
  let bytes = 0;
  for (const row of rows) {
    const json = JSON.stringify(row);
    const size = Buffer.byteLength(json) + 1;
    if (chunk.length > 0 && bytes + size > most) {
      chunks.push(`[${chunk.join(',')}]`);
      chunk = [];
      bytes = 0;
    }
    chunk.push(json);
    bytes += size;
  }
  if (chunk.length > 0) chunks.push(`[${chunk.join(',')}]`);
  return chunks;
}
