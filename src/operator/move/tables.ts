import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { listOf } from '../../db/json-rows.ts';
import { topologicalSort } from '../../lib/topological-sort.ts';

/** A table with rows of accounts, as the database itself describes it. */
export interface Table {
  readonly name: string;
  /** The columns that are stored. */
  readonly columns: readonly string[];
  /** The columns of the primary key. */
  readonly key: readonly string[];
  /** The condition that a row belongs to the account of parameter 1. */
  readonly isOwn: string;
}

/** Tables whose rows belong to a database instead of an account. */
const NOT_OF_ACCOUNTS = [
  'moves',
  'directory',
  'directory_clients',
  'time_line',
  'walks',
  'host_paces',
  'guard',
  'operations',
  'd1_migrations',
];

interface ForeignKey {
  readonly table: string;
  readonly from: string;
  readonly to: string;
}

/** A table before its condition is known. */
interface Described extends Omit<Table, 'isOwn'> {
  readonly parents: readonly ForeignKey[];
  /** Whether the rows of an account are found by an index. */
  readonly isIndexed: boolean;
}

/**
 * The tables with rows of accounts, each after those that it refers to. They come from the database, so a table that a later
 * migration adds is moved without a change here, as long as it has a column `account_id` or refers to a table that has one, and
 * no other database gives out the same keys: an integer that names a row by itself is AUTOINCREMENT.
 */
export async function readTables(db: D1Database): Promise<Table[]> {
  const described = await describeTables(db);
  const sorted = topologicalSort(described, ({ name }, { parents }) =>
    parents.some(({ table }) => table === name),
  );
  const owned = new Set(
    described.filter(({ columns }) => columns.includes('account_id')).map(({ name }) => name),
  );
  return sorted.map(({ parents, isIndexed, ...table }) => {
    if (table.name === 'accounts') return { ...table, isOwn: 'id = ?1' };
    if (isIndexed || table.key[0] === 'account_id') return { ...table, isOwn: 'account_id = ?1' };
    const parent = parents.find((each) => owned.has(each.table));
    if (parent === undefined) throw new Error(`The table ${table.name} has no account`);
    const ids = `SELECT ${parent.to} FROM ${parent.table} WHERE account_id = ?1`;
    return { ...table, isOwn: `${parent.from} IN (${ids})` };
  });
}

async function describeTables(db: D1Database): Promise<Described[]> {
  type Row = Record<'name' | 'columns' | 'key' | 'parents', string> & { isIndexed: 0 | 1 };
  const rows = await drizzle(db).all<Row>(sql`
    SELECT m.name,
           (SELECT json_group_array(name) FROM pragma_table_xinfo(m.name) WHERE hidden = 0) AS columns,
           (SELECT json_group_array(name ORDER BY pk) FROM pragma_table_xinfo(m.name) WHERE pk > 0) AS key,
           (SELECT json_group_array(json_object('table', "table", 'from', "from", 'to', ifnull("to", 'id')))
              FROM pragma_foreign_key_list(m.name)) AS parents,
           EXISTS (SELECT 1 FROM pragma_index_list(m.name) l, pragma_index_info(l.name) i
                    WHERE NOT l.partial AND i.seqno = 0 AND i.name = 'account_id') AS "isIndexed"
      FROM sqlite_schema m
     WHERE m.type = 'table' AND substr(m.name, 1, 7) <> 'sqlite_' AND substr(m.name, 1, 4) <> '_cf_'
       AND m.name NOT IN ${listOf(NOT_OF_ACCOUNTS)}
     ORDER BY m.name`);
  return rows.map((row) => ({
    name: row.name,
    columns: JSON.parse(row.columns),
    key: JSON.parse(row.key),
    parents: JSON.parse(row.parents),
    isIndexed: row.isIndexed === 1,
  }));
}
