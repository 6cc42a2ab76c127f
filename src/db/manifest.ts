import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { Revisions } from './feed-properties.ts';
import { SNAPSHOT_LIFETIME, type SnapshotFacts, type SnapshotSet } from './snapshots.ts';

/** What a feed request needs to know about an account before any property is read, in one consistent state. */
export interface Manifest {
  readonly accountId: number;
  /** As `lib/secrets` stores it. */
  readonly password: string;
  readonly revisions: Revisions;
  /** When each revision last advanced; seconds since 1970-01-01 UTC. */
  readonly changedAt: { readonly sale: number; readonly rental: number };
  /** The database's clock at that moment. */
  readonly now: number;
  /**
   * For a feed ordered by sequence number: its segments, ascending, whether cached or not, with their own revisions. For a
   * feed ordered by listing date: the cached parts, ascending, with the account's revisions.
   */
  readonly parts: readonly ManifestPart[];
}

/** A part of a feed: its current revisions, and its snapshot at these revisions. */
export interface ManifestPart {
  readonly part: number;
  readonly revisions: Revisions;
  readonly cached: CachedPart | null;
}

/** What is recorded about a cached part. */
export interface CachedPart extends SnapshotFacts {
  /** When its last use was recorded; seconds since 1970-01-01 UTC. */
  readonly lastUsedAt: number;
  /** When it was written; seconds since 1970-01-01 UTC. */
  readonly cachedAt: number;
}

/**
 * Reads the manifest of a feed by one statement; `null` if no account has this code or the account is disabled.
 *
 * @param code the account's code, in upper case
 */
export async function readManifest(
  db: D1Database,
  code: string,
  { format, parameters, dependsOn, byListing }: SnapshotSet,
): Promise<Manifest | null> {
  const owner = byListing ? sql`a` : sql`s`;
  const revision = (kind: 'sale' | 'rental') =>
    dependsOn[kind]
      ? sql`k.${sql.raw(kind)}_revision = ${owner}.${sql.raw(kind)}_revision`
      : sql`k.${sql.raw(kind)}_revision IS NULL`;
  const rows = await drizzle(db).all<ManifestRow>(sql`
    SELECT a.id, a.password, a.sale_changed_at, a.rental_changed_at, unixepoch() AS now,
           a.sale_revision AS account_sale, a.rental_revision AS account_rental,
           ${byListing ? sql`k.part` : sql`s.segment`} AS part,
           ${owner}.sale_revision AS part_sale, ${owner}.rental_revision AS part_rental,
           k.bytes, k.crc, k.length, k.records, k.parts, k.sequence_numbers, k.cached_at, k.last_used_at
      FROM accounts a
      ${byListing ? sql`` : sql`LEFT JOIN segments s ON s.account_id = a.id`}
      LEFT JOIN snapshots k
        ON k.account_id = a.id AND k.parameters = ${parameters} AND k.format = ${format}
       ${byListing ? sql`` : sql`AND k.part = s.segment`}
       AND ${revision('sale')} AND ${revision('rental')}
       AND k.cached_at > unixepoch() - ${SNAPSHOT_LIFETIME}
     WHERE a.code = ${code} AND NOT a.disabled
     ORDER BY part`);
  const [first] = rows;
  if (first === undefined) return null;
  return {
    accountId: first.id,
    password: first.password,
    revisions: { sale: first.account_sale, rental: first.account_rental },
    changedAt: { sale: first.sale_changed_at, rental: first.rental_changed_at },
    now: first.now,
    parts: rows.flatMap((row) => (row.part === null ? [] : [manifestPart(row, row.part)])),
  };
}

interface ManifestRow {
  readonly id: number;
  readonly password: string;
  readonly sale_changed_at: number;
  readonly rental_changed_at: number;
  readonly now: number;
  readonly account_sale: number;
  readonly account_rental: number;
  readonly part: number | null;
  readonly part_sale: number;
  readonly part_rental: number;
  readonly bytes: number | null;
  readonly crc: number;
  readonly length: number;
  readonly records: number;
  readonly parts: number | null;
  readonly sequence_numbers: string | null;
  readonly cached_at: number;
  readonly last_used_at: number;
}

function manifestPart(row: ManifestRow, part: number): ManifestPart {
  const { bytes, crc, length, records, parts, sequence_numbers: numbers } = row;
  const cut = parts === null || numbers === null ? null : { parts, numbers };
  return {
    part,
    revisions: { sale: row.part_sale, rental: row.part_rental },
    cached:
      bytes === null
        ? null
        : { bytes, crc, length, records, cut, lastUsedAt: row.last_used_at, cachedAt: row.cached_at },
  };
}
