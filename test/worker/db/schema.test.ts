import { env } from 'cloudflare:workers';
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { expect, test } from 'vitest';
import * as news from '../../../src/changes/webhooks/webhooks.ts';
import * as schema from '../../../src/db/schema.ts';
import * as importTables from '../../../src/imports/runs/tables.ts';

const tables = Object.values({ ...schema, ...importTables, ...news }).filter(
  (value) => value instanceof SQLiteTable,
);

const SOURCES = import.meta.glob<string>('../../../src/*/**/*.ts', {
  query: '?raw',
  import: 'default',
  eager: true,
});

test('every table that the source declares is compared with the database', () => {
  const declared = Object.values(SOURCES).flatMap((text) =>
    [...text.matchAll(/sqliteTable\(\s*'(\w+)'/g)].map(([, name]) => name!),
  );
  expect(tables.map((table) => getTableConfig(table).name).sort()).toEqual(declared.sort());
});

test.each(tables.map((table) => [getTableConfig(table).name, table] as const))(
  'the table %s has the columns that the schema names, and no others',
  async (name, table) => {
    const { results } = await env.DB.prepare(
      'SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?)',
    )
      .bind(name)
      .all<{ name: string; type: string; notnull: number; pk: number }>();
    const inDatabase = results.map(({ name, type, notnull, pk }) => [
      name,
      type.toLowerCase(),
      notnull + pk > 0,
    ]);
    const inSchema = getTableConfig(table).columns.map((column) => [
      column.name,
      column.getSQLType(),
      column.notNull,
    ]);
    expect(new Set(inSchema)).toEqual(new Set(inDatabase));
  },
);

test('a segment ends where the column of the path has the next one', async () => {
  const { sql } = (await env.DB.prepare(
    "SELECT sql FROM sqlite_schema WHERE name = 'properties'",
  ).first<{
    sql: string;
  }>())!;
  const path = /path TEXT[^(]*AS \((.*)\) VIRTUAL/.exec(sql)![1]!;
  const pathOf = (number: number) =>
    env.DB.prepare(`SELECT ${path} FROM (SELECT CAST(? AS INTEGER) AS number)`).bind(number).raw();
  expect(await pathOf(schema.SEGMENT_SIZE)).toEqual([['$.0']]);
  expect(await pathOf(schema.SEGMENT_SIZE + 1)).toEqual([['$.1']]);
});
