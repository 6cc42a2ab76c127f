import type { EpochSeconds } from '../lib/time/time.ts';
import type { Unit, UnitAddress, UnitValues } from './units.ts';

/** A change of a unit: what it had before, what the change has made of it, and what it has now. */
export interface ChangedUnit {
  readonly now: Unit;
  /** `null` if the change created it. */
  readonly before: UnitValues | null;
  readonly after: UnitValues;
  /** That of its listing. */
  readonly currency: string | null;
}

/** What undoing such a change does: values that somebody has changed since stay. */
export interface UnitUndoing extends ChangedUnit {
  /** What the unit gets; its values now if nothing is left to undo, `null` if it is removed. */
  readonly undone: UnitValues | null;
  /** Whether something stays because of a change since. */
  readonly isKept: boolean;
}

const FIELDS = ['status', 'price', 'directions'] as const;

/**
 * Gives the values that a change has changed back what they had; a unit that it has created is removed, unless it was changed
 * since.
 *
 * @param isNeeded whether a listing of the unit stays
 */
export function undoingOfUnit(change: ChangedUnit, isNeeded: boolean): UnitUndoing {
  const { now, before, after } = change;
  const { status, price, directions } = now;
  const values: UnitValues = { status, price, directions };
  if (before === null) {
    const isKept = isNeeded || now.version > 1;
    return { ...change, undone: isKept ? values : null, isKept };
  }
  const changed = FIELDS.filter((field) => before[field] !== after[field]);
  const left = changed.filter((field) => now[field] !== before[field]);
  const own = left.filter((field) => now[field] === after[field]);
  const restored = Object.fromEntries(own.map((field) => [field, before[field]]));
  return { ...change, undone: { ...values, ...restored }, isKept: own.length < left.length };
}

type Columns = Record<'status' | 'price' | 'version' | 'changedAt', number> &
  Record<'development' | 'name' | 'directions', string>;

interface Row extends Columns, Pick<ChangedUnit, 'currency'> {
  /** JSON of {@link UnitValues}. */
  readonly before: string | null;
  readonly after: string;
}

const NOW = `d.identifier AS development, u.name, u.status, u.price, u.directions, u.version, u.changed_at AS changedAt,
  (SELECT p.document ->> '$.currency' FROM properties p WHERE p.unit_id = u.id) AS currency`;

const stateOf = (of: string) =>
  `json_object('status', ${of}status, 'price', ${of}price, 'directions', ${of}directions)`;

const CHANGED = `
  SELECT ${NOW}, ${stateOf('h.from_')} AS before, ${stateOf('h.to_')} AS after
    FROM unit_history h JOIN units u ON u.id = h.unit_id JOIN developments d ON d.id = u.development_id
   WHERE h.account_id = ?1 AND h.changed_at >= ?2`;

// Once such a unit has been changed, it stays whenever that was.
const CREATED = `
  SELECT ${NOW}, NULL AS before, ${stateOf('u.')} AS after
    FROM units u JOIN developments d ON d.id = u.development_id
   WHERE u.account_id = ?1 AND u.changed_at >= ?2 AND u.created_in = ?3`;

const ORDER = 'ORDER BY d.identifier, u.name';

/** Changes that were made together, or a single one: the version that it has led to. */
export type UnitChangesWanted =
  | { readonly batch: string }
  | { readonly development: string; readonly unit: string; readonly version: number };

/** The units that were changed or created since a time: those that are wanted. */
export async function readUnitChanges(
  db: D1Database,
  account: number,
  wanted: UnitChangesWanted,
  since: EpochSeconds,
): Promise<ChangedUnit[]> {
  const statements =
    'batch' in wanted
      ? [`${CHANGED} AND h.batch = ?3 ${ORDER}`, `${CREATED} ${ORDER}`]
      : [`${CHANGED} AND d.identifier = ?3 AND u.name = ?4 AND h.version = ?5`];
  const values =
    'batch' in wanted ? [wanted.batch] : [wanted.development, wanted.unit, wanted.version];
  const results = await db.batch<Row>(
    statements.map((sql) => db.prepare(sql).bind(account, since, ...values)),
  );
  return results.flatMap(({ results: rows }) =>
    rows.map(({ before, after, currency, ...now }) => ({
      now,
      currency,
      before: before === null ? null : JSON.parse(before),
      after: JSON.parse(after),
    })),
  );
}

/** Removes units that still have these versions and belong to no property; returns the names of those that are gone. */
export async function removeUnits(
  db: D1Database,
  accountId: number,
  units: readonly (Pick<UnitAddress, 'development' | 'name'> & Pick<Unit, 'version'>)[],
): Promise<string[]> {
  const wanted = units.map(({ development, name, version }) => [development, name, version]);
  const { results } = await db
    .prepare(
      `DELETE FROM units WHERE id IN (
         SELECT u.id FROM json_each(?2) e
           JOIN developments d ON d.account_id = ?1 AND d.identifier = e.value ->> 0
           JOIN units u ON u.development_id = d.id AND u.name = e.value ->> 1
          WHERE u.version = e.value ->> 2 AND NOT EXISTS (SELECT 1 FROM properties p WHERE p.unit_id = u.id))
       RETURNING name`,
    )
    .bind(accountId, JSON.stringify(wanted))
    .all<{ name: string }>();
  return results.map(({ name }) => name);
}
