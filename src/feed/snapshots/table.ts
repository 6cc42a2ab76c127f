import {
  and,
  eq,
  getTableColumns,
  lt,
  lte,
  ne,
  notInArray,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { retryIdempotent } from '../../db/connection.ts';
import { accounts, snapshots } from '../../db/schema.ts';
import { whereEquals } from '../../db/statements.ts';
import { partNumber } from '../manifest/segments.ts';

/** Lifetime of a snapshot in seconds: the fallback expiry, in case it is never evicted. */
export const SNAPSHOT_LIFETIME_SECONDS = 7 * 24 * 3600;

/** Seconds between two updates of a snapshot's last use. */
export const USE_RECORDED_EVERY_SECONDS = 3600;

export interface SnapshotSet {
  /** The format and the version of its documents' form. */
  readonly format: string;
  /** The canonical name of the parameter set. */
  readonly parameters: string;
  /** Whether the feed is ordered by listing date. */
  readonly byListing: boolean;
  /** The id of the channel whose properties it has, which the parameters then name; `null` for all properties. */
  readonly channel: number | null;
  /** Whether the feed also has a part for each development, after the properties. */
  readonly withDevelopments?: boolean;
}

const { accountId, incarnation, format, parameters, part, revision, cachedAt, lastUsedAt } =
  snapshots;
const NAME = { accountId, incarnation, format, parameters, part, revision };

/** What determines the bytes of a snapshot. */
export type SnapshotName = Readonly<Pick<typeof snapshots.$inferSelect, keyof typeof NAME>>;

export type SnapshotDetails = Readonly<
  Pick<typeof snapshots.$inferSelect, 'bytes' | 'crc' | 'length' | 'records' | 'parts' | 'numbers'>
>;

/**
 * Records that a snapshot is in KV, unless it is stale: it is only read from KV once it is recorded. Repeating it is safe.
 *
 * @returns whether it is recorded, and the name of the snapshot that it has replaced, if any
 */
export async function recordSnapshot(
  db: D1Database,
  name: SnapshotName,
  details: SnapshotDetails,
): Promise<{ readonly isRecorded: boolean; readonly replaced: SnapshotName | null }> {
  const given = { ...name, ...details };
  const key = {
    accountId: name.accountId,
    parameters: name.parameters,
    format: name.format,
    part: name.part,
  };
  const columns = Object.entries(getTableColumns(snapshots));
  const row = columns.map(([key]) =>
    key in given ? sql`${given[key as keyof typeof given]}` : sql`unixepoch()`,
  );
  const excluded = columns.map(([key, column]) => [
    key,
    sql`excluded.${sql.identifier(column.name)}`,
  ]);
  const current = currentNumber(sql`${details.parts}`, sql`${name.part}`);
  const isUnchanged = and(
    whereEquals(accounts, { id: name.accountId, incarnation: name.incarnation }),
    sql`${current} = ${name.revision}`,
  );
  const connection = drizzle(db);
  const [[previous], inserted] = await retryIdempotent(() =>
    connection.batch([
      connection.select(NAME).from(snapshots).where(whereEquals(snapshots, key)),
      connection
        .insert(snapshots)
        .select(sql`SELECT ${sql.join(row, sql`, `)} FROM ${accounts} WHERE ${isUnchanged}`)
        .onConflictDoUpdate({
          target: [accountId, parameters, format, part],
          set: Object.fromEntries(excluded),
        })
        .returning({ part }),
    ]),
  );
  if (inserted.length === 0) return { isRecorded: false, replaced: null };
  const isSame = previous?.incarnation === name.incarnation && previous.revision === name.revision;
  return { isRecorded: true, replaced: previous === undefined || isSame ? null : previous };
}

/** Updates the last use of the snapshots of a parameter set. */
export async function recordUse(db: D1Database, account: number, set: string): Promise<void> {
  const isOld = lt(lastUsedAt, sql`unixepoch() - ${USE_RECORDED_EVERY_SECONDS}`);
  const update = drizzle(db).update(snapshots).set({ lastUsedAt: sql`unixepoch()` });
  const used = update.where(
    and(whereEquals(snapshots, { accountId: account, parameters: set }), isOld),
  );
  await retryIdempotent(() => used.run());
}

/** Deletes the records of up to `limit` stale snapshots of an account, and returns their names. */
export function removeStale(
  db: D1Database,
  account: number,
  currentFormats: readonly string[],
  limit: number,
) {
  const stale = sql`SELECT ${KEY} FROM ${snapshots} JOIN ${accounts} ON ${accounts.id} = ${accountId}
    WHERE ${accountId} = ${account} AND ${isStale(currentFormats)} LIMIT ${limit}`;
  return retryIdempotent(() => remove(db, account, stale));
}

/**
 * Deletes the records of up to `limit` of the least recently used snapshots of an account beyond `most`, and returns their
 * names.
 */
export function removeLeastUsed(
  db: D1Database,
  account: number,
  most: number,
  limit: number,
): Promise<SnapshotName[]> {
  // Counted again at each attempt: the one before may have deleted them already.
  return retryIdempotent(async () => {
    const excess = (await drizzle(db).$count(snapshots, eq(accountId, account))) - most;
    if (excess <= 0) return [];
    const leastUsed = sql`SELECT ${KEY} FROM ${snapshots} WHERE ${accountId} = ${account}
      ORDER BY ${lastUsedAt}, ${parameters}, ${part} LIMIT ${Math.min(excess, limit)}`;
    return remove(db, account, leastUsed);
  });
}

const KEY = sql`${parameters}, ${format}, ${part}`;

/** Whether no feed can use a snapshot of an account. */
function isStale(currentFormats: readonly string[]): SQL | undefined {
  return or(
    notInArray(format, [...currentFormats]),
    lte(cachedAt, sql`unixepoch() - ${SNAPSHOT_LIFETIME_SECONDS}`),
    ne(incarnation, accounts.incarnation),
    sql`${revision} IS NOT ${currentNumber(snapshots.parts, part)}`,
  );
}

/** The number that a snapshot of an account in `accounts` has if it is current: the part's or, ordered by listing date, the account's. */
function currentNumber(parts: SQLWrapper, number: SQLWrapper): SQL {
  return sql`iif(${parts} IS NULL, ${partNumber(number)}, ${accounts.changes})`;
}

/** If the response to an attempt is lost, the next one does not return the names that it deleted: KV's entries expire. */
async function remove(db: D1Database, account: number, keys: SQL): Promise<SnapshotName[]> {
  const isChosen = sql`${accountId} = ${account} AND (${KEY}) IN (${keys})`;
  return drizzle(db).delete(snapshots).where(isChosen).returning(NAME);
}
