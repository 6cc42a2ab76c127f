import { and, eq, lt, type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { snapshots } from './schema.ts';

/** Lifetime of a snapshot in seconds: the fallback expiry, in case it is never evicted. */
export const SNAPSHOT_LIFETIME = 7 * 24 * 3600;

/** Seconds between two updates of a snapshot's last use. */
export const USE_RECORDED_EVERY = 3600;

/** The snapshots of one parameter set. */
export interface SnapshotSet {
  /** The format and the version of its documents' form. */
  readonly format: string;
  /** The canonical name of the parameter set. */
  readonly parameters: string;
  /** Which revisions the parameters depend on. */
  readonly dependsOn: { readonly sale: boolean; readonly rental: boolean };
  /** Whether the feed is ordered by listing date. */
  readonly byListing: boolean;
}

/** What determines the bytes of a snapshot. A revision is null if the parameters do not depend on it. */
export interface SnapshotName {
  readonly accountId: number;
  readonly format: string;
  readonly parameters: string;
  readonly part: number;
  readonly saleRevision: number | null;
  readonly rentalRevision: number | null;
}

/** What is recorded about a cached snapshot. */
export interface SnapshotFacts {
  readonly bytes: number;
  readonly crc: number;
  /** Bytes before compression. */
  readonly length: number;
  /** Records of the feed in it. */
  readonly records: number;
  /** Its cut, for a feed ordered by listing date. */
  readonly cut: Cut | null;
}

/** How a feed ordered by listing date is cut into parts. */
export interface Cut {
  /** How many parts there are. */
  readonly parts: number;
  /** The sequence numbers of the properties in this part: a JSON array. */
  readonly numbers: string;
}

/** Records that a snapshot is in KV. It is only read from KV once it is recorded. */
export async function recordSnapshot(db: D1Database, name: SnapshotName, facts: SnapshotFacts): Promise<void> {
  await drizzle(db).run(sql`
    INSERT INTO snapshots (account_id, format, parameters, part, sale_revision, rental_revision,
                           bytes, crc, length, records, parts, sequence_numbers, cached_at, last_used_at)
    SELECT id, ${name.format}, ${name.parameters}, ${name.part}, ${name.saleRevision}, ${name.rentalRevision},
           ${facts.bytes}, ${facts.crc}, ${facts.length}, ${facts.records}, ${facts.cut?.parts ?? null}, ${facts.cut?.numbers ?? null}, unixepoch(), unixepoch()
      FROM accounts WHERE id = ${name.accountId}
    ON CONFLICT DO UPDATE SET bytes = excluded.bytes, crc = excluded.crc, length = excluded.length, records = excluded.records,
                              parts = excluded.parts, sequence_numbers = excluded.sequence_numbers,
                              cached_at = excluded.cached_at, last_used_at = excluded.last_used_at`);
}

/** Updates the last use of the snapshots of a parameter set. */
export async function recordUse(db: D1Database, accountId: number, parameters: string): Promise<void> {
  await drizzle(db)
    .update(snapshots)
    .set({ lastUsedAt: sql`unixepoch()` })
    .where(
      and(
        eq(snapshots.accountId, accountId),
        eq(snapshots.parameters, parameters),
        lt(snapshots.lastUsedAt, sql`unixepoch() - ${USE_RECORDED_EVERY}`),
      ),
    );
}

/** Deletes the records of up to `limit` stale snapshots of an account, and returns their names. */
export function removeStale(
  db: D1Database,
  accountId: number,
  formats: readonly string[],
  limit: number,
): Promise<SnapshotName[]> {
  return remove(
    db,
    accountId,
    sql`
    SELECT k.rowid
      FROM snapshots k
      JOIN accounts a ON a.id = k.account_id
      LEFT JOIN segments s ON s.account_id = k.account_id AND s.segment = k.part
     WHERE k.account_id = ${accountId} AND ${isStale(formats)}
     LIMIT ${limit}`,
  );
}

/**
 * Deletes the records of up to `limit` of the least recently used snapshots of an account beyond `most`, and returns their
 * names.
 */
export function removeLeastUsed(
  db: D1Database,
  accountId: number,
  most: number,
  limit: number,
): Promise<SnapshotName[]> {
  return remove(
    db,
    accountId,
    sql`
    SELECT rowid FROM snapshots WHERE account_id = ${accountId} ORDER BY last_used_at, rowid
     LIMIT max(0, min(${limit}, (SELECT count(*) FROM snapshots WHERE account_id = ${accountId}) - ${most}))`,
  );
}

/** The ids of up to `limit` accounts that have stale snapshots, or more than `most`. */
export async function listAccountsToEvict(
  db: D1Database,
  formats: readonly string[],
  most: number,
  limit: number,
): Promise<number[]> {
  const rows = await drizzle(db).all<{ accountId: number }>(sql`
    SELECT k.account_id AS accountId
      FROM snapshots k
      JOIN accounts a ON a.id = k.account_id
      LEFT JOIN segments s ON s.account_id = k.account_id AND s.segment = k.part
     GROUP BY k.account_id
    HAVING max(${isStale(formats)}) OR count(*) > ${most}
     LIMIT ${limit}`);
  return rows.map(({ accountId }) => accountId);
}

/** Whether no feed can use the snapshot `k`, which belongs to the account `a` and the segment `s`. */
function isStale(formats: readonly string[]): SQL {
  return sql`(
             k.format NOT IN ${formats}
          OR k.cached_at <= unixepoch() - ${SNAPSHOT_LIFETIME}
          OR ifnull(k.sale_revision <> iif(k.parts IS NULL, s.sale_revision, a.sale_revision), 0)
          OR ifnull(k.rental_revision <> iif(k.parts IS NULL, s.rental_revision, a.rental_revision), 0))`;
}

function remove(db: D1Database, accountId: number, rowids: SQL): Promise<SnapshotName[]> {
  const { format, parameters, part, saleRevision, rentalRevision } = snapshots;
  return drizzle(db)
    .delete(snapshots)
    .where(and(eq(snapshots.accountId, accountId), sql`rowid IN (${rowids})`))
    .returning({ accountId: snapshots.accountId, format, parameters, part, saleRevision, rentalRevision });
}
