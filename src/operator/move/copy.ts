import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { parameters, type Row, rowsOf } from '../../db/json-rows.ts';
import type { Table } from './tables.ts';

/** A copy of an account's rows in another database. */
export interface Copying {
  readonly accountId: number;
  readonly tables: readonly Table[];
  readonly source: D1Database;
  readonly target: D1Database;
}

/** Most rows of a page, and most bytes of their values, unless it is a single row. */
const PAGE_ROWS = 500;
const PAGE_BYTES = 1_000_000;

/** Pages that are read while one is written or compared: a database elsewhere takes longer to answer than to read. */
const PAGES_AHEAD = 3;

/** Bytes of JSON from which a row is not written as part of a JSON parameter. */
const LARGE_ROW_BYTES = 1_000_000;

/** What serving feeds writes, also while the account is moved: it is copied, but may change at any moment. */
const CHANGED_BY_FEEDS = ['snapshots', 'deliveries', 'earlier_visits'];

/**
 * Copies all rows of an account that nobody changes into a database that has none of it. The row of the account is written
 * twice: the others refer to it, and triggers count them in it. With the second time, the copy is frozen as the account is.
 */
export async function copyRows({ accountId, tables, source, target }: Copying): Promise<void> {
  for (const table of tables) {
    for await (const rows of readPages(source, table, accountId)) {
      const copied = table.name === 'accounts' ? rows.map((row) => unfrozen(table, row)) : rows;
      await target.batch(insertions(target, table, copied));
    }
  }
  const accounts = tables.find(({ name }) => name === 'accounts')!;
  for await (const [row] of readPages(source, accounts, accountId)) {
    const values = accounts.columns.map((column) => `${column} = ?`).join(', ');
    await target
      .prepare(`UPDATE accounts SET ${values} WHERE id = ?`)
      .bind(...row!, accountId)
      .run();
  }
}

function unfrozen({ columns }: Table, row: Row): Row {
  return row.with(columns.indexOf('frozen'), 0);
}

/** The rows of an account in a table in the order of their keys, in pages of bounded size. */
async function* readPages(db: D1Database, table: Table, accountId: number): AsyncGenerator<Row[]> {
  const { name, columns, key } = table;
  const keys = key.join(', ');
  const values = key.map((_, index) => `value ->> ${index}`).join(', ');
  const page = db.prepare(
    `SELECT ${columns.join(', ')} FROM ${name}
      WHERE (${keys}) IN (SELECT ${values} FROM json_each(?)) ORDER BY ${keys}`,
  );
  const reading: Promise<Row[]>[] = [];
  for (const chunk of await readKeys(db, table, accountId)) {
    if (reading.length > PAGES_AHEAD) yield await reading.shift()!;
    const rows = page.bind(JSON.stringify(chunk)).raw<Row & unknown[]>();
    // Whoever waits for it gets the error; nobody does once an earlier page has failed.
    rows.catch(() => {});
    reading.push(rows);
  }
  for (const rows of reading) yield await rows;
}

/** The keys of an account's rows in a table, in their order, divided into those of each page. */
async function readKeys(db: D1Database, table: Table, accountId: number): Promise<Row[][]> {
  const { name, columns, key, isOwn } = table;
  const bytes = columns.map((column) => `ifnull(octet_length(${column}), 0)`).join(' + ');
  const keys = key.join(', ');
  const rows = await db
    .prepare(`SELECT ${keys}, ${bytes} FROM ${name} WHERE ${isOwn} ORDER BY ${keys}`)
    .bind(accountId)
    .raw<[...(string | number)[], number]>();
  const chunks: Row[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    const rowBytes = Number(row.at(-1));
    if (size + rowBytes > PAGE_BYTES || chunks.at(-1)!.length === PAGE_ROWS) {
      chunks.push([]);
      size = 0;
    }
    chunks.at(-1)!.push(row.slice(0, -1));
    size += rowBytes;
  }
  return chunks;
}

function insertions(
  db: D1Database,
  { name, columns }: Table,
  rows: readonly Row[],
): D1PreparedStatement[] {
  const insert = `INSERT INTO ${name} (${columns.join(', ')})`;
  const isLarge = (row: Row) => Buffer.byteLength(JSON.stringify(row)) > LARGE_ROW_BYTES;
  const { large = [], small = [] } = Object.groupBy(rows, (row) =>
    isLarge(row) ? 'large' : 'small',
  );
  const many = `${insert} SELECT ${columns.map((column) => `d.${column}`).join(', ')}
    FROM ${rowsOf(columns)} ORDER BY d.position`;
  const one = `${insert} VALUES (${columns.map(() => '?').join(', ')})`;
  return [
    // Parameter 1 does not occur.
    ...parameters(small).map((json) => db.prepare(many).bind(null, json)),
    ...large.map((row) => db.prepare(one).bind(...row)),
  ];
}

/** The names of the tables whose rows differ between the databases. */
export async function findDifferences({
  accountId,
  tables,
  source,
  target,
}: Copying): Promise<string[]> {
  const different: string[] = [];
  for (const table of tables.filter(({ name }) => !CHANGED_BY_FEEDS.includes(name))) {
    const [here, there] = await Promise.all(
      [source, target].map((db) => checksum(db, table, accountId)),
    );
    if (here !== there) different.push(table.name);
  }
  return different;
}

/** The number of an account's rows in a table, and the SHA-256 of all their values in the order of their keys. */
async function checksum(db: D1Database, table: Table, accountId: number): Promise<string> {
  const digest = createHash('sha256');
  let count = 0;
  for await (const rows of readPages(db, table, accountId)) {
    for (const row of rows) digest.update(`${JSON.stringify(row)}\n`);
    count += rows.length;
  }
  return `${count} ${digest.digest('hex')}`;
}
