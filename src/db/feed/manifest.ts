import { and, eq, getTableColumns, gt, isNull, not, or, sql } from '#drizzle';
import { drizzle } from '#drizzle/d1';
import type { EpochSeconds } from '../../lib/time/time.ts';
import { accounts, channels, readerKeys, readers, snapshots } from '../schema.ts';
import type { Revisions } from './feed-properties.ts';
import { FIRST_DEVELOPMENT_PART } from './segments.ts';
import { SNAPSHOT_LIFETIME_SECONDS, type SnapshotDetails, type SnapshotSet } from './snapshots.ts';

/** What a feed request needs to know about an account before any property is read, in one consistent state. */
export type Manifest = Readonly<ReturnType<typeof manifestOf>>;

/** A part of a feed: its current revisions, and its snapshot at these revisions. */
export interface ManifestPart {
  readonly part: number;
  readonly revisions: Revisions;
  cached: CachedPart | null;
}

/** What is recorded about a cached part: also when it was written, and when its last use was recorded. */
export type CachedPart = SnapshotDetails & Pick<typeof snapshots.$inferSelect, 'cachedAt' | 'lastUsedAt'>;

/** A reader of the account, as its key identifies it, and when the key expires; `null` if it does not. */
export type ManifestReader = Readonly<NonNullable<Found['reader']>> & { readonly keyExpiresAt: EpochSeconds | null };

/** The key of a reader, to be looked up together with the manifest. */
export interface KeyLookup {
  /** SHA-256 of the key, in lower-case hexadecimal. */
  readonly digest: string;
  /** Whether the snapshots are those of the reader's preset, where it has one, instead of those of the given set. */
  readonly ofPreset: boolean;
}

export interface ManifestRead {
  /**
   * `null` if no account has this code or the account is disabled. With the key of a reader that has a channel, it is the channel's,
   * and so of no use for a set without that channel.
   */
  readonly manifest: Manifest | null;
  /** `null` if no key was given, or if it is not a valid one of an enabled reader of the account. */
  readonly reader: ManifestReader | null;
  /** The canonical name of the parameter set whose snapshots the manifest states. */
  readonly parameters: string;
}

/** What is read of a snapshot. */
const { accountId: _, format: __, parameters: ___, channelId: ____, ...SNAPSHOT } = getTableColumns(snapshots);

const { id: accountId, password, saleChangedAt, rentalChangedAt, segments } = accounts;
const ACCOUNT = {
  accountId,
  password,
  sale: accounts.saleRevision,
  rental: accounts.rentalRevision,
  saleChangedAt,
  rentalChangedAt,
  segments,
  incarnation: accounts.incarnation,
  developments: accounts.developments,
  developmentsChangedAt: accounts.developmentsChangedAt,
  formatSettings: accounts.formatSettings,
};

const { id, name, preset, fixed, parameters, policy, createdAt } = readers;
const READER = {
  ...{ id, name, preset, parameters, policy, createdAt },
  /** Whether a request may not give other parameters than the preset. */
  isFixed: fixed,
  /** The id of the channel whose properties it gets; `null` for all. */
  channel: readers.channelId,
};
const CHANNEL = {
  revision: channels.revision,
  segments: channels.segments,
  developments: channels.developments,
  changedAt: channels.changedAt,
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
  set: Omit<SnapshotSet, 'dependsOn'>,
  key: KeyLookup | null = null,
): Promise<ManifestRead> {
  const given = { code, ...set, digest: null, ofPreset: null, ...key };
  const statement = prepared.get(db) ?? prepareStatement(db);
  prepared.set(db, statement);
  const [read] = await statement.all(given);
  if (read === undefined) return { manifest: null, reader: null, parameters: set.parameters };
  const { reader } = read;
  return {
    manifest: manifestOf(read.account, read.channel, JSON.parse(read.snapshots), read.now, set),
    reader: reader && { ...reader, keyExpiresAt: read.keyExpiresAt },
    parameters: (key?.ofPreset ? reader?.parameters : null) ?? set.parameters,
  };
}

/** By database binding: drizzle takes as long to build the statement as the database takes to execute it. */
const prepared = new WeakMap<D1Database, ReturnType<typeof prepareStatement>>();

