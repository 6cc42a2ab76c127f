import { and, eq, getTableColumns, gt, not, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { accounts, type FormatSettings, readerKeys, readers, snapshots } from '../../db/schema.ts';
import { selectOne } from '../../db/statements.ts';
import type { EpochSeconds } from '../../lib/time/time.ts';
import { isReaderOfKey, isValidKey, KEY_READER, type KeyReader } from '../../readers/keys.ts';
import type { Revision } from '../build/feed-properties.ts';
import {
  SNAPSHOT_LIFETIME_SECONDS,
  type SnapshotDetails,
  type SnapshotSet,
} from '../snapshots/table.ts';
import { FIRST_DEVELOPMENT_PART } from './segments.ts';

/** What a feed request needs to know about an account before any property is read, in one consistent state. */
export interface Manifest {
  readonly accountId: number;
  /** As `lib/secrets` stores it. */
  readonly password: string;
  /** The account's. */
  readonly revision: Revision;
  /** When that number was taken. */
  readonly changedAt: EpochSeconds;
  /** The database's clock at that moment. */
  readonly now: EpochSeconds;
  /** What the account has stated for all readers of a format. */
  readonly settings: FormatSettings;
  /**
   * For a feed ordered by number: its segments, ascending, whether cached or not, with their own revisions; then its developments. For
   * a feed ordered by listing date: the cached parts, with the account's revision.
   */
  readonly parts: ManifestPart[];
}

/** A part of a feed: its current revision, and its snapshot at this revision. */
export interface ManifestPart {
  readonly part: number;
  readonly revision: Revision;
  /** Stored bytes of its properties, if they are known. */
  readonly bytes?: number;
  cached: CachedPart | null;
}

/** What is recorded about a cached part: also when it was written, and when its last use was recorded. */
export type CachedPart = SnapshotDetails &
  Pick<typeof snapshots.$inferSelect, 'cachedAt' | 'lastUsedAt'>;

/** The key of a reader, to be looked up together with the manifest. */
export interface KeyLookup {
  /** SHA-256 of the key, in lower-case hexadecimal. */
  readonly digest: string;
  /** Whether the snapshots are those of the reader's preset, where it has one, instead of those of the given set. */
  readonly ofPreset: boolean;
}

export interface ManifestRead {
  /** `null` if no account has this code or the account is disabled. */
  readonly manifest: Manifest | null;
  /** `null` if no key was given, or if it is not a valid one of an enabled reader of the account. */
  readonly reader: KeyReader | null;
  /** The canonical name of the parameter set whose snapshots the manifest states. */
  readonly parameters: string;
}

/** What is read of a snapshot. */
const {
  accountId: _account,
  format: _format,
  parameters: _parameters,
  ...SNAPSHOT
} = getTableColumns(snapshots);

const ACCOUNT = {
  accountId: accounts.id,
  password: accounts.password,
  changes: accounts.changes,
  changedAt: accounts.changedAt,
  segments: accounts.segments,
  developments: accounts.developments,
  incarnation: accounts.incarnation,
  formatSettings: accounts.formatSettings,
};

/**
 * Reads the manifest of a feed by one statement, and with it the reader whose key is given. D1 reads one row for the account
 * with the revisions of its segments, and one for each recorded snapshot.
 *
 * @param code the account's code, in upper case
 */
export async function readManifest(
  db: D1Database,
  code: string,
  set: SnapshotSet,
  key: KeyLookup | null = null,
): Promise<ManifestRead> {
  const given = { code, ...set, digest: null, ofPreset: null, ...key };
  const statement = prepared.get(db) ?? prepareStatement(db);
  prepared.set(db, statement);
  const [read] = await statement.all(given);
  if (read === undefined) return { manifest: null, reader: null, parameters: set.parameters };
  const { reader } = read;
  return {
    manifest: manifestOf(read.account, JSON.parse(read.snapshots), read.now, set),
    reader: reader && { ...reader, keyExpiresAt: read.keyExpiresAt },
    parameters: (key?.ofPreset ? reader?.parameters : null) ?? set.parameters,
  };
}

/** By database binding: drizzle takes as long to build the statement as the database takes to execute it. */
const prepared = new WeakMap<D1Database, ReturnType<typeof prepareStatement>>();

function prepareStatement(db: D1Database) {
  const connection = drizzle(db);
  const named = Object.entries(SNAPSHOT).map(
    ([name, column]) => sql`${sql.raw(`'${name}'`)}, ${column}`,
  );
  const recorded = connection
    .select({ snapshots: sql`json_group_array(json_object(${sql.join(named, sql`, `)}))` })
    .from(snapshots)
    .where(
      and(
        eq(snapshots.accountId, accounts.id),
        sql`${snapshots.parameters} = ifnull(iif(${sql.placeholder('ofPreset')}, ${readers.parameters}, NULL), ${sql.placeholder('parameters')})`,
        eq(snapshots.format, sql.placeholder('format')),
        gt(snapshots.cachedAt, sql`unixepoch() - ${SNAPSHOT_LIFETIME_SECONDS}`),
      ),
    );
  return connection
    .select({
      account: ACCOUNT,
      reader: KEY_READER,
      keyExpiresAt: readerKeys.expiresAt,
      now: sql<number>`unixepoch()`,
      snapshots: sql<string>`(${recorded})`,
    })
    .from(accounts)
    .leftJoin(readerKeys, isValidKey(sql.placeholder('digest')))
    .leftJoin(readers, isReaderOfKey())
    .where(and(eq(accounts.code, sql.placeholder('code')), not(accounts.disabled)))
    .prepare();
}

type RecordedSnapshot = Readonly<Pick<typeof snapshots.$inferSelect, keyof typeof SNAPSHOT>>;

/** What the statement has read. */
type Found = Awaited<ReturnType<ReturnType<typeof prepareStatement>['all']>>[number];

function manifestOf(
  account: Found['account'],
  recorded: readonly RecordedSnapshot[],
  now: number,
  { byListing, withDevelopments = false }: Pick<SnapshotSet, 'byListing' | 'withDevelopments'>,
): Manifest {
  const {
    accountId,
    password,
    incarnation,
    changes,
    changedAt,
    formatSettings: settings,
  } = account;
  const revision = { incarnation, number: changes };
  const byPart = new Map(recorded.map((snapshot) => [snapshot.part, snapshot]));
  const cachedAt = ({ part, revision: { number } }: Omit<ManifestPart, 'cached'>) => {
    const snapshot = byPart.get(part);
    return snapshot?.incarnation === incarnation && snapshot.revision === number ? snapshot : null;
  };
  const known = byListing
    ? recorded.map(({ part }) => ({ part, revision }))
    : [...segmentsOf(account), ...(withDevelopments ? developmentsOf(account) : [])];
  const parts = known.map((part) => ({ ...part, cached: cachedAt(part) }));
  return {
    accountId,
    password,
    revision,
    changedAt,
    now,
    settings,
    parts: parts
      .filter(({ cached }) => !byListing || cached !== null)
      .sort((a, b) => a.part - b.part),
  };
}

function segmentsOf({ incarnation, segments }: Found['account']) {
  return Object.entries(segments).map(([segment, [number, bytes]]) => ({
    part: Number(segment),
    revision: { incarnation, number },
    bytes,
  }));
}

function developmentsOf({ incarnation, developments }: Found['account']) {
  return Object.entries(developments).map(([id, number]) => ({
    part: FIRST_DEVELOPMENT_PART + Number(id),
    revision: { incarnation, number },
  }));
}

/**
 * Whether since a revision of an account a property has become another unit, or a development has changed: of two parts of which
 * one was read before and one after that, neither or both may have the property.
 */
export async function haveUnitsMoved(
  db: D1Database,
  id: number,
  { incarnation, number }: Revision,
): Promise<boolean> {
  const account = await selectOne(db, accounts, ['incarnation', 'unitsMoved'], { id });
  return account === null || account.incarnation !== incarnation || account.unitsMoved > number;
}
