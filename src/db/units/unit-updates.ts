import { and, eq, type SQL, sql } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import { retryIdempotent } from '../connection.ts';
import { type Column, listOf, type Row, real, rowsIn } from '../json-rows.ts';
import { unitHistory, units } from '../schema.ts';
import { placeholders, prepareOnce } from '../statements.ts';
import {
  type DevelopmentAddress,
  findUnit,
  hasValues,
  isIn,
  selectUnits,
  type UnitAddress,
  type UnitFound,
  type UnitRow,
  type UnitValues,
  unitOf,
} from './units.ts';

/** One of several updates: the unit's name, in Unicode NFC, and its new values. */
export interface UnitUpdate {
  readonly name: string;
  readonly values: UnitValues;
}

/** The result of an update: the unit, whether it has changed, and whether the account may have webhooks that await that. */
export type UnitUpdated = UnitFound & { readonly changed: boolean; readonly hasWebhooks: boolean };

/** Read in the statement that changes a unit, so that accounts without webhooks send no message and read nothing more. */
const HAS_WEBHOOKS = sql<
  0 | 1
>`EXISTS (SELECT 1 FROM webhooks WHERE webhooks.account_id = ${unitHistory.accountId} AND enabled)`;

/**
 * Updates a unit by inserting an entry into its history, by one statement. The insert starts a cascade of triggers:
 *
 * 1. `unit_history_inserted` sets the unit's status, price and directions;
 * 2. `units_updated` advances the unit's version and time and, if the unit is or was in feeds, calls
 * 3. `mark_property_changed` for the property that is this unit, which advances its times of change in sale and rental feeds;
 * 4. `properties_time_updated` calls `advance_revisions`: the revisions of its segment and of its account.
 *
 * Nothing is written if the unit has these values already, or none of the given versions.
 *
 * @param versions if given, the unit must have one of these versions
 * @returns the state of the unit afterwards, and whether this call changed it: assumed if another attempt was necessary,
 * since the first may have been committed
 */
export function updateUnit(
  db: D1Database,
  address: UnitAddress,
  values: UnitValues,
  clientId: string,
  versions: readonly number[] | undefined,
): Promise<UnitUpdated> {
  const given = { ...address, ...values, clientId, versions: versions ? JSON.stringify(versions) : null };
  return retryIdempotent(async (attempt) => {
    const [entry] = await insertEntry(db).all(given);
    if (entry !== undefined) {
      const { development, name } = address;
      const { hasWebhooks, ...state } = entry;
      const unit = { development, name, ...values, ...state };
      return { kind: 'unit', unit, changed: true, hasWebhooks: hasWebhooks === 1 };
    }
    const found = await findUnit(db, address);
    const changed = attempt > 1 && found.kind === 'unit' && hasValues(found.unit, values);
    return { ...found, changed, hasWebhooks: changed };
  });
}

/** What an update is given. */
const GIVEN = placeholders('accountId', 'development', 'name', 'status', 'price', 'directions', 'clientId', 'versions');

/** Inserts the entry of an update, unless the unit has the values or none of the given versions. */
const insertEntry = prepareOnce((connection) => {
  const { accountId, development, versions } = GIVEN;
  const hasGivenVersion = sql`(${versions} IS NULL OR ${units.version} IN (SELECT value FROM json_each(${versions})))`;
  const entry = connection
    .select(historyEntry(GIVEN.clientId, GIVEN))
    .from(units)
    .where(and(isIn(accountId, development), eq(units.name, GIVEN.name), differs(GIVEN), hasGivenVersion));
  return connection
    .insert(unitHistory)
    .select(entry)
    .returning({ version: unitHistory.version, changedAt: unitHistory.changedAt, hasWebhooks: HAS_WEBHOOKS })
    .prepare();
});

