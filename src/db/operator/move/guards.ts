import { guardPrefix } from '../../accounts/moves.ts';
import type { Table } from './tables.ts';

/** Snapshots are derived from the other tables: they are copied once, and may be written during the move. */
export const UNGUARDED = 'snapshots';

/**
 * The triggers that guard an account while it is moved, in both databases. No writer can forget them: they are part of each
 * writing transaction. While the account is leaving, they note which rows change; in every other state of the move, they
 * refuse the write. They exist only during moves, so that writes cost nothing at other times.
 */
export function guards(tables: readonly Table[], accountId: number): string[] {
  return tables.flatMap((table, position) =>
    (table.name === UNGUARDED ? [] : (['INSERT', 'UPDATE', 'DELETE'] as const)).map((event) => {
      const rows = event === 'INSERT' ? ['NEW'] : event === 'DELETE' ? ['OLD'] : ['NEW', 'OLD'];
      const isOwn = rows.map((row) => `${table.account(row)} = ${accountId}`).join(' OR ');
      return `CREATE TRIGGER ${guardPrefix(accountId)}${table.name}_${event} AFTER ${event} ON ${table.name} WHEN ${isOwn}
BEGIN
  SELECT RAISE(ABORT, 'the account is being moved')
   WHERE EXISTS (SELECT 1 FROM moves WHERE account_id = ${accountId} AND state <> 'leaving')
; ${rows.map((row) => note(table, position, row)).join('\n; ')}
; END`;
    }),
  );
}

/** Notes a row. No upsert: the conflict clause of the statement that fires the trigger would replace its own. */
function note({ name, key }: Table, position: number, row: string): string {
  const rowKey = keyIn(key, row);
  const isSame = `position = ${position} AND row_key = ${rowKey}`;
  return `UPDATE moved_rows SET version = version + 1 WHERE ${isSame}
; INSERT INTO moved_rows SELECT ${position}, '${name}', ${rowKey}, 1 WHERE NOT EXISTS (SELECT 1 FROM moved_rows WHERE ${isSame})`;
}

/** Notes all rows of an account in all tables, or in those with these names, as if each had just changed. */
export function noteAll(tables: readonly Table[], accountId: number, names?: readonly string[]): string[] {
  return tables.flatMap((table, position) => {
    if (names !== undefined && !names.includes(table.name)) return [];
    const rows = `SELECT ${position}, '${table.name}', ${keyIn(table.key, table.name)}, 1 FROM ${table.name}`;
    return [`INSERT OR IGNORE INTO moved_rows ${rows} WHERE ${table.account(table.name)} = ${accountId}`];
  });
}

function keyIn(key: readonly string[], row: string): string {
  return `json_array(${key.map((column) => `${row}.${column}`).join(', ')})`;
}
