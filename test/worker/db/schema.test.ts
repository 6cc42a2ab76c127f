import { env } from 'cloudflare:workers';
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { expect, test } from 'vitest';
import * as schema from '../../../src/db/schema.ts';

const tables = Object.values(schema).filter((value) => value instanceof SQLiteTable);

test.each(tables.map((table) => [getTableConfig(table).name, table] as const))(
  'the table %s has the columns that the schema names, and no others',
  async (name, table) => {
    const { results } = await env.DB.prepare('SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?)')
      .bind(name)
      .all<{ name: string; type: string; notnull: number; pk: number }>();
    const inDatabase = results.map(({ name, type, notnull, pk }) => [name, type.toLowerCase(), notnull + pk > 0]);
    const inSchema = getTableConfig(table).columns.map((column) => [column.name, column.getSQLType(), column.notNull]);
    expect(new Set(inSchema)).toEqual(new Set(inDatabase));
  },
);

/** Tables whose statements are SQL alone. */
const WITHOUT_SCHEMA = ['imports', 'source_properties', 'sources'];

test('the schema names every table of the migrations', async () => {
  const { results } = await env.DB.prepare(
    `SELECT name FROM sqlite_schema
      WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT IN ('d1_migrations', 'test_cursors')`,
  ).all<{ name: string }>();
  expect(results.map(({ name }) => name).sort()).toEqual(
    [...tables.map((table) => getTableConfig(table).name), ...WITHOUT_SCHEMA].sort(),
  );
});
