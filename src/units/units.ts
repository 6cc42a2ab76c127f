import { and, asc, desc, eq, gt, type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { developments, properties, unitHistory, units } from '../db/schema.ts';
import { whereEquals } from '../db/statements.ts';
import { similarNames } from '../lib/similar.ts';
import type { EpochSeconds } from '../lib/time/time.ts';

const { name, status, price, directions, version, changedAt } = units;

/** Units of a development that a name is compared with. */
const MAX_COMPARED = 2_000;

/** The name, which is never null, comes first: drizzle finds out by the first column whether a unit was joined. */
const UNIT = { name, status, price, directions, version, changedAt };

/**
 * The current state of a unit. The version counts its changes; the directions are JSON, an array of text codes or of arrays
 * of them.
 */
export interface Unit extends Readonly<Pick<typeof units.$inferSelect, keyof typeof UNIT>> {
  /** The development's identifier. */
  readonly development: string;
}

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

export type UnitFound =
  | { readonly kind: 'unit'; readonly unit: Unit }
  | { readonly kind: 'no development' }
  | { readonly kind: 'no unit' };

/** A unit's values before and after a recorded change. */
export const HISTORY_COLUMNS = {
  from: {
    status: unitHistory.fromStatus,
    price: unitHistory.fromPrice,
    directions: unitHistory.fromDirections,
  },
  to: {
    status: unitHistory.toStatus,
    price: unitHistory.toPrice,
    directions: unitHistory.toDirections,
  },
};

/** A recorded change of a unit. */
export interface UnitHistoryEntry {
  /** The version that it led to. */
  readonly version: number;
  readonly changedAt: EpochSeconds;
  readonly actor: string;
  readonly from: UnitValues;
  readonly to: UnitValues;
}

/** A unit with its last changes, newest first. */
export type UnitWithHistory = UnitFound & { readonly history: readonly UnitHistoryEntry[] };

/** Whether a unit already has the values of an update. */
export function hasValues(unit: Omit<Unit, 'development'>, values: UnitValues): boolean {
  return (
    unit.status === values.status &&
    unit.price === values.price &&
    unit.directions === values.directions
  );
}

/** A unit and its last changes, newest first, in one consistent state. */
export async function readUnit(
  db: D1Database,
  { accountId, development, name: unit }: UnitAddress,
  changes: number,
): Promise<UnitWithHistory> {
  const entries = drizzle(db)
    .select({
      version: unitHistory.version,
      changedAt: unitHistory.changedAt,
      actor: unitHistory.actor,
      ...HISTORY_COLUMNS,
    })
    .from(developments)
    .innerJoin(units, and(eq(units.developmentId, developments.id), eq(name, unit)))
    .innerJoin(unitHistory, eq(unitHistory.unitId, units.id))
    .where(whereEquals(developments, { accountId, identifier: development }));
  const [[found], history] = await drizzle(db).batch([
    selectUnits(db, accountId, development, eq(name, unit)),
    entries.orderBy(desc(unitHistory.version)).limit(changes),
  ]);
  if (found === undefined) return { kind: 'no development', history } as const;
  if (found.unit === null) return { kind: 'no unit', history } as const;
  return { kind: 'unit', unit: { development, ...found.unit }, history } as const;
}

/** The names of a development's units that are most like one that it does not have. */
export async function similarUnits(
  db: D1Database,
  { accountId, development }: DevelopmentAddress,
  missing: string,
): Promise<string[]> {
  const named = drizzle(db)
    .select({ name })
    .from(developments)
    .innerJoin(units, eq(units.developmentId, developments.id))
    .where(whereEquals(developments, { accountId, identifier: development }));
  const rows = await named.limit(MAX_COMPARED);
  return similarNames(
    missing,
    rows.map((row) => row.name),
  );
}

/** The property that a unit is, with what pages show of it. */
export interface UnitProperty {
  readonly identifier: string;
  readonly reference: string;
  /** Whether feeds may show it: it is not withdrawn. */
  readonly isListed: boolean;
  readonly currency: string;
  readonly beds: number;
  readonly builtArea: number | null;
  readonly terraceArea: number | null;
  readonly floor: string | null;
}

/** The properties that are units of a development, or one unit of it, by the names of the units. */
export async function unitProperties(
  db: D1Database,
  accountId: number,
  development: string,
  unit?: string,
): Promise<ReadonlyMap<string, UnitProperty>> {
  const { identifier, reference, status: own, document } = properties;
  const inDocument = <Value>(key: string) => sql<Value>`${document} ->> ${`$.${key}`}`;
  const facts = {
    reference,
    own,
    currency: inDocument<string>('currency').as('currency'),
    beds: inDocument<number>('beds').as('beds'),
    builtArea: inDocument<number | null>('built_area').as('built_area'),
    terraceArea: inDocument<number | null>('terrace_area').as('terrace_area'),
    floor: inDocument<string | null>('floor').as('floor'),
  };
  const found = await drizzle(db)
    .select({ name, identifier, ...facts })
    .from(developments)
    .innerJoin(
      units,
      and(
        eq(units.developmentId, developments.id),
        unit === undefined ? undefined : eq(name, unit),
      ),
    )
    .innerJoin(properties, eq(properties.unitId, units.id))
    .where(whereEquals(developments, { accountId, identifier: development }));
  return new Map(
    found.map(({ name, own, ...property }) => [
      name,
      { ...property, isListed: own !== 'Withdrawn' },
    ]),
  );
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
  const rows = await selectUnits(db, accountId, development, isNext)
    .orderBy(asc(name))
    .limit(limit);
  if (rows.length === 0) return null;
  return rows.flatMap(({ unit }) => (unit === null ? [] : [{ development, ...unit }]));
}

/**
 * Selects a development, joined with those of its units that meet the condition. The units' account is not a condition: it is
 * the development's by a foreign key, and SQLite would choose its index, and read all units of the account.
 */
function selectUnits(
  db: D1Database,
  accountId: number,
  development: string,
  condition: SQL | undefined,
) {
  return drizzle(db)
    .select({ identifier: developments.identifier, unit: UNIT })
    .from(developments)
    .leftJoin(units, and(eq(units.developmentId, developments.id), condition))
    .where(whereEquals(developments, { accountId, identifier: development }));
}