function prepareStatement(db: D1Database) {
  const connection = drizzle(db);
  const named = Object.entries(SNAPSHOT).map(([name, column]) => sql`${sql.raw(`'${name}'`)}, ${column}`);
  const recorded = connection
    .select({ snapshots: sql`json_group_array(json_object(${sql.join(named, sql`, `)}))` })
    .from(snapshots)
    .where(
      and(
        eq(snapshots.accountId, accountId),
        sql`${snapshots.parameters} = ifnull(iif(${sql.placeholder('ofPreset')}, ${parameters}, NULL), ${sql.placeholder('parameters')})`,
        eq(snapshots.format, sql.placeholder('format')),
        gt(snapshots.cachedAt, sql`unixepoch() - ${SNAPSHOT_LIFETIME_SECONDS}`),
      ),
    );
  const isKey = and(
    eq(readerKeys.digest, sql.placeholder('digest')),
    or(isNull(readerKeys.expiresAt), gt(readerKeys.expiresAt, sql`unixepoch()`)),
  );
  return connection
    .select({
      account: ACCOUNT,
      reader: READER,
      channel: CHANNEL,
      keyExpiresAt: readerKeys.expiresAt,
      now: sql<number>`unixepoch()`,
      snapshots: sql<string>`(${recorded})`,
    })
    .from(accounts)
    .leftJoin(readerKeys, isKey)
    .leftJoin(readers, and(eq(id, readerKeys.readerId), eq(readers.accountId, accountId), not(readers.disabled)))
    .leftJoin(channels, and(eq(channels.accountId, readers.accountId), eq(channels.id, readers.channelId)))
    .where(and(eq(accounts.code, sql.placeholder('code')), not(accounts.disabled)))
    .prepare();
}

type RecordedSnapshot = Readonly<Pick<typeof snapshots.$inferSelect, keyof typeof SNAPSHOT>>;

/** What the statement has read. */
type Found = Awaited<ReturnType<ReturnType<typeof prepareStatement>['all']>>[number];

function manifestOf(
  account: Found['account'],
  channel: Found['channel'],
  recorded: readonly RecordedSnapshot[],
  now: number,
  { byListing, withDevelopments = false }: Pick<SnapshotSet, 'byListing' | 'withDevelopments'>,
) {
  const { accountId, password, incarnation, sale, rental } = account;
  const changedAt = (time: EpochSeconds) => Math.max(time, withDevelopments ? account.developmentsChangedAt : 0);
  const ofAccount: Revisions = { incarnation, sale, rental };
  const revisions = channel === null ? ofAccount : ofChannel(incarnation, channel.revision);
  const byPart = new Map(recorded.map((snapshot) => [snapshot.part, snapshot]));
  const segments = [...segmentsOf(account, channel), ...(withDevelopments ? developmentsOf(account, channel) : [])];
  return {
    accountId,
    /** As `lib/secrets` stores it. */
    password,
    revisions,
    /** The account's own, even if the feed has a channel. */
    accountRevisions: { sale, rental },
    /** `null` without a channel. */
    channelRevision: channel?.revision ?? null,
    /** What the account has stated for all readers of a format. */
    settings: account.formatSettings,
    /** When each revision last advanced. */
    changedAt: {
      sale: channel?.changedAt ?? changedAt(account.saleChangedAt),
      rental: channel?.changedAt ?? changedAt(account.rentalChangedAt),
    },
    /** The database's clock at that moment. */
    now,
    /**
     * For a feed ordered by sequence number: its segments, ascending, whether cached or not, with their own revisions. For a
     * feed ordered by listing date: the cached parts, with the account's revisions.
     */
    parts: (byListing ? recorded.map(({ part }): NumberedPart => [part, revisions]) : segments)
      .map(([part, revisions]): ManifestPart => {
        const snapshot = byPart.get(part);
        return { part, revisions, cached: snapshot && isOf(revisions, snapshot) ? snapshot : null };
      })
      .filter(({ cached }) => !byListing || cached !== null)
      .sort((a, b) => a.part - b.part),
  };
}

function ofChannel(incarnation: number, revision: number): Revisions {
  return { incarnation, sale: revision, rental: revision };
}

type NumberedPart = readonly [part: number, revisions: Revisions];

/** A channel has only the segments in which it has ever had a listed property. */
function segmentsOf({ incarnation, segments }: Found['account'], channel: Found['channel']): NumberedPart[] {
  return channel === null
    ? Object.entries(segments).map(([part, [sale, rental]]) => [Number(part), { incarnation, sale, rental }])
    : Object.entries(channel.segments).map(([part, revision]) => [Number(part), ofChannel(incarnation, revision)]);
}

/**
 * A development has one revision for both kinds of feed: see `developmentRevision`. A channel has only those of which it has ever
 * had a unit.
 */
function developmentsOf({ incarnation, developments }: Found['account'], channel: Found['channel']): NumberedPart[] {
  return Object.entries(developments)
    .filter(([id]) => channel === null || Object.hasOwn(channel.developments, id))
    .map(([id, [revision, own]]) => [
      FIRST_DEVELOPMENT_PART + Number(id),
      ofChannel(incarnation, channel === null ? revision : own + channel.revision),
    ]);
}

/** Whether a snapshot belongs to these revisions. It has `null` for a revision that its parameters do not depend on. */
function isOf({ incarnation, sale, rental }: Revisions, recorded: RecordedSnapshot): boolean {
  const { saleRevision, rentalRevision } = recorded;
  return (
    recorded.incarnation === incarnation && (saleRevision ?? sale) === sale && (rentalRevision ?? rental) === rental
  );
}
