import type { SnapshotFacts, SnapshotName } from './snapshots.ts';

/** A snapshot with what is noted of it. */
export interface ListedSnapshot extends SnapshotName, SnapshotFacts {
  /** Seconds since 1970-01-01 UTC. */
  readonly keptAt: number;
  readonly usedAt: number;
}

/** The snapshots of an account by parameter set, those of a set in the order of their parts. */
export async function listSnapshots(db: D1Database, accountId: number): Promise<ListedSnapshot[]> {
  const { results } = await db
    .prepare(
      `SELECT account_id AS accountId, format, parameters, part, sale_revision AS saleRevision,
              rental_revision AS rentalRevision, parts, bytes, crc, length, kept_at AS keptAt, used_at AS usedAt
         FROM snapshots WHERE account_id = ?1 ORDER BY parameters, part, kept_at`,
    )
    .bind(accountId)
    .all<ListedSnapshot>();
  return results;
}
