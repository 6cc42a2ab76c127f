import { and, asc, desc, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import { developments, properties, unitHistory, units } from '../schema.ts';
import { has } from '../statements.ts';

const { id, name, status, price, directions, version, changedAt } = units;

/**
 * The columns of a development joined with a unit: `unit` is null if there is none. The id comes first, as drizzle finds
 * out by the first column whether a unit was joined.
 */
const UNIT_OF_DEVELOPMENT = {
  development: developments.identifier,
  unit: { id, name, status, price, directions, version, changedAt },
};

type Row = Readonly<typeof units.$inferSelect>;

/**
 * The current state of a unit. The version counts its changes; the directions are JSON, an array of text codes or of arrays
 * of them; times are in seconds since 1970-01-01 UTC.
 */
export interface Unit extends Pick<Row, 'name' | 'status' | 'price' | 'directions' | 'version' | 'changedAt'> {
  /** The development's identifier. */
  readonly development: string;
}

/** A development of the caller's account. */
export interface DevelopmentAddress {
  readonly accountId: number;
  /** The development's identifier. */
  readonly development: string;
}

/** The address of a unit: names within the caller's account. */
export interface UnitAddress extends DevelopmentAddress {
  /** In Unicode NFC. */
  readonly name: string;
}

/** The new values of a unit; the directions are JSON in the form in which they are stored. */
export type UnitValues = Pick<Unit, 'status' | 'price' | 'directions'>;

/** The result of looking up an address. */
export type UnitFound =
  | { readonly kind: 'unit'; readonly unit: Unit }
  | { readonly kind: 'no development' }
  | { readonly kind: 'no unit' };

const { id: _id, accountId: _accountId, unitId: _unitId, ...ENTRY } = getTableColumns(unitHistory);

/** A recorded change of a unit. */
export type UnitHistoryEntry = Readonly<Omit<typeof unitHistory.$inferSelect, 'id' | 'accountId' | 'unitId'>>;

/** Whether the unit in `units` is in this development. */
export function isIn(accountId: number | SQL, development: string | SQL): SQL {
  const developmentId = sql`(SELECT ${developments.id} FROM ${developments}
    WHERE ${has(developments, { accountId, identifier: development })})`;
  return has(units, { accountId, developmentId });
}

function isAt({ accountId, development, name: unit }: UnitAddress): SQL | undefined {
  return and(isIn(accountId, development), eq(name, unit));
}

/** Whether a unit already has the values of an update. */
export function hasValues(unit: Unit, values: UnitValues): boolean {
  return unit.status === values.status && unit.price === values.price && unit.directions === values.directions;
}

/** A unit and its last changes, newest first, in one consistent state. */
export async function readUnit(
  db: D1Database,
  address: UnitAddress,
  changes: number,
): Promise<UnitFound & { readonly history: readonly UnitHistoryEntry[] }> {
  const connection = drizzle(db);
  const isOfUnit = and(eq(unitHistory.accountId, units.accountId), eq(unitHistory.unitId, id));
  const entries = connection.select(ENTRY).from(units).innerJoin(unitHistory, isOfUnit).where(isAt(address));
  const [rows, history] = await connection.batch([
    selectUnit(connection, address),
    entries.orderBy(desc(unitHistory.id)).limit(changes),
  ]);
  return { ...unitFound(rows), history };
}

/** The property that a unit is, and the currency of its prices; `null` if it is none. */
export async function unitProperty(db: D1Database, address: UnitAddress) {
  const { accountId, unitId, identifier, currency } = properties;
  const isUnit = and(eq(accountId, units.accountId), eq(unitId, id));
  const query = drizzle(db).select({ identifier, currency }).from(units).innerJoin(properties, isUnit);
  return (await query.where(isAt(address)).get()) ?? null;
}

/** What distinguishes the properties that are the units of a development, by the names of the units. */
export async function unitProperties(db: D1Database, accountId: number, development: string) {
  const { currency, beds, built_area: builtArea, floor } = properties;
  const found = await drizzle(db)
    .select({ name, currency, beds, builtArea, floor })
    .from(developments)
    .innerJoin(units, eq(units.developmentId, developments.id))
    .innerJoin(properties, eq(properties.unitId, id))
    .where(has(developments, { accountId, identifier: development }));
  return new Map(found.map(({ name: unit, ...property }) => [unit, property]));
}

/**
 * Up to `limit` units of a development in the order of their names' bytes, those after a name; `null` where the account
 * has no such development.
 */
export async function listUnits(
  db: D1Database,
  accountId: number,
  development: string,
  after: string | null,
  limit: number,
): Promise<Unit[] | null> {
  const isNext = after === null ? undefined : gt(name, after);
  const rows = await selectUnits(drizzle(db), accountId, development, isNext).orderBy(asc(name)).limit(limit);
  if (rows.length === 0) return null;
  return rows.flatMap((row) => (row.unit === null ? [] : [unitOf(row.development, row.unit)]));
}

/**
 * Selects a development, joined with those of its units that meet the condition. The units' account is no condition: it is
 * the development's by a foreign key, and SQLite would choose its index, and read all units of the account.
 */
export function selectUnits(
  connection: DrizzleD1Database,
  accountId: number,
  development: string,
  condition: SQL | undefined,
) {
  return connection
    .select(UNIT_OF_DEVELOPMENT)
    .from(developments)
    .leftJoin(units, and(eq(units.developmentId, developments.id), condition))
    .where(has(developments, { accountId, identifier: development }));
}

/** A row of {@link selectUnits}. */
export type UnitRow = Awaited<ReturnType<typeof selectUnits>>[number];

/** The current state of a unit. */
export async function findUnit(db: D1Database, address: UnitAddress): Promise<UnitFound> {
  return unitFound(await selectUnit(drizzle(db), address));
}

function selectUnit(connection: DrizzleD1Database, address: UnitAddress) {
  return selectUnits(connection, address.accountId, address.development, eq(name, address.name));
}

function unitFound([row]: readonly UnitRow[]): UnitFound {
  if (row === undefined) return { kind: 'no development' };
  return row.unit === null ? { kind: 'no unit' } : { kind: 'unit', unit: unitOf(row.development, row.unit) };
}

/** The unit of a row, without its id. */
export function unitOf(development: string, { id: _, ...unit }: NonNullable<UnitRow['unit']>): Unit {
  return { development, ...unit };
}
