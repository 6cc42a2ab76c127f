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

/** A reader of the account, as its key identifies it. */
export interface ManifestReader {
  readonly id: number;
  readonly name: string;
  /** Feed parameters that apply unless a request gives others, as a query. */
  readonly preset: string;
  /** Whether a request may not give others. */
  readonly isFixed: boolean;
  /** Seconds since 1970-01-01 UTC. */
  readonly createdAt: number;
  /** When the key expires, in seconds since 1970-01-01 UTC; `null` if it does not. */
  readonly keyExpiresAt: number | null;
}

/** The key of a reader, to be looked up together with the manifest. */
export interface KeyLookup {
  /** SHA-256 of the key, in lower-case hexadecimal. */
  readonly digest: string;
  /** Whether the snapshots are those of the reader's preset, where it has one, instead of those of the given set. */
  readonly ofPreset: boolean;
}

/** The result of {@link readManifest}. */
export interface ManifestRead {
  /** `null` if no account has this code or the account is disabled. */
  readonly manifest: Manifest | null;
  /** `null` if no key was given, or if it is not a valid one of an enabled reader of the account. */
  readonly reader: ManifestReader | null;
  /** The canonical name of the parameter set whose snapshots the manifest states. */
  readonly parameters: string;
}

/**
 * Reads the manifest of a feed by one statement, and with it the reader whose key is given.
 *
 * @param code the account's code, in upper case
 */
export async function readManifest(
  db: D1Database,
  code: string,
  { format, parameters, byListing }: SnapshotSet,
  key: KeyLookup | null = null,
): Promise<ManifestRead> {
  const owner = byListing ? sql`a` : sql`s`;
  // A revision is NULL in all snapshots of a parameter set that does not depend on it.
  const revision = (kind: 'sale' | 'rental') =>
    sql`ifnull(k.${sql.raw(kind)}_revision = ${owner}.${sql.raw(kind)}_revision, 1)`;
  const set = key?.ofPreset ? sql`ifnull(r.parameters, ${parameters})` : sql`${parameters}`;
  const rows = await drizzle(db).all<ManifestRow & Partial<ReaderRow>>(sql`
    SELECT ${key === null ? sql`` : READER_COLUMNS}
           a.id, a.password, a.sale_changed_at, a.rental_changed_at, unixepoch() AS now,
           a.sale_revision AS account_sale, a.rental_revision AS account_rental,
           ${byListing ? sql`k.part` : sql`s.segment`} AS part,
           ${owner}.sale_revision AS part_sale, ${owner}.rental_revision AS part_rental,
           k.bytes, k.crc, k.length, k.records, k.parts, k.sequence_numbers, k.cached_at, k.last_used_at
      FROM accounts a
      ${key === null ? sql`` : readerOf(key)}
      ${byListing ? sql`` : sql`LEFT JOIN segments s ON s.account_id = a.id`}
      LEFT JOIN snapshots k
        ON k.account_id = a.id AND k.parameters = ${set} AND k.format = ${format}
       ${byListing ? sql`` : sql`AND k.part = s.segment`}
       AND ${revision('sale')} AND ${revision('rental')}
       AND k.cached_at > unixepoch() - ${SNAPSHOT_LIFETIME}
     WHERE a.code = ${code} AND NOT a.disabled
     ORDER BY part`);
  const [first] = rows;
  if (first === undefined) return { manifest: null, reader: null, parameters };
  const reader = readerIn(first);
  return {
    manifest: manifestOf(first, rows),
    reader,
    parameters: key?.ofPreset ? (first.reader_parameters ?? parameters) : parameters,
  };
}

const READER_COLUMNS = sql`
           r.id AS reader_id, r.name AS reader_name, r.preset, r.fixed, r.parameters AS reader_parameters,
           r.created_at AS reader_created_at, y.expires_at AS key_expires_at,`;

/** The reader `r` of the account `a` that has this key `y`. */
function readerOf({ digest }: KeyLookup) {
  return sql`
      LEFT JOIN reader_keys y ON y.digest = ${digest} AND (y.expires_at IS NULL OR y.expires_at > unixepoch())
      LEFT JOIN readers r ON r.id = y.reader_id AND r.account_id = a.id AND NOT r.disabled`;
}

interface ReaderRow {
  readonly reader_id: number | null;
  readonly reader_name: string;
  readonly preset: string;
  readonly fixed: 0 | 1;
  readonly reader_parameters: string | null;
  readonly reader_created_at: number;
  readonly key_expires_at: number | null;
}

function readerIn(row: Partial<ReaderRow>): ManifestReader | null {
  if (row.reader_id == null) return null;
  return {
    id: row.reader_id,
    name: row.reader_name!,
    preset: row.preset!,
    isFixed: row.fixed === 1,
    createdAt: row.reader_created_at!,
    keyExpiresAt: row.key_expires_at!,
  };
}

function manifestOf(first: ManifestRow, rows: readonly ManifestRow[]): Manifest {
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
