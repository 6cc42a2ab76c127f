import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { type Actor, actorText } from '../accounts/actor.ts';
import { retryIdempotent } from '../db/connection.ts';
import { listOf, rowsOf, statementsOf } from '../db/json-rows.ts';
import { isEqual } from '../lib/bytes/equal.ts';
import { noteUnits } from '../properties/selection/noted.ts';
import {
  type DevelopmentAddress,
  hasValues,
  type Unit,
  type UnitFound,
  type UnitValues,
} from './units.ts';

/** An update: the unit's name, in Unicode NFC, and its new values. */
export interface UnitUpdate {
  readonly name: string;
  readonly values: UnitValues;
}

/** The result of an update: the unit, whether it has changed, and whether the account may have webhooks that wait for that. */
export type UnitUpdated = UnitFound & { readonly changed: boolean; readonly hasWebhooks: boolean };

/**
 * The steps of parameter 2. A unit that is updated several times in one request takes them one after the other; the first may find
 * the unit as it leaves it.
 */
const STEPS = rowsOf([
  'name',
  'step',
  'is_last',
  'status',
  'price',
  'directions',
  'first_status',
  'first_price',
  'first_directions',
  'before_status',
  'before_price',
  'before_directions',
]);

/** The unit of a step. */
const UNIT_ID = `(
  SELECT x.id FROM units x
   WHERE x.development_id = (SELECT id FROM developments WHERE account_id = ?1 AND identifier = ?3) AND x.name = d.name)`;

/** Whether the unit `u` has the values of its first step already. */
const isFirst = (u: string) =>
  `(${u}.status, ${u}.price, ${u}.directions) IS (d.first_status, CAST(d.first_price AS REAL), d.first_directions)`;

const isAllowed = (u: string) =>
  `(?4 IS NULL OR ${u}.version IN (SELECT value FROM json_each(?4)))`;

const RECORD = `
  INSERT INTO unit_history (account_id, unit_id, version, actor, from_status, to_status, from_price, to_price,
                            from_directions, to_directions, batch)
  SELECT u.account_id, u.id, u.version + d.step - (${isFirst('u')}), ?5,
         ifnull(d.before_status, u.status), d.status, ifnull(d.before_price, u.price), d.price,
         ifnull(d.before_directions, u.directions), d.directions, ?6
    FROM ${STEPS} CROSS JOIN units u ON u.id = ${UNIT_ID}
   WHERE (d.step > 1 OR NOT ${isFirst('u')}) AND ${isAllowed('u')}
  RETURNING unit_id AS "id"`;

/** Whether there are webhooks is read here, so that accounts without them send no message and read nothing more. */
const UPDATE = `
  UPDATE units
     SET status = d.status, price = d.price, directions = d.directions,
         version = version + d.step - (${isFirst('units')}), changed_at = unixepoch()
    FROM ${STEPS}
   WHERE d.is_last AND units.id = ${UNIT_ID} AND (d.step > 1 OR NOT ${isFirst('units')}) AND ${isAllowed('units')}
  RETURNING units.id, units.name, units.status, units.price, units.directions, version, changed_at AS "changedAt",
            EXISTS (SELECT 1 FROM webhooks w WHERE w.account_id = ?1 AND w.enabled) AS "hasWebhooks"`;

const READ = `
  SELECT u.name, u.status, u.price, u.directions, u.version, u.changed_at AS "changedAt"
    FROM developments v
    LEFT JOIN units u ON u.development_id = v.id AND u.name IN (SELECT value FROM json_each(?2))
   WHERE v.account_id = ?1 AND v.identifier = ?3`;

type Row = Omit<Unit, 'development'>;

/** What {@link UPDATE} returns; {@link RECORD} returns the ids, one for each change. */
type Updated = Row & { readonly id: number; readonly hasWebhooks: 0 | 1 };

/**
 * Applies updates to the units of a development, in order, in one transaction and one round trip. Nothing is written for a unit
 * that has the values already, or is at a version other than those given.
 *
 * @param versions if given, the units must have one of these versions
 * @param batch what they are changed together with
 * @returns for each update, the state of the unit after it, and whether it changed the unit: assumed if another attempt was
 * necessary, since the first may have been committed
 */
