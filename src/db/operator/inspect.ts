import { eq, isNull, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { SEGMENT_SIZE } from '../feed/part-scope.ts';
import { segmentRevision } from '../feed/segments.ts';
import { accounts, developments, features, properties, units } from '../schema.ts';

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
