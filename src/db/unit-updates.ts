import { and, eq, sql } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import { retryIdempotent } from './connection.ts';
import { type Column, type Row, real, rowsIn } from './json-rows.ts';
import { unitHistory, units } from './schema.ts';
import {
  differs,
  historyEntry,
  isIn,
  selectUnits,
  type UnitFound,
  type UnitRow,
  type UnitValues,
  unitOf,
} from './units.ts';

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
  const connection = drizzle(db);
  const read = selectUnits(
    connection,
    accountId,
    development,
    sql`${units.name} IN (SELECT value FROM json_each(${names}))`,
  );
  const writes = rounds.map((round) => changeUnits(connection, { accountId, development }, round, clientId));
  return retryIdempotent(async (attempt) => {
    const [before, ...changes] = await connection.batch([read, ...writes]);
    return replay(updates, before, changes, attempt > 1);
  });
}

/** Starts the cascade of triggers that `updateUnit` describes, for each unit that changes. */
function changeUnits(
  connection: DrizzleD1Database,
  { accountId, development }: DevelopmentAddress,
  updates: readonly UnitUpdate[],
  clientId: string,
) {
  const to = { status: sql`d.status`, price: sql`d.price`, directions: sql`d.directions` };
  return connection
    .insert(unitHistory)
    .select(
      connection
        .select(historyEntry(clientId, to))
        .from(rowsIn(COLUMNS, JSON.stringify(updates.map(rowOf))))
        .innerJoin(units, and(eq(units.name, sql`d.name`), isIn(connection, accountId, development)))
        .where(differs(to)),
    )
    .returning({ unitId: unitHistory.unitId, changedAt: unitHistory.changedAt });
}

type ChangeRow = Pick<typeof unitHistory.$inferSelect, 'unitId' | 'changedAt'>;

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
  const [first] = before;
  if (first === undefined) return updates.map(() => ({ kind: 'no development', changed: false }));
  const unitsByName = new Map(before.flatMap(({ unit }) => (unit === null ? [] : [[unit.name, unit]])));
  const changeTimes = changes.map((rows) => new Map(rows.map((row) => [row.unitId, row.changedAt])));
  const occurrences = new Map<string, number>();
  return updates.map(({ name, values }) => {
    const unit = unitsByName.get(name);
    if (unit === undefined) return { kind: 'no unit', changed: false };
    const round = occurrences.get(name) ?? 0;
    occurrences.set(name, round + 1);
    const changedAt = changeTimes[round]!.get(unit.id);
    const changed = changedAt !== undefined;
    const after = changed ? { ...unit, ...values, version: unit.version + 1, changedAt } : unit;
    unitsByName.set(name, after);
    return { kind: 'unit', unit: unitOf(first.development, after), changed: changed || assumeChanged };
  });
}
