import { and, asc, count, eq, gt, isNull, or, type SQL, sql } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import type { EpochSeconds } from '../../lib/time/time.ts';
import { retryIdempotent } from '../connection.ts';
import { channels, readerKeys, readers } from '../schema.ts';

const { name, preset, fixed, policy, channelId, disabled, createdAt, portal, title } = readers;
const COLUMNS = { name, preset, fixed, policy, channelId, disabled, createdAt, portal, title };

/** A reader of an account as an operator sees it. */
export interface Reader extends Readonly<Pick<typeof readers.$inferSelect, keyof typeof COLUMNS>> {
  /** The name of the channel whose properties it gets; `null` for all properties. */
  readonly channel: string | null;
  /** How many keys are valid. */
  readonly keys: number;
  /** When the last of those keys expires that do; `null` if none does. */
  readonly keysExpireAt: EpochSeconds | null;
}

/** The feed that a reader gets. */
export interface ReaderFeed extends Pick<Reader, 'preset' | 'fixed' | 'channelId' | 'policy'> {
  /** The canonical name of the parameter set that the preset selects; `null` if that feed is ordered by listing date. */
  readonly parameters: string | null;
}

/** A reader to be stored. */
export interface NewReader extends ReaderFeed {
  readonly accountId: number;
  readonly name: string;
  readonly portal?: string;
  readonly title?: string;
  /** SHA-256 of its key, in lower-case hexadecimal. */
  readonly digest: string;
}

/** Where a reader is found: its account, and its name there. */
export interface ReaderAddress {
  readonly accountId: number;
  readonly name: string;
}

/** Stores a reader with its first key; returns whether its name was free. */
export async function createReader(db: D1Database, reader: NewReader): Promise<boolean> {
  try {
    await drizzle(db).batch(readerQueries(db, reader));
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/** The queries of {@link createReader}, for a batch. */
export function readerQueries(db: D1Database, { digest, ...reader }: NewReader) {
  const connection = drizzle(db);
  return [connection.insert(readers).values(reader), addKey(connection, reader, digest)] as const;
}

function isUniqueViolation(error: unknown): boolean {
  return /UNIQUE constraint failed/.test(`${error} ${error instanceof Error ? error.cause : ''}`);
}

/** Up to `limit` readers of an account after a name, in the order of their names. */
export function listReaders(db: D1Database, accountId: number, after: string | null, limit: number): Promise<Reader[]> {
  return selectReaders(db, and(eq(readers.accountId, accountId), after === null ? undefined : gt(readers.name, after)))
    .orderBy(asc(readers.name))
    .limit(limit);
}

/** A reader of an account; `null` if it has none with this name. */
export async function findReader(db: D1Database, address: ReaderAddress): Promise<Reader | null> {
  const [found] = await selectReaders(db, isAt(address));
  return found ?? null;
}

/**
 * Gives a reader another key; its present keys expire a while later, or earlier if they did before.
 *
 * @param oldKeySeconds seconds for which they stay valid; 0 revokes them
 * @returns whether the reader exists
 */
export async function rotateKey(
  db: D1Database,
  address: ReaderAddress,
  digest: string,
  oldKeySeconds: number,
): Promise<boolean> {
  const connection = drizzle(db);
  const until = sql`unixepoch() + ${oldKeySeconds}`;
  const [, , added] = await connection.batch([
    deleteExpired(connection, address),
    connection
      .update(readerKeys)
      .set({ expiresAt: sql`min(ifnull(${readerKeys.expiresAt}, ${until}), ${until})` })
      .where(eq(readerKeys.readerId, idOf(connection, address))),
    addKey(connection, address, digest).returning({ digest: readerKeys.digest }),
  ]);
  return added.length > 0;
}

/** Revokes all keys of a reader but the newest; returns how many, or `null` if there is no such reader. */
export async function revokeOldKeys(db: D1Database, address: ReaderAddress): Promise<number | null> {
  const connection = drizzle(db);
  const [found, , revoked] = await connection.batch([
    connection.select({ id: readers.id }).from(readers).where(isAt(address)),
    deleteExpired(connection, address),
    connection
      .delete(readerKeys)
      .where(
        // A key that replaced another has no time of expiry.
        and(eq(readerKeys.readerId, idOf(connection, address)), sql`${readerKeys.expiresAt} IS NOT NULL`),
      )
      .returning({ digest: readerKeys.digest }),
  ]);
  return found.length === 0 ? null : revoked.length;
}

/** Changes the feed that a reader gets, if it is still as it was before; returns whether it was. */
export async function updateReader(
  db: D1Database,
  address: ReaderAddress,
  before: Pick<Reader, 'preset' | 'fixed' | 'channelId' | 'policy'>,
  after: ReaderFeed,
): Promise<boolean> {
  const isUnchanged = and(
    eq(preset, before.preset),
    eq(fixed, before.fixed),
    eq(policy, before.policy),
    sql`${channelId} IS ${before.channelId}`,
  );
  const update = drizzle(db)
    .update(readers)
    .set(after)
    .where(and(isAt(address), isUnchanged))
    .returning({ id: readers.id });
  const found = await retryIdempotent(() => update.all());
  return found.length > 0;
}

/** Disables a reader, or enables it again; returns whether it exists. */
export async function setReaderDisabled(db: D1Database, address: ReaderAddress, disabled: boolean): Promise<boolean> {
  const update = drizzle(db).update(readers).set({ disabled }).where(isAt(address)).returning({ id: readers.id });
  const found = await retryIdempotent(() => update.all());
  return found.length > 0;
}

/** Deletes a reader with its keys; returns whether it existed. */
export async function deleteReader(db: D1Database, address: ReaderAddress): Promise<boolean> {
  const found = await drizzle(db).delete(readers).where(isAt(address)).returning({ id: readers.id });
  return found.length > 0;
}

function selectReaders(db: D1Database, condition: SQL | undefined) {
  const valid = or(isNull(readerKeys.expiresAt), gt(readerKeys.expiresAt, sql`unixepoch()`));
  return drizzle(db)
    .select({
      ...COLUMNS,
      // Under a name of its own: the command line gets rows by column names.
      channel: sql<string | null>`${channels.name}`.as('channel_name'),
      keys: count(readerKeys.digest),
      keysExpireAt: sql<number | null>`max(${readerKeys.expiresAt})`,
    })
    .from(readers)
    .leftJoin(channels, eq(channels.id, channelId))
    .leftJoin(readerKeys, and(eq(readerKeys.readerId, readers.id), valid))
    .where(condition)
    .groupBy(readers.id);
}

function isAt({ accountId, name }: ReaderAddress): SQL | undefined {
  return and(eq(readers.accountId, accountId), eq(readers.name, name));
}

function idOf(connection: DrizzleD1Database, address: ReaderAddress) {
  return connection.select({ id: readers.id }).from(readers).where(isAt(address));
}

function addKey(connection: DrizzleD1Database, address: ReaderAddress, digest: string) {
  return connection.insert(readerKeys).select(
    connection
      .select({
        digest: sql`${digest}`.as('digest'),
        readerId: readers.id,
        createdAt: sql`unixepoch()`.as('created_at'),
        expiresAt: sql`NULL`.as('expires_at'),
      })
      .from(readers)
      .where(isAt(address)),
  );
}

function deleteExpired(connection: DrizzleD1Database, address: ReaderAddress) {
  const { readerId, expiresAt } = readerKeys;
  return connection
    .delete(readerKeys)
    .where(and(eq(readerId, idOf(connection, address)), sql`${expiresAt} <= unixepoch()`));
}
