import { and, eq, getTableColumns, lt, lte, ne, notInArray, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import { retryIdempotent } from '../connection.ts';
import { executeBoth, placeholders, prepareOnce } from '../prepared.ts';
import { accounts, snapshots } from '../schema.ts';
import { revisionIn } from './channel-revisions.ts';
import { partRevision } from './segments.ts';

/** Lifetime of a snapshot in seconds: the fallback expiry, in case it is never evicted. */
export const SNAPSHOT_LIFETIME_SECONDS = 7 * 24 * 3600;

/** Seconds between two updates of a snapshot's last use. */
export const USE_RECORDED_EVERY_SECONDS = 3600;

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
  /** The id of the channel whose properties it has, which the parameters then name; `null` for all properties. */
  readonly channel: number | null;
  /** Whether the feed also has a part for each development, after the properties. */
  readonly withDevelopments?: boolean;
}

const { accountId, incarnation, format, parameters, part, saleRevision, rentalRevision, channelId } = snapshots;
const { cachedAt, lastUsedAt } = snapshots;
const NAME = { accountId, incarnation, format, parameters, part, saleRevision, rentalRevision, channelId };

/** What determines the bytes of a snapshot. A revision is null if the parameters do not depend on it. */
export type SnapshotName = Readonly<Pick<typeof snapshots.$inferSelect, keyof typeof NAME>>;

/** What is recorded about a cached snapshot. */
export interface SnapshotDetails {
  readonly bytes: number;
  readonly crc: number;
  /** Bytes before compression. */
  readonly length: number;
  /** Records of the feed in it. */
  readonly records: number;
  /** `null` unless the feed is ordered by listing date. */
  readonly listingPart: ListingPart | null;
}

/** Which part of a feed ordered by listing date a snapshot is. */
export interface ListingPart {
  /** How many parts there are. */
  readonly parts: number;
  /** The sequence numbers of the properties in this part: a JSON array. */
  readonly numbers: string;
}

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
  const { listingPart, ...recorded } = details;
  const { parts = null, numbers: sequenceNumbers = null } = listingPart ?? {};
  const given = { ...name, ...recorded, parts, sequenceNumbers };
  const [[previous], [inserted]] = await retryIdempotent(() => executeBoth(db, recordStatements(db), given));
  if (inserted === undefined) return { isRecorded: false, replaced: null };
  const isSame = previous !== undefined && snapshotRevisions(previous) === snapshotRevisions(name);
  return { isRecorded: true, replaced: previous === undefined || isSame ? null : previous };
}

/** The revisions of a snapshot, in the form that keys have: a revision of another kind, incarnation or number differs. */
export function snapshotRevisions({ incarnation, saleRevision, rentalRevision }: SnapshotName): string {
  const sale = saleRevision === null ? '' : `s${saleRevision}`;
  const rental = rentalRevision === null ? '' : `r${rentalRevision}`;
  return `i${incarnation}${sale}${rental}`;
}

const COLUMNS = getTableColumns(snapshots);

/** The columns of a snapshot, as given. */
const GIVEN = placeholders(...(Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]));

/** The statements that read the previous snapshot of the same part, and record one. */
const recordStatements = prepareOnce((connection) => {
  const isSamePart = and(
    eq(accountId, GIVEN.accountId),
    eq(parameters, GIVEN.parameters),
    eq(format, GIVEN.format),
    eq(part, GIVEN.part),
  );
  const isCurrent = (revision: SQL, current: SQL) => sql`(${revision} IS NULL OR ${revision} = ${current})`;
  const record = connection
    .insert(snapshots)
    .select(
      connection
        .select(ROW)
        .from(accounts)
        .where(
          and(
            eq(accounts.id, GIVEN.accountId),
            eq(accounts.incarnation, GIVEN.incarnation),
            isCurrent(GIVEN.saleRevision, currentRevision(GIVEN, 'sale')),
            isCurrent(GIVEN.rentalRevision, currentRevision(GIVEN, 'rental')),
          ),
        ),
    )
    .onConflictDoUpdate({ target: [accountId, parameters, format, part], set: EXCLUDED })
    .returning({ part });
  return [connection.select(NAME).from(snapshots).where(isSamePart).prepare(), record.prepare()] as const;
});

