import { and, asc, count, eq, gt, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import { type DrizzleD1Database, drizzle } from 'drizzle-orm/d1';
import type { Actor } from '../accounts/actor.ts';
import { retryIdempotent } from '../db/connection.ts';
import { listOf, statementsOf } from '../db/json-rows.ts';
import { channels, readerKeys, readers } from '../db/schema.ts';
import {
  type Address,
  change,
  isInserted,
  remove,
  runBatch,
  statementOf,
  whereEquals,
} from '../db/statements.ts';
import type { EpochSeconds } from '../lib/time/time.ts';
import { noteProperties } from '../properties/selection/noted.ts';
import { noteReader } from './history.ts';

const { name, preset, fixed, policy, channelId, disabled, createdAt, portal, title } = readers;
const COLUMNS = { name, preset, fixed, policy, channelId, disabled, createdAt, portal, title };

/** A reader of an account as an operator sees it. */
export interface Reader extends Readonly<Pick<typeof readers.$inferSelect, keyof typeof COLUMNS>> {
  /** The channel whose properties it gets; `null` for all. */
  readonly channel: string | null;
  /** How many keys are valid. */
  readonly keys: number;
  /** When the last of those keys expires that do; `null` if none does. */
  readonly keysExpireAt: EpochSeconds | null;
  /** The database's clock. */
  readonly now: EpochSeconds;
}

export interface ReaderFeed extends Pick<Reader, 'preset' | 'fixed' | 'channelId' | 'policy'> {
  /** The canonical name of the parameter set that the preset selects; `null` if that feed is ordered by listing date. */
  readonly parameters: string | null;
}

export interface NewReader extends ReaderFeed, Address {
  readonly portal?: string;
  readonly title?: string;
  /** SHA-256 of its key, in lower-case hexadecimal. */
  readonly digest: string;
}

/** Stores a reader with its first key; returns whether its name was free. */
export function createReader(db: D1Database, reader: NewReader): Promise<boolean> {
  return isInserted(drizzle(db).batch(readerQueries(db, reader)));
}

/** The queries of {@link createReader}, for a batch. */
export function readerQueries(db: D1Database, { digest, ...reader }: NewReader) {
  const connection = drizzle(db);
  return [connection.insert(readers).values(reader), addKey(connection, reader, digest)] as const;
}

/** Up to `limit` readers of an account after a name, in the order of their names. */
export function listReaders(
  db: D1Database,
  accountId: number,
  after: string | null,
  limit: number,
): Promise<Reader[]> {
  return selectReaders(db, and(whereEquals(readers, { accountId }), gt(name, after ?? '')))
    .orderBy(asc(name))
    .limit(limit);
}

/** A reader of an account; `null` if it has none with this name. */
export async function findReader(db: D1Database, address: Address): Promise<Reader | null> {
  return (await selectReaders(db, isAt(address)))[0] ?? null;
}

/**
 * Gives a reader another key; its present keys expire a while later, or earlier if they did before.
 *
 * @param oldKeySeconds seconds for which they stay valid; 0 revokes them
 * @returns whether the reader exists
 */
export async function rotateKey(
  db: D1Database,
  address: Address,
  digest: string,
  oldKeySeconds: number,
) {
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

/** Revokes all keys of a reader except the newest; returns how many, or `null` if there is no such reader. */
export async function revokeOldKeys(db: D1Database, address: Address): Promise<number | null> {
  const connection = drizzle(db);
  // A key that replaced another has no time of expiry.
  const isOld = and(
    eq(readerKeys.readerId, idOf(connection, address)),
    isNotNull(readerKeys.expiresAt),
  );
  const [found, , revoked] = await connection.batch([
    connection.select({ id: readers.id }).from(readers).where(isAt(address)),
    deleteExpired(connection, address),
    connection.delete(readerKeys).where(isOld).returning({ digest: readerKeys.digest }),
  ]);
  return found.length === 0 ? null : revoked.length;
}

/** Changes the feed that a reader gets, if it is still as it was before, and notes that; returns whether it was. */
export async function updateReader(
  db: D1Database,
  { accountId, name }: Address,
  { preset, fixed, channelId, policy }: Omit<ReaderFeed, 'parameters'>,
  after: ReaderFeed,
  actor: Actor,
): Promise<boolean> {
  const isBefore = whereEquals(readers, { accountId, name, preset, fixed, channelId, policy });
  const isSame = whereEquals(readers, {
    preset: after.preset,
    fixed: after.fixed,
    channelId: after.channelId,
    policy: after.policy,
  });
  const queries = [
    noteReader(isBefore, sql`(${isSame}) IS NOT TRUE`, actor),
    drizzle(db).update(readers).set(after).where(isBefore).returning({ one: sql`1` }),
  ];
  const results = await retryIdempotent(() => runBatch(db, queries));
  return results.at(-1)!.length > 0;
}

/**
 * Changes the rules of a reader as {@link updateReader} does, of which only those about some properties differ, and gives each of them
 * another number: who follows changes learns that it is in or out. What it was shown before is noted, as before every change.
 */
export async function updateSelection(
  db: D1Database,
  { accountId, name }: Address,
  { policy }: Pick<Reader, 'policy'>,
  after: Pick<ReaderFeed, 'policy' | 'parameters'>,
  identifiers: readonly string[],
  actor: Actor,
): Promise<boolean> {
  const isBefore = whereEquals(readers, { accountId, name, policy });
  const isAfter = whereEquals(readers, { accountId, name, policy: after.policy });
  const queries = [
    noteReader(isBefore, sql`TRUE`, actor),
    sql`UPDATE readers SET policy = ${after.policy}, parameters = ${after.parameters}
         WHERE ${isBefore} RETURNING 1`,
    sql`UPDATE properties SET change = 0 WHERE account_id = ${accountId} AND identifier IN ${listOf(identifiers)}
           AND EXISTS (SELECT 1 FROM ${readers} WHERE ${isAfter})`,
  ];
  const results = await db.batch([
    ...statementsOf(db, accountId, [noteProperties(identifiers)]),
    ...queries.map((query) => statementOf(db, query)),
  ]);
  return results.at(-2)!.results.length > 0;
}

/** Disables a reader, or enables it again; returns whether it exists. */
export function setReaderDisabled(db: D1Database, { accountId, name }: Address, disabled: boolean) {
  return retryIdempotent(() => change(db, readers, { accountId, name }, { disabled }));
}

/** Deletes a reader with its keys; returns whether it existed. */
export function deleteReader(db: D1Database, { accountId, name }: Address): Promise<boolean> {
  return remove(db, readers, { accountId, name });
}

function selectReaders(db: D1Database, condition: SQL | undefined) {
  const valid = or(isNull(readerKeys.expiresAt), gt(readerKeys.expiresAt, sql`unixepoch()`));
  return drizzle(db)
    .select({
      ...COLUMNS,
      // Named apart from the reader's own `name`.
      channel: sql<string | null>`${channels.name}`.as('channel_name'),
      keys: count(readerKeys.digest),
      keysExpireAt: sql<EpochSeconds | null>`max(${readerKeys.expiresAt})`,
      now: sql<EpochSeconds>`unixepoch()`,
    })
    .from(readers)
    .leftJoin(channels, and(eq(channels.accountId, readers.accountId), eq(channels.id, channelId)))
    .leftJoin(readerKeys, and(eq(readerKeys.readerId, readers.id), valid))
    .where(condition)
    .groupBy(readers.id);
}

function isAt({ accountId, name }: Address): SQL {
  return whereEquals(readers, { accountId, name });
}

function idOf(connection: DrizzleD1Database, address: Address) {
  return connection.select({ id: readers.id }).from(readers).where(isAt(address));
}

function addKey(connection: DrizzleD1Database, address: Address, digest: string) {
  const key = sql`SELECT ${digest}, ${readers.id}, unixepoch(), NULL FROM ${readers} WHERE ${isAt(address)}`;
  return connection.insert(readerKeys).select(key);
}

function deleteExpired(connection: DrizzleD1Database, address: Address) {
  const { readerId, expiresAt } = readerKeys;
  const isExpired = and(eq(readerId, idOf(connection, address)), sql`${expiresAt} <= unixepoch()`);
  return connection.delete(readerKeys).where(isExpired);
}
