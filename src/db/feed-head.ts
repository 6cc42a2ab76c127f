import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { Revisions } from './feed-records.ts';
import { SNAPSHOT_LIFETIME, type SnapshotFacts, type SnapshotSet } from './snapshots.ts';

/** What a feed request needs to know of an account before any property is read, all of one moment. */
export interface FeedHead {
  readonly accountId: number;
  /** As `lib/secrets` stores it. */
  readonly password: string;
  readonly revisions: Revisions;
  /** When each revision last moved; seconds since 1970-01-01 UTC. */
  readonly changedAt: { readonly sale: number; readonly rental: number };
  /** The database's clock at that moment. */
  readonly now: number;
  /**
   * For a feed ordered by sequence number: its segments, ascending, whether kept or not, with their own revisions. For a
   * feed ordered by listing date: the parts that are kept, ascending, with the account's revisions.
   */
  readonly parts: readonly HeadPart[];
}

/** A part of a feed as its head knows it: of which revisions it is to be, and what is kept of it at them. */
export interface HeadPart {
  readonly part: number;
  readonly revisions: Revisions;
  readonly kept: KeptPart | null;
}

/** What is known of a kept part without asking KV for it. */
export interface KeptPart extends SnapshotFacts {
  /** When it was last noted to be in use; seconds since 1970-01-01 UTC. */
  readonly usedAt: number;
}

/**
 * Reads the head of a feed by one statement; `null` where no account has this code or the account is disabled.
 *
 * @param code the account's code, in upper case
 */
export async function readFeedHead(
  db: D1Database,
  code: string,
  { format, parameters, dependsOn, byListing }: SnapshotSet,
): Promise<FeedHead | null> {
  const owner = byListing ? sql`a` : sql`s`;
  const revision = (kind: 'sale' | 'rental') =>
    dependsOn[kind]
      ? sql`k.${sql.raw(kind)}_revision = ${owner}.${sql.raw(kind)}_revision`
      : sql`k.${sql.raw(kind)}_revision IS NULL`;
  const rows = await drizzle(db).all<HeadRow>(sql`
    SELECT a.id, a.password, a.sale_changed_at, a.rental_changed_at, unixepoch() AS now,
           a.sale_revision AS account_sale, a.rental_revision AS account_rental,
           ${byListing ? sql`k.part` : sql`s.segment`} AS part,
           ${owner}.sale_revision AS part_sale, ${owner}.rental_revision AS part_rental,
           k.bytes, k.crc, k.length, k.parts, k.sequence_numbers, k.last_used_at
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
    parts: rows.flatMap((row) => (row.part === null ? [] : [headPart(row, row.part)])),
  };
}

interface HeadRow {
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
  readonly parts: number | null;
  readonly sequence_numbers: string | null;
  readonly last_used_at: number;
}

function headPart(row: HeadRow, part: number): HeadPart {
  const { bytes, crc, length, parts, sequence_numbers: numbers } = row;
  const cut = parts === null || numbers === null ? null : { parts, numbers };
  return {
    part,
    revisions: { sale: row.part_sale, rental: row.part_rental },
    kept: bytes === null ? null : { bytes, crc, length, cut, usedAt: row.last_used_at },
  };
}