const COLUMNS: readonly Column[] = ['name', 'status', ['price', 'real'], 'directions'];

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
  const rounds = roundsOf(updates);
  const names = [...new Set(updates.map(({ name }) => name))];
  const connection = drizzle(db);
  const read = selectUnits(connection, accountId, development, sql`${units.name} IN ${listOf(names)}`);
  const writes = [...Map.groupBy(updates, (_, index) => rounds[index]).values()].map((round) =>
    changeUnits(connection, { accountId, development }, round, clientId),
  );
  return retryIdempotent(async (attempt) => {
    const [before, ...changes] = await connection.batch([read, ...writes]);
    return replay(updates, rounds, before, changes, attempt > 1);
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
        .innerJoin(units, and(eq(units.name, sql`d.name`), isIn(accountId, development)))
        .where(differs(to)),
    )
    .returning({ unitId: unitHistory.unitId, changedAt: unitHistory.changedAt, hasWebhooks: HAS_WEBHOOKS });
}

/** New values of a unit as expressions. */
type ValueExpressions = Readonly<Record<keyof UnitValues, SQL>>;

/**
 * All columns of an entry that changes the unit in `units` to these values, in the order of the table, as drizzle's INSERT
 * with SELECT requires.
 */
function historyEntry(clientId: string | SQL, to: ValueExpressions) {
  return {
    id: sql`NULL`.as('id'),
    accountId: units.accountId,
    unitId: units.id,
    changedAt: sql`unixepoch()`.as('changed_at'),
    clientId: sql`${clientId}`.as('client_id'),
    version: sql<number>`${units.version} + 1`.as('version'),
    fromStatus: units.status,
    toStatus: to.status.as('to_status'),
    fromPrice: units.price,
    toPrice: to.price.as('to_price'),
    fromDirections: units.directions,
    toDirections: to.directions.as('to_directions'),
  };
}

/** Whether the unit in `units` does not have these values. */
function differs({ status, price, directions }: ValueExpressions): SQL {
  return sql`(${units.status}, ${units.price}, ${units.directions}) IS NOT (${status}, ${price}, ${directions})`;
}

type ChangeRow = Pick<typeof unitHistory.$inferSelect, 'unitId' | 'changedAt'> & { readonly hasWebhooks: 0 | 1 };

/**
 * For each update, how many updates before it have the same name. Those with the same number are written by one statement,
 * within which no order would be certain.
 */
function roundsOf(updates: readonly UnitUpdate[]): number[] {
  const occurrences = new Map<string, number>();
  return updates.map(({ name }) => {
    const round = occurrences.get(name) ?? 0;
    occurrences.set(name, round + 1);
    return round;
  });
}

function rowOf({ name, values: { status, price, directions } }: UnitUpdate): Row {
  return [name, status, real(price), directions];
}

/** The state after each update, computed from the state before the first and the rows that each round has changed. */
function replay(
  updates: readonly UnitUpdate[],
  rounds: readonly number[],
  before: readonly UnitRow[],
  changes: readonly (readonly ChangeRow[])[],
  assumeChanged: boolean,
): UnitUpdated[] {
  const [first] = before;
  if (first === undefined) return updates.map(() => ({ kind: 'no development', changed: false, hasWebhooks: false }));
  const unitsByName = new Map(before.flatMap(({ unit }) => (unit === null ? [] : [[unit.name, unit]])));
  const changeTimes = changes.map((rows) => new Map(rows.map((row) => [row.unitId, row.changedAt])));
  const hasWebhooks = assumeChanged || changes.some((rows) => rows.some((row) => row.hasWebhooks));
  return updates.map(({ name, values }, index) => {
    const unit = unitsByName.get(name);
    if (unit === undefined) return { kind: 'no unit', changed: false, hasWebhooks: false };
    const changedAt = changeTimes[rounds[index]!]!.get(unit.id);
    const changed = changedAt !== undefined;
    const after = changed ? { ...unit, ...values, version: unit.version + 1, changedAt } : unit;
    unitsByName.set(name, after);
    return { kind: 'unit', unit: unitOf(first.development, after), changed: changed || assumeChanged, hasWebhooks };
  });
}
