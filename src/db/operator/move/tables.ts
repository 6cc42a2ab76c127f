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

interface Column {
  readonly name: string;
  readonly pk: number;
  readonly hidden: number;
}

interface ForeignKey {
  readonly table: string;
  readonly from: string;
  readonly to: string | null;
}

/**
 * The tables with rows of accounts, each after those that it refers to. They come from the database, so a table that a later
 * migration adds is moved without a change here, as long as it has a column `account_id` or refers to a table that has one.
 */
export async function readTables(db: D1Database): Promise<Table[]> {
  const { results } = await db
    .prepare(
      `SELECT name FROM sqlite_schema
        WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' AND substr(name, 1, 4) <> '_cf_' ORDER BY name`,
    )
    .all<{ name: string }>();
  const names = results.map(({ name }) => name).filter((name) => !NOT_OF_ACCOUNTS.includes(name));
  const pragmas = ['table_xinfo', 'foreign_key_list'].flatMap((pragma) =>
    names.map((name) => db.prepare(`PRAGMA ${pragma}(${name})`)),
  );
  const described = await db.batch<Column & ForeignKey>(pragmas);
  const columnsOf = new Map(names.map((name, index) => [name, described[index]!.results as readonly Column[]]));
  const parentsOf = new Map(names.map((name, index) => [name, described[names.length + index]!.results]));
  const hasAccount = (name: string) => columnsOf.get(name)?.some((column) => column.name === 'account_id') ?? false;
  const tables = names.map((name): Table => {
    const columns = columnsOf.get(name)!;
    const parent = parentsOf.get(name)!.find(({ table }) => hasAccount(table));
    if (name !== 'accounts' && !hasAccount(name) && parent === undefined) {
      throw new Error(`The table ${name} has no account`);
    }
    return {
      name,
      columns: columns.filter(({ hidden }) => hidden === 0).map((column) => column.name),
      key: columns
        .filter(({ pk }) => pk > 0)
        .sort((a, b) => a.pk - b.pk)
        .map((column) => column.name),
      account: (row) => {
        if (name === 'accounts') return `${row}.id`;
        if (hasAccount(name)) return `${row}.account_id`;
        return `(SELECT parent.account_id FROM ${parent!.table} parent WHERE parent.${parent!.to ?? 'id'} = ${row}.${parent!.from})`;
      },
    };
  });
  return parentsFirst(tables, (name) => parentsOf.get(name)!.map(({ table }) => table));
}

function parentsFirst(tables: readonly Table[], parents: (name: string) => readonly string[]): Table[] {
  const sorted: Table[] = [];
  const rest = new Set(tables);
  while (rest.size > 0) {
    const waiting = [...rest].map(({ name }) => name);
    for (const table of rest) {
      if (parents(table.name).some((parent) => parent !== table.name && waiting.includes(parent))) continue;
      sorted.push(table);
      rest.delete(table);
    }
  }
  return sorted;
}