/** All columns of a snapshot that was just written, in the order of the table, as drizzle's INSERT with SELECT requires. */
const ROW = mapValues((key, name) =>
  (key === 'cachedAt' || key === 'lastUsedAt' ? sql`unixepoch()` : GIVEN[key]).as(name),
);

/** For an upsert: each column as in the row that was not inserted. */
const EXCLUDED = mapValues((_, name) => sql`excluded.${sql.identifier(name)}`);

function mapValues<Value>(expression: (key: keyof typeof COLUMNS, name: string) => Value) {
  const entries = Object.entries(COLUMNS).map(([key, { name }]) => [
    key,
    expression(key as keyof typeof COLUMNS, name),
  ]);
  return Object.fromEntries(entries) as Record<keyof typeof COLUMNS, Value>;
}

/** Updates the last use of the snapshots of a parameter set. */
export async function recordUse(db: D1Database, account: number, set: string): Promise<void> {
  const update = drizzle(db)
    .update(snapshots)
    .set({ lastUsedAt: sql`unixepoch()` })
    .where(
      and(
        eq(accountId, account),
        eq(parameters, set),
        lt(lastUsedAt, sql`unixepoch() - ${USE_RECORDED_EVERY_SECONDS}`),
      ),
    );
  await retryIdempotent(() => update.run());
}

/** Deletes the records of up to `limit` stale snapshots of an account, and returns their names. */
export function removeStale(
  db: D1Database,
  account: number,
  currentFormats: readonly string[],
  limit: number,
): Promise<SnapshotName[]> {
  const connection = drizzle(db);
  const stale = connection
    .select({ parameters, format, part })
    .from(snapshots)
    .innerJoin(accounts, eq(accounts.id, accountId))
    .where(and(eq(accountId, account), isStale(currentFormats)))
    .limit(limit);
  return retryIdempotent(() => remove(connection, account, sql`${stale}`));
}

/**
 * Deletes the records of up to `limit` of the least recently used snapshots of an account beyond `most`, and returns their
 * names.
 */
export async function removeLeastUsed(
  db: D1Database,
  account: number,
  most: number,
  limit: number,
): Promise<SnapshotName[]> {
  const connection = drizzle(db);
  // Counted again for another attempt, which would otherwise delete as many more.
  return retryIdempotent(async () => {
    const excess = (await connection.$count(snapshots, eq(accountId, account))) - most;
    if (excess <= 0) return [];
    const leastUsed = connection
      .select({ parameters, format, part })
      .from(snapshots)
      .where(eq(accountId, account))
      .orderBy(lastUsedAt, parameters, part)
      .limit(Math.min(excess, limit));
    return remove(connection, account, sql`${leastUsed}`);
  });
}

/** Whether no feed can use a snapshot of an account. */
function isStale(currentFormats: readonly string[]): SQL | undefined {
  return or(
    notInArray(format, [...currentFormats]),
    lte(cachedAt, sql`unixepoch() - ${SNAPSHOT_LIFETIME_SECONDS}`),
    ne(incarnation, accounts.incarnation),
    ne(saleRevision, currentRevision(snapshots, 'sale')),
    ne(rentalRevision, currentRevision(snapshots, 'rental')),
  );
}

/** The revision that a snapshot of an account in `accounts` has if it is current. */
function currentRevision(
  { parts, part, channelId }: Readonly<Record<'parts' | 'part' | 'channelId', SQLWrapper>>,
  kind: 'sale' | 'rental',
): SQL {
  const ofAccount = kind === 'sale' ? accounts.saleRevision : accounts.rentalRevision;
  return sql`iif(${parts} IS NULL,
    ${partRevision(part, channelId, kind)},
    ${revisionIn(channelId, null, ofAccount)})`;
}

/** Names that an attempt has deleted whose response was lost are not returned by the next: their entries in KV expire. */
function remove(connection: DrizzleD1Database, account: number, keys: SQL): Promise<SnapshotName[]> {
  return connection
    .delete(snapshots)
    .where(and(eq(accountId, account), sql`(${parameters}, ${format}, ${part}) IN (${keys})`))
    .returning(NAME)
    .all();
}
