import { isDeepStrictEqual } from 'node:util';
import { fromRows, parameters, upsert, type Value } from '../../json-rows.ts';
import { UNGUARDED } from './guards.ts';
import type { Table } from './tables.ts';

type Row = Readonly<Record<string, unknown>>;

const MAX_ROWS = 500;

/**
 * Placeholders for unique names, which changed rows get before they are written: rows may exchange their names, and a name must
 * be free before another row gets it.
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

/** Rows of a table as they are now, and the keys that were noted: of those, some rows may no longer exist. */
interface Changed {
  readonly table: Table;
  readonly rows: readonly Row[];
  readonly keys: readonly string[];
}

/** Copies up to `limit` rows that are noted as changed; returns how many were noted. */
export async function copyChanged(copying: Copying, limit = MAX_ROWS): Promise<number> {
  const { tables, source } = copying;
  const { results: noted } = await source
    .prepare(`SELECT table_name, row_key, version FROM moved_rows ORDER BY position, row_key LIMIT ${limit}`)
    .all<{ table_name: string; row_key: string; version: number }>();
  if (noted.length === 0) return 0;
  const byTable = Map.groupBy(noted, ({ table_name }) => table_name);
  const changed = tables
    .filter(({ name }) => byTable.has(name))
    .map((table) => ({ table, keys: byTable.get(table.name)!.map(({ row_key }) => row_key) }));
  // In one transaction, so that no row refers to one that was read in an earlier state.
  const read = await source.batch<Row>(
    changed.map(({ table: { name, columns, key }, keys }) =>
      source.prepare(`SELECT ${columns.join(', ')} FROM ${name} WHERE ${hasKey(key)}`).bind(json(keys)),
    ),
  );
  try {
    const changes = changed.map((each, index) => ({ ...each, rows: read[index]!.results }));
    await write(copying.target, changes);
  } catch (error) {
    // Rows that these refer to have appeared since: they are noted as well.
    if (limit > 10 * MAX_ROWS || !/constraint failed|no such trigger/i.test(String(error))) throw error;
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

function hasKey(key: readonly string[]): string {
  const values = key.map((_, index) => `value ->> ${index}`).join(', ');
  return `(${key.join(', ')}) IN (SELECT ${values} FROM json_each(?))`;
}

/**
 * Writes rows into the target and removes those that no longer exist, in one transaction in which the target has no triggers:
 * they would number the changes again, and apply each entry of a unit's history once more.
 */
async function write(target: D1Database, changes: readonly Changed[]): Promise<void> {
  const { results: triggers } = await target
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    .all<{ name: string; sql: string }>();
  const prepare = (sql: string, ...values: string[]) => target.prepare(sql).bind(...values);
  const renamed = changes.flatMap(({ table: { name, key }, keys }) =>
    PLACEHOLDERS[name] === undefined
      ? []
      : [prepare(`UPDATE ${name} SET ${PLACEHOLDERS[name]} WHERE ${hasKey(key)}`, json(keys))],
  );
  const removed = changes.map(({ table: { name, key }, rows, keys }) => {
    const present = new Set(rows.map((row) => JSON.stringify(key.map((column) => row[column]))));
    const gone = keys.filter((each) => !present.has(each));
    return prepare(`DELETE FROM ${name} WHERE ${hasKey(key)}`, json(gone));
  });
  await target.batch([
    prepare('PRAGMA defer_foreign_keys = on'),
    ...triggers.map(({ name }) => prepare(`DROP TRIGGER ${name}`)),
    ...renamed,
    ...changes.flatMap(({ table, rows }) => inserts(target, table, rows)),
    ...removed.reverse(),
    ...triggers.map(({ sql }) => prepare(sql)),
  ]);
}

function inserts(db: D1Database, { name, columns, key }: Table, rows: readonly Row[]): D1PreparedStatement[] {
  const others = columns.filter((column) => !key.includes(column));
  const values = rows.map((row) => columns.map((column) => row[column] as Value));
  const { sql } = upsert({ table: name, key, values: fromRows(others) }, fromRows(key), columns, values);
  // Parameter 1 does not occur.
  return parameters(values).map((chunk) => db.prepare(sql).bind(null, chunk));
}

/** The names of the tables whose rows differ between the databases, by their number and a checksum of all their values. */
export async function findDifferences({ accountId, tables, source, target }: Copying): Promise<string[]> {
  const compared = tables.filter(({ name }) => name !== UNGUARDED);
  const read = (db: D1Database) => db.batch(compared.map((table) => db.prepare(checksum(table, accountId))));
  const [here, there] = await Promise.all([read(source), read(target)]);
  const different = compared.filter((_, index) => !isDeepStrictEqual(here[index]!.results, there[index]!.results));
  return different.map(({ name }) => name);
}

/** SQLite has no digests: of each value, its length and its first and last characters, weighted by its column. */
function checksum(table: Table, accountId: number): string {
  const ofColumn = (column: string, index: number) =>
    `${index + 1} * ifnull(octet_length(${column}) + 31 * unicode(${column}) + 17 * unicode(substr(${column}, -1)), 7)`;
  const sum = table.columns.map(ofColumn).join(' + ');
  return `SELECT count(*) AS rows, total(${sum}) AS sum FROM ${table.name} WHERE ${table.account(table.name)} = ${accountId}`;
}
