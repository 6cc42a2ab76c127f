import { fillPlaceholders, type SQL, sql } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import type { PreparedQueryConfig, SQLitePreparedQuery } from 'drizzle-orm/sqlite-core';

/**
 * Prepares statements once for each database binding: an isolate has one. Drizzle takes as long to build a statement as the
 * database takes to execute it. What differs between executions is a placeholder.
 */
export function prepareOnce<Prepared>(
  prepare: (connection: DrizzleD1Database) => Prepared,
): (db: D1Database) => Prepared {
  const known = new WeakMap<D1Database, Prepared>();
  return (db) => {
    const prepared = known.get(db) ?? prepare(drizzle(db));
    known.set(db, prepared);
    return prepared;
  };
}

/** Expressions whose values are given with each execution. */
export function placeholders<Name extends string>(...names: Name[]): Readonly<Record<Name, SQL>> {
  const entries = names.map((name) => [name, sql`${sql.placeholder(name)}`] as const);
  return Object.fromEntries(entries) as Record<Name, SQL>;
}

/** A prepared statement that returns rows. */
type PreparedRows<Row> = SQLitePreparedQuery<PreparedQueryConfig & { all: Row[] }>;

/**
 * Executes two prepared statements in one transaction and one round trip.
 *
 * @param values those of all placeholders, by their names
 */
export async function executeBoth<First, Second>(
  db: D1Database,
  statements: readonly [PreparedRows<First>, PreparedRows<Second>],
  values: Readonly<Record<string, unknown>>,
): Promise<readonly [readonly First[], readonly Second[]]> {
  const bound = statements.map((statement) => {
    const { sql, params } = statement.getQuery();
    return db.prepare(sql).bind(...fillPlaceholders(params, values));
  });
  const [first, second] = await db.batch(bound);
  return [statements[0].mapAllResult(first, true) as First[], statements[1].mapAllResult(second, true) as Second[]];
}
