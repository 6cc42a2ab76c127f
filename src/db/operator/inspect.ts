import { count, eq, getTableName, isNull, type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { SEGMENT_SIZE } from '../feed-properties.ts';
import {
  accounts,
  developments,
  features,
  properties,
  propertyTexts,
  snapshots,
  unitHistory,
  units,
} from '../schema.ts';
import { segmentRevision } from '../segments.ts';
import { toStatement } from './to-statement.ts';

/** A row that refers to a row that does not exist. */
export interface BrokenReference {
  readonly table: string;
  readonly rowid: number | null;
  readonly parent: string;
}

/** What SQLite finds wrong with the database file, up to 100 findings. */
export async function damage(db: D1Database): Promise<string[]> {
  const rows = await drizzle(db).all<Record<string, string>>(sql`PRAGMA quick_check`);
  return rows.flatMap((row) => Object.values(row)).filter((finding) => finding !== 'ok');
}

/** Rows whose foreign keys refer to rows that do not exist. */
export async function brokenReferences(db: D1Database): Promise<BrokenReference[]> {
  return drizzle(db).all<BrokenReference>(sql`PRAGMA foreign_key_check`);
}

/** Missing segments: the properties in them are in no feed. */
export async function missingSegments(db: D1Database): Promise<{ account: string; segment: number }[]> {
  // A literal, because D1 binds numbers as REAL, which would turn integer division into floating-point division.
  const segment = sql<number>`(${properties.sequenceNumber} - 1) / ${sql.raw(String(SEGMENT_SIZE))}`;
  return drizzle(db)
    .selectDistinct({ account: accounts.code, segment: segment.as('segment') })
    .from(properties)
    .innerJoin(accounts, eq(accounts.id, properties.accountId))
    .where(isNull(segmentRevision(segment, 'sale')))
    .orderBy(sql`1, 2`);
}

/** Properties with features that their account does not have: feeds omit those. */
export async function foreignFeatures(
  db: D1Database,
): Promise<{ account: string; property: string; feature: number }[]> {
  return drizzle(db).all(sql`
    SELECT ${accounts.code} AS account, ${properties.identifier} AS property, given.value AS feature
      FROM ${properties} JOIN ${accounts} ON ${accounts.id} = ${properties.accountId},
           json_each('[' || ${properties.features} || ']') given
     WHERE NOT EXISTS (
       SELECT 1 FROM ${features} WHERE ${features.id} = given.value AND ${features.accountId} = ${properties.accountId})
     ORDER BY 1, ${properties.sequenceNumber}, given.key`);
}

/** The units whose names contain characters beyond ASCII. */
export async function unitsBeyondAscii(
  db: D1Database,
): Promise<{ account: string; development: string; name: string }[]> {
  return drizzle(db)
    .select({ account: accounts.code, development: developments.identifier, name: units.name })
    .from(units)
    .innerJoin(developments, eq(developments.id, units.developmentId))
    .innerJoin(accounts, eq(accounts.id, units.accountId))
    .where(sql`${units.name} GLOB '*[^ -~]*'`)
    .orderBy(accounts.code, developments.identifier, units.name);
}

/** The texts of a table. */
export interface TableSize {
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
}

/** The texts of an account in all these tables. */
export interface AccountSize {
  readonly code: string;
  readonly bytes: number;
}

/** The size of the database file, and of the texts in the tables that may grow large: per table, and per account. */
export async function spaceUsed(
  db: D1Database,
): Promise<{ bytes: number; tables: TableSize[]; accounts: AccountSize[] }> {
  const sizeOf = (table: SQLiteTable, account: SQL, columns: readonly SQLiteColumn[]) => {
    const bytes = columns.map((column): SQL => sql`coalesce(length(CAST(${column} AS BLOB)), 0)`);
    const query = drizzle(db)
      .select({
        name: sql`${getTableName(table)}`.as('name'),
        code: sql`(SELECT ${accounts.code} FROM ${accounts} WHERE ${accounts.id} = ${account})`.as('code'),
        rows: count().as('rows'),
        bytes: sql`sum(${sql.join(bytes, sql` + `)})`.as('bytes'),
      })
      .from(table)
      .groupBy(sql`code`);
    return toStatement(db, query);
  };
  const ofProperty = sql`(SELECT p.account_id FROM ${properties} p WHERE p.id = ${propertyTexts.propertyId})`;
  const { identifier, reference, features: featureIds, pictures } = properties;
  const { clientId, fromDirections, toDirections } = unitHistory;
  const results = await db.batch<TableSize & AccountSize>([
    sizeOf(properties, sql`${properties}.account_id`, [identifier, reference, featureIds, pictures]),
    sizeOf(propertyTexts, ofProperty, [propertyTexts.description]),
    sizeOf(unitHistory, sql`${unitHistory}.account_id`, [clientId, fromDirections, toDirections]),
    sizeOf(snapshots, sql`${snapshots}.account_id`, [snapshots.parameters]),
  ]);
  const tables = [properties, propertyTexts, unitHistory, snapshots].map((table, index) => ({
    name: getTableName(table),
    rows: sum(results[index]!.results.map(({ rows }) => rows)),
    bytes: sum(results[index]!.results.map(({ bytes }) => bytes)),
  }));
  const sizes = new Map<string, number>();
  for (const { code, bytes } of results.flatMap(({ results }) => results)) {
    sizes.set(code, (sizes.get(code) ?? 0) + bytes);
  }
  return {
    bytes: results[0]!.meta.size_after,
    tables,
    accounts: [...sizes].map(([code, bytes]) => ({ code, bytes })),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
