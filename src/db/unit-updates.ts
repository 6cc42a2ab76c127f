import { retryIdempotent } from './connection.ts';
import { type Column, type Row, real, rowsOf } from './json-rows.ts';
import { UNIT_COLUMNS, type Unit, type UnitFound, type UnitValues } from './units.ts';

/** A development of the caller's account. */
export interface DevelopmentAddress {
  readonly accountId: number;
  /** The development's identifier. */
  readonly development: string;
}

/** One of several updates: the unit's name, in Unicode NFC, and its new values. */
export interface UnitUpdate {
  readonly name: string;
  readonly values: UnitValues;
}

/** The result of an update: the unit, and whether it has changed. */
export type UnitUpdated = UnitFound & { readonly changed: boolean };

const COLUMNS: readonly Column[] = [
  ['name', 'plain'],
  ['status', 'plain'],
  ['price', 'real'],
  ['directions', 'plain'],
];

const READ_UNITS = `SELECT ${UNIT_COLUMNS}, u.id
  FROM developments d
  LEFT JOIN units u ON u.account_id = d.account_id AND u.development_id = d.id
                   AND u.name IN (SELECT value FROM json_each(?2))
 WHERE d.account_id = ?1 AND d.identifier = ?3`;

/** Starts the cascade of triggers that `updateUnit` describes, for each unit that changes. */
const CHANGE_UNITS = `INSERT INTO unit_history (account_id, unit_id, client_id, from_status, to_status, from_price, to_price,
                          from_directions, to_directions)
  SELECT u.account_id, u.id, ?3, u.status, d.status, u.price, d.price, u.directions, d.directions
    FROM ${rowsOf(COLUMNS)}
    JOIN units u ON u.name = d.name AND u.account_id = ?1
                AND u.development_id = (SELECT id FROM developments WHERE account_id = ?1 AND identifier = ?4)
   WHERE (u.status, u.price, u.directions) IS NOT (d.status, d.price, d.directions)
  RETURNING unit_id, changed_at`;

/**
 * Applies updates to the units of a development, in order, in one transaction and one round trip.
 *
 * @returns for each update, the state of the unit after it, and whether it changed the unit: assumed if another attempt was
 * necessary, since the first may have been committed
 */
export function updateUnits(
  db: D1Database,
  { accountId, development }: DevelopmentAddress,
  updates: readonly UnitUpdate[],
  clientId: string,
): Promise<UnitUpdated[]> {
  const rounds = distinctRounds(updates);
  const names = JSON.stringify([...new Set(updates.map(({ name }) => name))]);
  const statements = [
    db.prepare(READ_UNITS).bind(accountId, names, development),
    ...rounds.map((round) =>
      db.prepare(CHANGE_UNITS).bind(accountId, JSON.stringify(round.map(rowOf)), clientId, development),
    ),
  ];
  return retryIdempotent(async (attempt) => {
    const [read, ...changes] = await db.batch(statements);
    const before = read!.results as unknown as readonly UnitRow[];
    return replay(
      updates,
      before,
      changes.map(({ results }) => results as unknown as readonly ChangeRow[]),
      attempt > 1,
    );
  });
}

/** A development's row joined with a unit, all of whose columns are null if it has none of the names. */
type UnitRow = (Unit & { readonly id: number }) | { readonly name: null };

interface ChangeRow {
  readonly unit_id: number;
  readonly changed_at: number;
}

/** The updates in rounds without a repeated name: within a statement, no order would be certain. */
function distinctRounds(updates: readonly UnitUpdate[]): UnitUpdate[][] {
  const rounds: UnitUpdate[][] = [];
  const occurrences = new Map<string, number>();
  for (const update of updates) {
    const round = occurrences.get(update.name) ?? 0;
    occurrences.set(update.name, round + 1);
    rounds[round] ??= [];
    rounds[round].push(update);
  }
  return rounds;
}

function rowOf({ name, values: { status, price, directions } }: UnitUpdate): Row {
  return [name, status, real(price), directions];
}

/** The state after each update, computed from the state before the first and the rows that each round has changed. */
function replay(
  updates: readonly UnitUpdate[],
  before: readonly UnitRow[],
  changes: readonly (readonly ChangeRow[])[],
  assumeChanged: boolean,
): UnitUpdated[] {
  if (before.length === 0) return updates.map(() => ({ kind: 'no development', changed: false }));
  const units = new Map(before.filter((row) => row.name !== null).map((row) => [row.name, row]));
  const changedAt = changes.map((rows) => new Map(rows.map(({ unit_id, changed_at }) => [unit_id, changed_at])));
  const occurrences = new Map<string, number>();
  return updates.map(({ name, values }) => {
    const unit = units.get(name);
    if (unit === undefined) return { kind: 'no unit', changed: false };
    const round = occurrences.get(name) ?? 0;
    occurrences.set(name, round + 1);
    const changed_at = changedAt[round]!.get(unit.id);
    const changed = changed_at !== undefined;
    const after = changed ? { ...unit, ...values, version: unit.version + 1, changed_at } : unit;
    units.set(name, after);
    return { kind: 'unit', unit: after, changed: changed || assumeChanged };
  });
}
