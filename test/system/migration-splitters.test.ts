import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyPendingMigrations, readMigrations } from '../../src/cli/platform/migrations.ts';
import { startDatabases } from '../support/databases.ts';
import { SPLITTERS } from '../support/splitters.ts';

const MIGRATIONS = 'migrations';

let started: Awaited<ReturnType<typeof startDatabases>>;

beforeAll(async () => {
  started = await startDatabases(10);
});
afterAll(() => started.stop());

function emptyDatabase(): D1Database {
  return started.databases.pop()!;
}

/** The schema of a database, without comments and white space, which a splitter may remove. */
async function schemaOf(db: D1Database): Promise<unknown[]> {
  const { results } = await db
    .prepare(
      `SELECT type, name, tbl_name, sql FROM sqlite_schema
        WHERE name <> 'd1_migrations' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_cf%' ESCAPE '\\' ORDER BY name`,
    )
    .all<{ sql: string | null }>();
  return results.map((row) => ({ ...row, sql: row.sql?.replaceAll(/--.*/g, '').replaceAll(/\s+/g, ' ') }));
}

/** A file of a table and a trigger with this body, in the layout of the migrations. */
function withTrigger(body: string): string {
  return `CREATE TABLE t (a, b);\n\nCREATE TRIGGER t_inserted AFTER INSERT ON t\n${body}\n\nCREATE TABLE after_it (a);\n`;
}

const SAFE = withTrigger('BEGIN\n  UPDATE t SET a = iif(b, 1, 2)\n; UPDATE t SET b = 1\n; END;');

describe.each<[splitter: string, careless: string]>([
  ['at each semicolon that ends a line outside quotes', withTrigger('BEGIN\n  UPDATE t SET a = 1;\nEND;')],
  ['at the first END of a trigger', withTrigger('BEGIN\n  SELECT CASE a WHEN 1 THEN 2 END FROM t\n; END;')],
])('SQL cut %s', (name, careless) => {
  const split = SPLITTERS[name]!;

  async function apply(db: D1Database, sql: string): Promise<void> {
    for (const statement of split(sql)) await db.prepare(statement).run();
  }

  test('the migrations create the schema that the local database has', async () => {
    const [cut, local] = [emptyDatabase(), emptyDatabase()];
    await applyPendingMigrations(local, MIGRATIONS, () => {});
    for (const { sql } of await readMigrations(MIGRATIONS)) {
      // The local database would also accept several statements that a splitter has left together.
      expect(split(sql)).toHaveLength(sql.match(/^(CREATE|ALTER|DROP|INSERT|UPDATE|DELETE)\b/gm)!.length);
      await apply(cut, sql);
    }
    expect(await schemaOf(cut)).toEqual(await schemaOf(local));
  });

  test('a trigger in the layout of the migrations is one statement, a careless one is not', () => {
    expect(split(SAFE)).toHaveLength(3);
    expect(split(careless)).not.toHaveLength(3);
  });
});