export async function updateUnits(
  db: D1Database,
  { accountId, development }: DevelopmentAddress,
  updates: readonly UnitUpdate[],
  actor: Actor,
  versions?: readonly number[],
  batch?: string,
): Promise<UnitUpdated[]> {
  const steps = stepsOf(updates);
  const given = JSON.stringify([...steps].flatMap(rowsOfUnit));
  const allowed = versions === undefined ? null : JSON.stringify(versions);
  const units = [...steps.keys()].map((name) => ({ development, name }));
  let isRetry = false;
  const changed = await retryIdempotent(async (attempt) => {
    isRetry = attempt > 1;
    const results = await db.batch<Updated>([
      ...statementsOf(db, accountId, [noteUnits(units)]),
      db
        .prepare(RECORD)
        .bind(accountId, given, development, allowed, actorText(actor), batch ?? null),
      db.prepare(UPDATE).bind(accountId, given, development, allowed),
    ]);
    const [recorded, updated] = results.slice(-2);
    const ids = recorded!.results.map(({ id }) => id);
    return updated!.results.map((unit) => ({
      ...unit,
      recorded: ids.filter((id) => id === unit.id).length,
    }));
  });
  const updated = new Map(changed.map((unit) => [unit.name, unit]));
  const hasWebhooks = changed.some((unit) => unit.hasWebhooks === 1);
  const others = [...steps.keys()].filter((name) => !updated.has(name));
  const unchanged = await readUnits(db, { accountId, development }, others);
  const taken = new Map<string, number>();
  return updates.map(({ name, values }): UnitUpdated => {
    const found = unchanged.get(name);
    if (found !== undefined) {
      const isDone = isRetry && found.kind === 'unit' && hasValues(found.unit, values);
      return { ...found, changed: isDone, hasWebhooks: isDone };
    }
    const { hasWebhooks: _, id, recorded, ...after } = updated.get(name)!;
    const own = steps.get(name)!;
    const before = taken.get(name) ?? 0;
    const isRepetition = before > 0 && isEqual(own[before - 1], values);
    const step = isRepetition ? before : before + 1;
    taken.set(name, step);
    const unit = { development, ...after, ...values, version: after.version - (own.length - step) };
    // The unit may have had the values of the first step already.
    const isFirst = step === 1 && recorded < own.length;
    return { kind: 'unit', unit, changed: !isRepetition && !isFirst, hasWebhooks };
  });
}

/** What updates would do: each unit as it would be, with the version that it has. */
export async function tryUpdates(
  db: D1Database,
  address: DevelopmentAddress,
  updates: readonly UnitUpdate[],
  versions?: readonly number[],
): Promise<UnitUpdated[]> {
  const names = [...new Set(updates.map(({ name }) => name))];
  const stored = await readUnits(db, address, names);
  return updates.map(({ name, values }): UnitUpdated => {
    const found = stored.get(name)!;
    if (found.kind !== 'unit') return { ...found, changed: false, hasWebhooks: false };
    const { unit } = found;
    const isAllowed = versions === undefined || versions.includes(unit.version);
    const changed = isAllowed && !hasValues(unit, values);
    const after = changed ? { ...unit, ...values } : unit;
    return { kind: 'unit', unit: after, changed, hasWebhooks: false };
  });
}

/** For each unit, the values that it takes one after the other: without repetitions. */
function stepsOf(updates: readonly UnitUpdate[]): Map<string, UnitValues[]> {
  const steps = new Map<string, UnitValues[]>();
  for (const { name, values } of updates) {
    const own = steps.get(name) ?? [];
    if (!isEqual(own.at(-1), values)) own.push(values);
    steps.set(name, own);
  }
  return steps;
}

/** The rows of {@link STEPS} for a unit. */
function rowsOfUnit([name, steps]: readonly [name: string, steps: readonly UnitValues[]]) {
  const columns = (values: UnitValues | undefined) => [
    values?.status ?? null,
    values?.price ?? null,
    values?.directions ?? null,
  ];
  return steps.map((values, index) => [
    name,
    index + 1,
    index === steps.length - 1,
    ...columns(values),
    ...columns(steps[0]),
    ...columns(steps[index - 1]),
  ]);
}

/** What an account has under these names in a development. */
async function readUnits(
  db: D1Database,
  { accountId, development }: DevelopmentAddress,
  names: readonly string[],
): Promise<ReadonlyMap<string, UnitFound>> {
  if (names.length === 0) return new Map();
  const read = db.prepare(READ).bind(accountId, JSON.stringify(names), development);
  const { results } = await read.all<Row | { readonly name: null }>();
  const none: UnitFound = { kind: results.length === 0 ? 'no development' : 'no unit' };
  const found = new Map<string, UnitFound>(names.map((name) => [name, none]));
  for (const unit of results) {
    if (unit.name !== null) found.set(unit.name, { kind: 'unit', unit: { development, ...unit } });
  }
  return found;
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
         AND version <= (
           SELECT e.version FROM unit_history e WHERE e.unit_id = unit_history.unit_id
            ORDER BY e.version DESC LIMIT 1 OFFSET ${entries})`),
  );
}
