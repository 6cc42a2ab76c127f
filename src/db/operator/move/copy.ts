import { isDeepStrictEqual } from 'node:util';
import { readTriggers } from './guards.ts';
import type { Table } from './tables.ts';

/** A row by the names of its columns. */
type Row = Readonly<Record<string, unknown>>;

/** Parameters of a statement, rows of a page, and bytes of the values of a statement. */
const MAX_PARAMETERS = 100;
const MAX_PAGE_ROWS = 1_000;
const MAX_PAGE_STATEMENTS = 100;
const MAX_STATEMENT_BYTES = 1_000_000;

/** Rows that are copied again at a time because they have changed. */
const MAX_CHANGED = 300;

/**
 * What rows are set to before changed rows are written, where names can be exchanged between rows: none of the names that
 * they are about to get may still be in use.
 */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  properties: "identifier = '~' || id, unit_id = NULL",
  units: "name = '~' || id",
  property_types: "code = '~' || id",
  features: "code = '~' || id",
  feature_categories: "code = '~' || id",
  channels: "name = 'moving-' || id",
  readers: "name = 'moving-' || id",
  webhooks: "name = 'moving-' || id",
};

/** A copy of an account's rows in another database. */
export interface Copying {
  readonly accountId: number;
  readonly tables: readonly Table[];
  readonly source: D1Database;
  readonly target: D1Database;
}

/** Copies all rows, page by page. A page that refers to rows that have appeared since is copied after those. */
export async function copyAll(copying: Copying): Promise<void> {
  const { accountId, tables, source } = copying;
  for (const table of tables) {
    let last: readonly unknown[] | null = null;
    const limit = pageSize(table);
    for (let isLast = false; !isLast; ) {
      const rows: readonly Row[] = await readPage(source, table, accountId, last, limit);
      if (rows.length > 0) await again(copying, () => write(copying, new Map([[table, { rows, keys: [] }]])));
      last = table.key.map((column) => rows.at(-1)?.[column]);
      isLast = rows.length < limit;
    }
  }
}

/** Tries to write several times, each time after the rows that have changed in the meantime. */
async function again(copying: Copying, writing: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await writing();
    } catch (error) {
      if (attempt === 10 || !/constraint failed|no such trigger/i.test(String(error))) throw error;
      await copyChanged(copying);
    }
  }
}

function pageSize({ columns }: Table): number {
  return Math.min(MAX_PAGE_ROWS, Math.floor(MAX_PARAMETERS / columns.length) * MAX_PAGE_STATEMENTS);
}

async function readPage(
  db: D1Database,
  table: Table,
  accountId: number,
  last: readonly unknown[] | null,
  limit: number,
): Promise<readonly Row[]> {
  const key = table.key.join(', ');
  const after = last === null ? '' : `AND (${key}) > (${last.map(() => '?').join(', ')})`;
  const { results } = await db
    .prepare(
      `SELECT ${table.columns.join(', ')} FROM ${table.name}
        WHERE ${table.account(table.name)} = ${accountId} ${after} ORDER BY ${key} LIMIT ${limit}`,
    )
    .bind(...(last ?? []))
    .all<Row>();
  return results;
}

/** Rows of a table as they are now, and the keys of those that have changed, some of which may no longer exist. */
interface Changed {
  readonly rows: readonly Row[];
  readonly keys: readonly string[];
}

/**
 * Copies rows that have changed since they were copied, at most `limit`.
 *
 * @returns how many changes were noted
 */
export async function copyChanged(copying: Copying, limit = MAX_CHANGED): Promise<number> {
  const { tables, source } = copying;
  const order = tables.map(({ name }, index) => `iif(table_name = '${name}', ${index}, 0)`).join(' + ');
  const { results: noted } = await source
    .prepare(`SELECT table_name, row_key, version FROM moved_rows ORDER BY ${order}, row_key LIMIT ${limit}`)
    .all<{ table_name: string; row_key: string; version: number }>();
  if (noted.length === 0) return 0;
  const keysOf = Map.groupBy(noted, ({ table_name }) => table_name);
  const changed = tables.filter(({ name }) => keysOf.has(name));
  const keys = changed.map(({ name }) => keysOf.get(name)!.map(({ row_key }) => row_key));
  // In one transaction, so that no row refers to one that was read in an earlier state.
  const read = await source.batch<Row>(
    changed.map((table, index) => source.prepare(select(table)).bind(json(keys[index]!))),
  );
  const rows = new Map(
    changed.map((table, index): [Table, Changed] => [table, { rows: read[index]!.results, keys: keys[index]! }]),
  );
  try {
    await write(copying, rows);
  } catch (error) {
    // Rows that these refer to have appeared since: they are noted as well.
    if (limit > 10 * MAX_CHANGED || !/constraint failed|no such trigger/i.test(String(error))) throw error;
    return copyChanged(copying, limit * 2);
  }
  const copied = json(noted.map(({ table_name, row_key, version }) => JSON.stringify([table_name, row_key, version])));
  await source
    .prepare(
      `DELETE FROM moved_rows WHERE (table_name, row_key, version) IN (
         SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?))`,
    )
    .bind(copied)
    .run();
  return noted.length;
}

function json(values: readonly string[]): string {
  return `[${values.join(',')}]`;
}

