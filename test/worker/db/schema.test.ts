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

test('the schema names every table of the migrations', async () => {
  const created = (await statements()).filter(({ type }) => type === 'table').map(({ name }) => name);
  expect(created.toSorted()).toEqual(tables.map((table) => getTableConfig(table).name).sort());
});

test('schema.sql is what the migrations create; vitest -u writes it', async () => {
  const sql = (await statements()).map(({ sql }) => `${sql.replace(/\n\s*(--.*)?(?=\n)/g, '')};\n`).join('\n');
  await expect(`${HEADER}\n${sql}`).toMatchFileSnapshot('../../../src/db/schema.sql');
});

const HEADER = `-- The schema that the files of migrations/ create, in their order. Written by a test, for reading only: see
-- migrations/README.md. Comments are only in those files.
`;

/** The statements that created the database, in order, except the platform's own. */
async function statements(): Promise<{ type: string; name: string; sql: string }[]> {
  const { results } = await env.DB.prepare(
    `SELECT type, name, sql FROM sqlite_schema
      WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name <> 'd1_migrations'
      ORDER BY rowid`,
  ).all<{ type: string; name: string; sql: string }>();
  return results;
}
