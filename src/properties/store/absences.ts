import type { Actor } from '../../accounts/actor.ts';
import { readAccount } from '../../db/account-read.ts';
import { type Row, rowsOf, statementsOf } from '../../db/json-rows.ts';
import type { PropertyDocument } from '../documents.ts';

type Status = PropertyDocument['status'];

/** How a property was withdrawn because a file no longer had it. */
export interface Absence {
  /** The number of the change that withdrew it: a later change is somebody else's. */
  readonly change: number;
  /** The status before. */
  readonly status: Status;
}

/** Absences by the identifiers of their properties. */
export type Absences = ReadonlyMap<string, Absence>;

/** The source of what an actor imports; empty for a file that was sent. */
function sourceOf(actor: Actor): string {
  return actor.kind === 'source' ? actor.name : '';
}

/** The absences of properties that imports of the same source have noted. */
export async function readAbsences(
  db: D1Database,
  accountId: number,
  actor: Actor,
  ids: readonly string[],
): Promise<Absences> {
  const rows = await readAccount(db, accountId, (select) =>
    select<Absence & { id: string; source: string }>(ABSENCES, ids),
  );
  const own = rows.filter(({ source }) => source === sourceOf(actor));
  return new Map(own.map(({ id, change, status }) => [id, { change, status }]));
}

const ABSENCES = `
  SELECT p.identifier AS id, a.change, a.source, a.status
    FROM (SELECT value AS id FROM json_each(?2)) d
    CROSS JOIN properties p ON p.account_id = ?1 AND p.identifier = d.id
    JOIN absences a ON a.property_id = p.id`;

/** The statements that note absences, in the transaction and after the statements that withdraw these properties. */
export function absenceStatements(
  db: D1Database,
  accountId: number,
  actor: Actor,
  withdrawn: readonly { readonly id: string; readonly status: Status }[],
): D1PreparedStatement[] {
  const rows = withdrawn.map(({ id, status }): Row => [id, status]);
  const sql = `INSERT INTO absences (property_id, account_id, change, source, status)
      SELECT p.id, ?1, p.change, ?3, d.status FROM ${rowsOf(['id', 'status'])}
        JOIN properties p ON p.account_id = ?1 AND p.identifier = d.id WHERE true
          ON CONFLICT (property_id)
          DO UPDATE SET change = excluded.change, source = excluded.source, status = excluded.status`;
  return statementsOf(db, accountId, [{ sql, rows, parameter3: sourceOf(actor) }]);
}