/** The rows of a table with the keys of the parameter. */
function select({ name, columns, key }: Table): string {
  return `SELECT ${columns.join(', ')} FROM ${name} WHERE ${hasKey(key)} ORDER BY ${key.join(', ')}`;
}

function hasKey(key: readonly string[]): string {
  const values = key.map((_, index) => `value ->> ${index}`).join(', ');
  return `(${key.join(', ')}) IN (SELECT ${values} FROM json_each(?))`;
}

/**
 * Writes rows into the target and removes those that no longer exist, in one transaction in which the target has no triggers:
 * they would number the changes again, and apply each entry of a unit's history once more.
 *
 * @throws if what was written is not what was read
 */
async function write({ target }: Copying, changes: ReadonlyMap<Table, Changed>): Promise<void> {
  const triggers = await readTriggers(target);
  const prepare = (sql: string) => target.prepare(sql);
  const tables = [...changes];
  const removed = tables.map(([table, { rows, keys }]): [Table, string[]] => {
    const present = new Set(rows.map((row) => keyOf(table, row)));
    return [table, keys.filter((key) => !present.has(key))];
  });
  const verifications = tables.map(([table, { rows }]) =>
    prepare(select(table)).bind(json(rows.map((row) => keyOf(table, row)))),
  );
  const results = await target.batch<Row>([
    prepare('PRAGMA defer_foreign_keys = on'),
    ...triggers.map(({ name }) => prepare(`DROP TRIGGER ${name}`)),
    ...tables.flatMap(([{ name, key }, { keys }]) =>
      keys.length === 0 || PLACEHOLDERS[name] === undefined
        ? []
        : [prepare(`UPDATE ${name} SET ${PLACEHOLDERS[name]} WHERE ${hasKey(key)}`).bind(json(keys))],
    ),
    ...tables.flatMap(([table, { rows }]) => inserts(target, table, rows)),
    ...removed
      .filter(([, keys]) => keys.length > 0)
      .reverse()
      .map(([{ name, key }, keys]) => prepare(`DELETE FROM ${name} WHERE ${hasKey(key)}`).bind(json(keys))),
    ...triggers.map(({ sql }) => prepare(sql)),
    ...verifications,
  ]);
  const written = results.slice(results.length - tables.length);
  for (const [index, [table, { rows }]] of tables.entries()) {
    const byKey = (a: Row, b: Row) => (keyOf(table, a) < keyOf(table, b) ? -1 : 1);
    if (!isDeepStrictEqual(written[index]!.results.toSorted(byKey), rows.toSorted(byKey))) {
      throw new Error(`Rows of ${table.name} differ from those that were copied`);
    }
  }
}

/** The key of a row in the form in which triggers note it. */
function keyOf({ key }: Table, row: Row): string {
  return JSON.stringify(key.map((column) => row[column]));
}

function inserts(db: D1Database, { name, columns, key }: Table, rows: readonly Row[]): D1PreparedStatement[] {
  const others = columns.filter((column) => !key.includes(column));
  const update = others.map((column) => `${column} = excluded.${column}`).join(', ');
  const onConflict = `ON CONFLICT (${key.join(', ')}) DO ${others.length === 0 ? 'NOTHING' : `UPDATE SET ${update}`}`;
  const values = `(${columns.map(() => '?').join(', ')})`;
  return chunks(rows, Math.floor(MAX_PARAMETERS / columns.length)).map((chunk) =>
    db
      .prepare(`INSERT INTO ${name} (${columns.join(', ')}) VALUES ${chunk.map(() => values).join(', ')} ${onConflict}`)
      .bind(...chunk.flatMap((row) => columns.map((column) => row[column]))),
  );
}

/** Rows in groups of at most `most`, and of bounded size. */
function chunks(rows: readonly Row[], most: number): Row[][] {
  const all: Row[][] = [];
  let bytes = 0;
  for (const row of rows) {
    const size = JSON.stringify(row).length;
    const current = all.at(-1);
    if (current === undefined || current.length === most || bytes + size > MAX_STATEMENT_BYTES) {
      all.push([row]);
      bytes = size;
    } else {
      current.push(row);
      bytes += size;
    }
  }
  return all;
}

/** The names of tables whose rows differ between the databases, by their number and a checksum of all their values. */
export async function findDifferences({ accountId, tables, source, target }: Copying): Promise<string[]> {
  const compared = tables.filter(({ name }) => name !== 'snapshots');
  const read = (db: D1Database) => db.batch(compared.map((table) => db.prepare(checksum(table, accountId))));
  const [here, there] = await Promise.all([read(source), read(target)]);
  return compared
    .filter((_, index) => !isDeepStrictEqual(here[index]!.results, there[index]!.results))
    .map(({ name }) => name);
}

/** SQLite has no digests: of each value, its length and its first and last characters, weighted by its column. */
function checksum(table: Table, accountId: number): string {
  const ofColumn = (column: string, index: number) =>
    `${index + 1} * ifnull(octet_length(${column}) + 31 * unicode(${column}) + 17 * unicode(substr(${column}, -1)), 7)`;
  const sum = table.columns.map(ofColumn).join(' + ');
  return `SELECT count(*) AS rows, total(${sum}) AS sum FROM ${table.name} WHERE ${table.account(table.name)} = ${accountId}`;
}
