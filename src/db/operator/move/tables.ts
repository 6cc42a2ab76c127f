import { sql } from '#drizzle';
import { drizzle } from '#drizzle/d1';
import { inOrder } from '../../../lib/in-order.ts';
import { listOf } from '../../json-rows.ts';

/** A table with rows of accounts, as the database itself describes it. */
export interface Table {
  readonly name: string;
  /** The columns that are stored. */
  readonly columns: readonly string[];
  /** The columns of the primary key. */
  readonly key: readonly string[];
  /** The account of a row, as an SQL expression: of `NEW` or `OLD` in a trigger, or of the table in a query. */
  account(row: string): string;
}

/** Rows that belong to a database instead of an account. */
const NOT_OF_ACCOUNTS = [
  'moves',
  'moved_rows',
  'directory',
  'directory_clients',
  'time_line',
  'walks',
  'd1_migrations',
];

type ForeignKey = Readonly<Record<'table' | 'from' | 'to', string>>;

/** Parents that no foreign key names. */
const PARENTS: Readonly<Record<string, readonly ForeignKey[]>> = {
  property_texts: [{ table: 'properties', from: 'property_id', to: 'id' }],
};

/**
 * The tables with rows of accounts, each after those that it refers to. They come from the database, so a table that a later
 * migration adds is moved without a change here, as long as it has a column `account_id` or refers to a table that has one.
 */
export async function readTables(db: D1Database): Promise<Table[]> {
  const rows = await drizzle(db).all<Record<'name' | 'columns' | 'key' | 'parents', string>>(sql`
    SELECT m.name,
           (SELECT json_group_array(name) FROM pragma_table_xinfo(m.name) WHERE hidden = 0) AS columns,
           (SELECT json_group_array(name ORDER BY pk) FROM pragma_table_xinfo(m.name) WHERE pk > 0) AS key,
           (SELECT json_group_array(json_object('table', "table", 'from', "from", 'to', ifnull("to", 'id')))
              FROM pragma_foreign_key_list(m.name)) AS parents
      FROM sqlite_schema m
     WHERE m.type = 'table' AND substr(m.name, 1, 7) <> 'sqlite_' AND substr(m.name, 1, 4) <> '_cf_'
       AND m.name NOT IN ${listOf(NOT_OF_ACCOUNTS)}
     ORDER BY m.name`);
  const described = rows.map(({ name, ...row }) => {
    const [columns, key] = [row.columns, row.key].map((json): string[] => JSON.parse(json));
    const parents: ForeignKey[] = [...JSON.parse(row.parents), ...(PARENTS[name] ?? [])];
    return { name, columns: columns!, key: key!, parents };
  });
  const owned = new Set(described.flatMap(({ name, columns }) => (columns.includes('account_id') ? [name] : [])));
  const sorted = inOrder(described, ({ name }, { parents }) => parents.some(({ table }) => table === name));
  return sorted.map(({ parents, ...table }) => ({ ...table, account: accountOf(table.name, owned, parents) }));
}

function accountOf(name: string, owned: ReadonlySet<string>, parents: readonly ForeignKey[]): Table['account'] {
  if (name === 'accounts') return (row) => `${row}.id`;
  if (owned.has(name)) return (row) => `${row}.account_id`;
  const parent = parents.find(({ table }) => owned.has(table));
  if (parent === undefined) throw new Error(`The table ${name} has no account`);
  const { table, from, to } = parent;
  return (row) => `(SELECT parent.account_id FROM ${table} parent WHERE parent.${to} = ${row}.${from})`;
}
