import { retryIdempotent } from './connection.ts';

/** The current state of a unit. */
export interface Unit {
  readonly development: string;
  readonly name: string;
  readonly status: number;
  readonly price: number;
  /** JSON: an array of text codes, or of arrays of them. */
  readonly directions: string;
  /** Counts its changes. */
  readonly version: number;
  /** Seconds since 1970-01-01 UTC. */
  readonly changed_at: number;
}

/** The address of a unit: names within the caller's account. */
export interface UnitAddress {
  readonly accountId: number;
  /** The development's identifier. */
  readonly development: string;
  /** In Unicode NFC. */
  readonly name: string;
}

/** The new values of a unit. */
export interface UnitValues {
  readonly status: number;
  readonly price: number;
  /** JSON, in the form in which it is stored. */
  readonly directions: string;
}

/** The result of looking up an address. */
export type UnitFound =
  | { readonly kind: 'unit'; readonly unit: Unit }
  | { readonly kind: 'no development' }
  | { readonly kind: 'no unit' };

/** A recorded change of a unit. */
export interface UnitHistoryEntry {
  readonly changed_at: number;
  readonly client_id: string;
  readonly from_status: number;
  readonly to_status: number;
  readonly from_price: number;
  readonly to_price: number;
  readonly from_directions: string;
  readonly to_directions: string;
}

/** `u` is the unit at an address: parameters 1 to 3. */
const AT_ADDRESS = `u.account_id = ?1 AND u.name = ?3
  AND u.development_id = (SELECT id FROM developments WHERE account_id = ?1 AND identifier = ?2)`;

/** The unit `u` has other values than parameters 4 to 6, and a version that parameter 7 allows. */
const TO_CHANGE = `(u.status, u.price, u.directions) IS NOT (?4, ?5, ?6)
  AND (?7 IS NULL OR u.version IN (SELECT value FROM json_each(?7)))`;

/** The columns of a {@link Unit}, of `units u` and `developments d`. */
export const UNIT_COLUMNS =
  'd.identifier AS development, u.name, u.status, u.price, u.directions, u.version, u.changed_at';

/**
 * Updates a unit by inserting an entry into its history, in one transaction. The insert starts a cascade of triggers:
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
): Promise<UnitFound & { readonly changed: boolean }> {
  const { accountId, development, name } = address;
  const statements = [
    db
      .prepare(
        `INSERT INTO unit_history (account_id, unit_id, client_id, from_status, to_status, from_price, to_price,
                                   from_directions, to_directions)
         SELECT u.account_id, u.id, ?8, u.status, ?4, u.price, ?5, u.directions, ?6
           FROM units u WHERE ${AT_ADDRESS} AND ${TO_CHANGE}
         RETURNING id`,
      )
      .bind(
        ...[accountId, development, name, values.status, values.price, values.directions],
        versions === undefined ? null : JSON.stringify(versions),
        clientId,
      ),
    unitStatement(db, address),
  ];
  return retryIdempotent(async (attempt) => {
    const [entries, rows] = await db.batch(statements);
    const found = unitFound(rows!.results as UnitRow[]);
    const mayHaveChanged = attempt > 1 && found.kind === 'unit' && hasValues(found.unit, values);
    return { ...found, changed: entries!.results.length > 0 || mayHaveChanged };
  });
}

/** Whether a unit already has the values of an update. */
export function hasValues(unit: Unit, { status, price, directions }: UnitValues): boolean {
  return unit.status === status && unit.price === price && unit.directions === directions;
}

/** A unit and its last changes, newest first, in one consistent state. */
export async function readUnit(
  db: D1Database,
  address: UnitAddress,
  changes: number,
): Promise<UnitFound & { readonly history: readonly UnitHistoryEntry[] }> {
  const { accountId, development, name } = address;
  const [found, history] = await db.batch([
    unitStatement(db, address),
    db
      .prepare(
        `SELECT h.changed_at, h.client_id, h.from_status, h.to_status, h.from_price, h.to_price,
                h.from_directions, h.to_directions
           FROM units u JOIN unit_history h ON h.account_id = u.account_id AND h.unit_id = u.id
          WHERE ${AT_ADDRESS}
          ORDER BY h.id DESC LIMIT ?4`,
      )
      .bind(accountId, development, name, changes),
  ]);
  return { ...unitFound(found!.results as UnitRow[]), history: history!.results as unknown as UnitHistoryEntry[] };
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
  const { results } = await db
    .prepare(
      `SELECT ${UNIT_COLUMNS}
         FROM developments d
         LEFT JOIN units u ON u.account_id = d.account_id AND u.development_id = d.id AND (?3 IS NULL OR u.name > ?3)
        WHERE d.account_id = ?1 AND d.identifier = ?2
        ORDER BY u.name LIMIT ?4`,
    )
    .bind(accountId, development, after, limit)
    .all<UnitRow>();
  return results.length === 0 ? null : results.filter(isUnit);
}

/** A development, with how many units it has. */
export interface Development {
  readonly id: string;
  readonly name: string;
  readonly units: number;
}

/** Up to `limit` developments of an account after a given one, in the order of their identifiers' bytes. */
export async function listDevelopments(
  db: D1Database,
  accountId: number,
  after: string | null,
  limit: number,
): Promise<Development[]> {
  const { results } = await db
    .prepare(
      `SELECT d.identifier AS id, d.name,
              (SELECT count(*) FROM units WHERE account_id = d.account_id AND development_id = d.id) AS units
         FROM developments d
        WHERE d.account_id = ?1 AND (?2 IS NULL OR d.identifier > ?2)
        ORDER BY d.identifier LIMIT ?3`,
    )
    .bind(accountId, after, limit)
    .all<Development>();
  return results;
}

/** A development's row joined with a unit, all of whose columns are null if there is none. */
type UnitRow = Unit | { readonly name: null };

function isUnit(row: UnitRow): row is Unit {
  return row.name !== null;
}

function unitStatement(db: D1Database, { accountId, development, name }: UnitAddress): D1PreparedStatement {
  return db
    .prepare(
      `SELECT ${UNIT_COLUMNS}
         FROM developments d
         LEFT JOIN units u ON u.account_id = d.account_id AND u.development_id = d.id AND u.name = ?3
        WHERE d.account_id = ?1 AND d.identifier = ?2`,
    )
    .bind(accountId, development, name);
}

function unitFound([row]: readonly UnitRow[]): UnitFound {
  if (row === undefined) return { kind: 'no development' };
  return isUnit(row) ? { kind: 'unit', unit: row } : { kind: 'no unit' };
}
