import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { SEGMENT_SIZE } from '../feed/part-scope.ts';
import { segmentRevision } from '../feed/segments.ts';
import { SNAPSHOT_LIFETIME_SECONDS } from '../feed/snapshots.ts';
import { accounts, developments, features, properties, snapshots, units } from '../schema.ts';

/** What SQLite finds wrong with the database file, up to 100 findings. */
export async function damage(db: D1Database): Promise<string[]> {
  const rows = await drizzle(db).all<Record<string, string>>(sql`PRAGMA quick_check`);
  return rows.flatMap((row) => Object.values(row)).filter((finding) => finding !== 'ok');
}

/** Rows whose foreign keys refer to rows that do not exist. */
export function brokenReferences(db: D1Database) {
  return drizzle(db).all<{ table: string; rowid: number | null; parent: string }>(sql`PRAGMA foreign_key_check`);
}

/** Missing segments: the properties in them are in no feed. */
export async function missingSegments(db: D1Database) {
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
export function foreignFeatures(db: D1Database) {
  return drizzle(db).all<{ account: string; property: string; feature: number }>(sql`
    SELECT ${accounts.code} AS account, ${properties.identifier} AS property, given.value AS feature
      FROM ${properties} JOIN ${accounts} ON ${accounts.id} = ${properties.accountId},
           json_each('[' || ${properties.features} || ']') given
     WHERE NOT EXISTS (
       SELECT 1 FROM ${features} WHERE ${features.id} = given.value AND ${features.accountId} = ${properties.accountId})
     ORDER BY 1, ${properties.sequenceNumber}, given.key`);
}

/** The units whose names contain characters beyond ASCII. */
export async function unitsBeyondAscii(db: D1Database) {
  return drizzle(db)
    .select({ account: accounts.code, development: developments.identifier, name: units.name })
    .from(units)
    .innerJoin(developments, eq(developments.id, units.developmentId))
    .innerJoin(accounts, eq(accounts.id, units.accountId))
    .where(sql`${units.name} GLOB '*[^ -~]*'`)
    .orderBy(accounts.code, developments.identifier, units.name);
}

/** The segments of an account, whether it is disabled, and the database's clock in seconds since 1970-01-01 UTC. */
export async function readSegments(db: D1Database, accountId: number) {
  const { segments, disabled } = accounts;
  const query = drizzle(db).select({ segments, disabled, now: sql<number>`unixepoch() AS now` }).from(accounts);
  const [account] = await query.where(eq(accounts.id, accountId));
  if (account === undefined) throw new Error('The account no longer exists');
  const numbers = Object.keys(account.segments).map(Number);
  return { ...account, segments: numbers.sort((a, b) => a - b) };
}

/** The snapshots of an account that have not expired, ordered by parameter set and part. */
export async function listSnapshots(db: D1Database, account: number) {
  const { accountId, parameters, part, cachedAt } = snapshots;
  const isValid = and(eq(accountId, account), gt(cachedAt, sql`unixepoch() - ${SNAPSHOT_LIFETIME_SECONDS}`));
  return drizzle(db).select().from(snapshots).where(isValid).orderBy(parameters, part, cachedAt);
}
