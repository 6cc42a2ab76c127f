import { and, asc, eq, gt, inArray, type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { listOf } from '../db/json-rows.ts';
import { developments, units } from '../db/schema.ts';
import { remove, selectOne, type Values, whereEquals } from '../db/statements.ts';
import type { UnitAddress } from './units.ts';

const { id: rowId, identifier, name, document } = developments;

/** A development, with how many units it has. */
export interface Development {
  readonly id: string;
  readonly name: string;
  readonly units: number;
}

/** A development with its details, as JSON if there are some; `null` if the account has none with this identifier. */
export async function findDevelopment(db: D1Database, accountId: number, id: string) {
  const connection = drizzle(db);
  const details = sql<string | null>`${document} -> '$.details'`;
  const columns = {
    id: identifier,
    name,
    details,
    units: connection.$count(units, eq(units.developmentId, rowId)),
  };
  const query = connection.select(columns).from(developments);
  return (
    (await query.where(whereEquals(developments, { accountId, identifier: id })).get()) ?? null
  );
}

/** Up to `limit` developments of an account after a given one, in the order of their identifiers' bytes. */
export async function listDevelopments(
  db: D1Database,
  accountId: number,
  after: string | null,
  limit: number,
): Promise<Development[]> {
  const connection = drizzle(db);
  const columns = {
    id: identifier,
    name,
    units: connection.$count(units, eq(units.developmentId, rowId)),
  };
  const query = connection.select(columns).from(developments);
  // No identifier is empty.
  const isNext = and(whereEquals(developments, { accountId }), gt(identifier, after ?? ''));
  return query.where(isNext).orderBy(asc(identifier)).limit(limit);
}

/** What became of a removal: `in use` if the unit, or one of the development's, belongs to a property. */
export type Removal = 'removed' | 'in use' | 'not found';

/** Removes a development and its units, unless one of them belongs to a property. */
export function removeDevelopment(db: D1Database, accountId: number, id: string): Promise<Removal> {
  const isFree = sql`NOT EXISTS (
    SELECT 1 FROM units u JOIN properties p ON p.unit_id = u.id WHERE u.development_id = ${rowId})`;
  return removeFree(db, developments, { accountId, identifier: id }, isFree);
}

/**
 * Removes a unit, unless it belongs to a property.
 *
 * @param versions if given, the unit must have one of these versions; otherwise it has `changed`
 */
export async function removeUnit(
  db: D1Database,
  { accountId, development, name }: UnitAddress,
  versions?: readonly number[],
): Promise<Removal | 'changed'> {
  const developmentId = sql`(SELECT id FROM developments WHERE account_id = ${accountId} AND identifier = ${development})`;
  const unit = { developmentId, name };
  const isExpected = versions && inArray(units.version, listOf(versions));
  const isFree = sql`NOT EXISTS (SELECT 1 FROM properties p WHERE p.unit_id = ${units.id})`;
  const removal = await removeFree(db, units, unit, and(isFree, isExpected)!);
  const isChanged =
    removal === 'in use' && (await selectOne(db, units, ['id'], unit, isExpected)) === null;
  return isChanged ? 'changed' : removal;
}

async function removeFree<Table extends typeof developments | typeof units>(
  db: D1Database,
  table: Table,
  values: Values<Table>,
  isFree: SQL,
): Promise<Removal> {
  if (await remove(db, table, values, isFree)) return 'removed';
  return (await selectOne(db, table, ['id'], values)) === null ? 'not found' : 'in use';
}
