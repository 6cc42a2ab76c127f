import { type GetColumnData, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';

type Columns = Readonly<Record<string, SQLiteColumn>>;

/** The values of columns in one row. */
export type ColumnValues<Given extends Columns> = { readonly [Name in keyof Given]: GetColumnData<Given[Name]> };

/** Columns of all rows of a subquery as one value: {@link valuesIn} reads it. D1 accepts 2,000,000 bytes in one value. */
export function asJson(columns: Columns): SQL<string> {
  return sql<string>`json_group_array(json_array(${sql.join(Object.values(columns), sql`, `)}))`;
}

/** The rows in a value of {@link asJson}. */
export function valuesIn<Given extends Columns>(columns: Given, json: string): ColumnValues<Given>[] {
  const entries = Object.entries(columns);
  return (JSON.parse(json) as unknown[][]).map((values) => {
    const mapped = entries.map(([name, column], index) => {
      const value = values[index];
      return [name, value === null ? null : column.mapFromDriverValue(value)];
    });
    return Object.fromEntries(mapped) as ColumnValues<Given>;
  });
}
