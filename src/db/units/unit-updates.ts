import { sql } from '#drizzle';
import { drizzle } from '#drizzle/d1';
import { retryIdempotent } from '../connection.ts';
import { listOf, rowsOf } from '../json-rows.ts';
import { type DevelopmentAddress, hasValues, type Unit, type UnitFound, type UnitValues } from './units.ts';

/** An update: the unit's name, in Unicode NFC, and its new values. */
export interface UnitUpdate {
  readonly name: string;
  readonly values: UnitValues;
}

/** The result of an update: the unit, whether it has changed, and whether the account may have webhooks that await that. */
export type UnitUpdated = UnitFound & { readonly changed: boolean; readonly hasWebhooks: boolean };

const READ = `
  SELECT u.name, u.status, u.price, u.directions, u.version, u.changed_at AS "changedAt"
    FROM developments v
    LEFT JOIN units u ON u.development_id = v.id AND u.name IN (SELECT value ->> 0 FROM json_each(?2))
   WHERE v.account_id = ?1 AND v.identifier = ?3`;

/**
 * Updates units by inserting entries into their history, which starts a cascade of triggers for each:
 *
 * 1. `unit_history_inserted` sets the unit's status, price and directions;
 * 2. `units_updated` advances the unit's version and time and, if the unit is or was in feeds, calls
 * 3. `mark_property_changed` for the property that is this unit, which advances its times of change in sale and rental feeds;
 * 4. `properties_time_updated` calls `advance_revisions`: the revisions of its segment and of its account.
 *
 * Whether there are webhooks is read here, so that accounts without them send no message and read nothing more.
 */
const WRITE = `
  INSERT INTO unit_history (account_id, unit_id, client_id, version, from_status, to_status, from_price, to_price,
                            from_directions, to_directions)
  SELECT u.account_id, u.id, ?4, u.version + 1, u.status, d.status, u.price, d.price, u.directions, d.directions
    FROM ${rowsOf(['name', 'status', 'price', 'directions'])}
    JOIN units u ON u.name = d.name
     AND u.development_id = (SELECT id FROM developments WHERE account_id = ?1 AND identifier = ?3)
   WHERE (u.status, u.price, u.directions) IS NOT (d.status, CAST(d.price AS REAL), d.directions)
     AND (?5 IS NULL OR u.version IN (SELECT value FROM json_each(?5)))
  RETURNING (SELECT u.name FROM units u WHERE u.id = unit_id) AS name, changed_at AS "changedAt",
            EXISTS (SELECT 1 FROM webhooks w WHERE w.account_id = unit_history.account_id AND w.enabled) AS "hasWebhooks"`;

/** A unit that was found; its name is `null` if the development exists, but no unit has one of the names. */
type Row = Omit<Unit, 'development'> | { readonly name: null };

interface Change {
  readonly name: string;
  readonly changedAt: number;
  readonly hasWebhooks: 0 | 1;
}

/**
 * Applies updates to the units of a development, in order, in one transaction and one round trip. Nothing is written for a unit
 * that has the values already, or is at a version other than those given.
 *
 * @param versions if given, the units must have one of these versions
 * @returns for each update, the state of the unit after it, and whether it changed the unit: assumed if another attempt was
 * necessary, since the first may have been committed
 */
export function updateUnits(
  db: D1Database,
  { accountId, development }: DevelopmentAddress,
  updates: readonly UnitUpdate[],
  clientId: string,
  versions?: readonly number[],
): Promise<UnitUpdated[]> {
  const rounds = roundsOf(updates);
  const rowsJson = (some: readonly UnitUpdate[]) =>
    JSON.stringify(some.map(({ name, values: { status, price, directions } }) => [name, status, price, directions]));
  const given = versions === undefined ? null : JSON.stringify(versions);
  const read = db.prepare(READ).bind(accountId, rowsJson(updates), development);
  const writes = [...Map.groupBy(updates, (_, index) => rounds[index]).values()].map((round) =>
    db.prepare(WRITE).bind(accountId, rowsJson(round), development, clientId, given),
  );
  return retryIdempotent(async (attempt) => {
    const [before, ...changes] = await db.batch([read, ...writes]);
    const changed = changes.map(({ results }) => results as Change[]);
    return replay(development, updates, rounds, before!.results as Row[], changed, attempt > 1);
  });
}

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

/** The state after each update, computed from the state before the first and the rows that each round has changed. */
function replay(
  development: string,
  updates: readonly UnitUpdate[],
  rounds: readonly number[],
  before: readonly Row[],
  changes: readonly (readonly Change[])[],
  isRetry: boolean,
): UnitUpdated[] {
  if (before.length === 0) return updates.map(() => ({ kind: 'no development', changed: false, hasWebhooks: false }));
  const unitsByName = new Map(before.flatMap((row) => (row.name === null ? [] : [[row.name, row] as const])));
  const changeTimes = changes.map((rows) => new Map(rows.map((row) => [row.name, row.changedAt])));
  const hasWebhooks = isRetry || changes.some((rows) => rows.some((row) => row.hasWebhooks));
  return updates.map(({ name, values }, index) => {
    const unit = unitsByName.get(name);
    if (unit === undefined) return { kind: 'no unit', changed: false, hasWebhooks: false };
    const changedAt = changeTimes[rounds[index]!]!.get(name);
    const after = changedAt ? { ...unit, ...values, version: unit.version + 1, changedAt } : unit;
    unitsByName.set(name, after);
    const changed = changedAt !== undefined || (isRetry && hasValues(after, values));
    return { kind: 'unit', unit: { development, ...after }, changed, hasWebhooks };
  });
}

/** Deletes all but the newest entries in the history of each of these units. The units themselves do not change. */
export async function limitUnitHistory(
  db: D1Database,
  { accountId, development }: DevelopmentAddress,
  names: readonly string[],
  entries: number,
): Promise<void> {
  await retryIdempotent(() =>
    drizzle(db).run(sql`
      DELETE FROM unit_history
       WHERE account_id = ${accountId}
         AND unit_id IN (
           SELECT u.id FROM developments d JOIN units u ON u.development_id = d.id
            WHERE d.account_id = ${accountId} AND d.identifier = ${development} AND u.name IN ${listOf(names)})
         AND id <= (
           SELECT e.id FROM unit_history e WHERE e.account_id = ${accountId} AND e.unit_id = unit_history.unit_id
            ORDER BY e.id DESC LIMIT 1 OFFSET ${entries})`),
  );
}
