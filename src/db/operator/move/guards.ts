import { guardPrefix } from '../../accounts/moves.ts';
import type { Table } from './tables.ts';

/** Snapshots are derived from the other tables: they are copied once, and may be written meanwhile. */
const UNGUARDED = ['snapshots'];

/** What the error of a refused write contains. */
const BEING_MOVED = 'the account is being moved';

/**
 * The triggers that guard an account while it is moved, in both databases. No writer can forget them: they are part of each
 * writing transaction. While the account is leaving, they note which rows change; in every other state of the move, they
 * refuse the write. They exist only during moves, so that writes cost nothing at other times.
 */
export function guards(tables: readonly Table[], accountId: number): string[] {
  return tables
    .filter(({ name }) => !UNGUARDED.includes(name))
    .flatMap((table) =>
      (['INSERT', 'UPDATE', 'DELETE'] as const).map((event) => {
        const rows = event === 'INSERT' ? ['NEW'] : event === 'DELETE' ? ['OLD'] : ['NEW', 'OLD'];
        const isOwn = rows.map((row) => `${table.account(row)} = ${accountId}`).join(' OR ');
        return `CREATE TRIGGER ${guardPrefix(accountId)}${table.name}_${event} AFTER ${event} ON ${table.name} WHEN ${isOwn}
BEGIN
  SELECT RAISE(ABORT, '${BEING_MOVED}')
   WHERE EXISTS (SELECT 1 FROM moves WHERE account_id = ${accountId} AND state <> 'leaving')
; ${rows.map((row) => note(table, row)).join('\n; ')}
; END`;
      }),
    );
}

/** Without an upsert: the conflict clause of the statement that fires the trigger would replace it. */
function note({ name, key }: Table, row: string): string {
  const rowKey = `json_array(${key.map((column) => `${row}.${column}`).join(', ')})`;
  const isSame = `table_name = '${name}' AND row_key = ${rowKey}`;
  return `UPDATE moved_rows SET version = version + 1 WHERE ${isSame}
; INSERT INTO moved_rows SELECT '${name}', ${rowKey}, 1 WHERE NOT EXISTS (SELECT 1 FROM moved_rows WHERE ${isSame})`;
}

/** A trigger, with the statement that creates it. */
export interface Trigger {
  readonly name: string;
  readonly sql: string;
}

export async function readTriggers(db: D1Database): Promise<readonly Trigger[]> {
  const { results } = await db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all<Trigger>();
  return results;
}
