import { and, asc, eq, gt } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { developments, units } from '../schema.ts';
import { has } from '../statements.ts';
import type { UnitAddress } from './units.ts';

const { id: rowId, identifier, name, details } = developments;

/** A development, with how many units it has. */
export interface Development {
  readonly id: string;
  readonly name: string;
  readonly units: number;
}

/** A development with its details, as JSON if there are some; `null` if the account has none with this identifier. */
export async function findDevelopment(db: D1Database, accountId: number, id: string) {
  const connection = drizzle(db);
  const columns = { id: identifier, name, details, units: connection.$count(units, eq(units.developmentId, rowId)) };
  const query = connection.select(columns).from(developments);
  return (await query.where(has(developments, { accountId, identifier: id })).get()) ?? null;
}

/** Up to `limit` developments of an account after a given one, in the order of their identifiers' bytes. */
export function listDevelopments(db: D1Database, accountId: number, after: string | null, limit: number) {
  const connection = drizzle(db);
  const columns = { id: identifier, name, units: connection.$count(units, eq(units.developmentId, rowId)) };
  const query = connection.select(columns).from(developments);
  // No identifier is empty.
  const isNext = and(has(developments, { accountId }), gt(identifier, after ?? ''));
  return query.where(isNext).orderBy(asc(identifier)).limit(limit);
}

/** What became of a removal: `in use` if a property is the unit, or one of the development's. */
export type Removal = 'removed' | 'in use' | 'not found';

/** Removes a development and its units, unless a property is one of them. */
export function removeDevelopment(db: D1Database, accountId: number, id: string): Promise<Removal> {
  return remove(
    db,
    'developments',
    'SELECT d.id, d.id AS development, NULL AS unit FROM developments d WHERE d.account_id = ?1 AND d.identifier = ?2',
    [accountId, id],
  );
}

/** Removes a unit, unless a property is it. */
export function removeUnit(db: D1Database, { accountId, development, name }: UnitAddress): Promise<Removal> {
  return remove(
    db,
    'units',
    `SELECT u.id, u.development_id AS development, u.id AS unit FROM developments d JOIN units u ON u.development_id = d.id
      WHERE d.account_id = ?1 AND d.identifier = ?2 AND u.name = ?3`,
    [accountId, development, name],
  );
}

/** @param found selects the id of the row, and its development and unit */
async function remove(
  db: D1Database,
  table: 'developments' | 'units',
  found: string,
  values: readonly unknown[],
): Promise<Removal> {
  const free = `SELECT f.id FROM (${found}) f
    WHERE NOT EXISTS (
      SELECT 1 FROM units u JOIN properties p ON p.unit_id = u.id
       WHERE u.development_id = f.development AND (f.unit IS NULL OR u.id = f.unit))`;
  const [before, removed] = await db.batch([
    db.prepare(found).bind(...values),
    db.prepare(`DELETE FROM ${table} WHERE id IN (${free}) RETURNING id`).bind(...values),
  ]);
  if (removed!.results.length > 0) return 'removed';
  return before!.results.length > 0 ? 'in use' : 'not found';
}
