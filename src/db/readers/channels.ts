import { and, asc, count, eq, gt, inArray, type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { listOf } from '../json-rows.ts';
import { channels, properties, propertyChannels, readers } from '../schema.ts';

/** A channel of an account. */
export interface Channel {
  readonly name: string;
  /** How many properties it has, the withdrawn ones included. */
  readonly properties: number;
}

/** Where a channel is found: its account, and its name there. */
export interface ChannelAddress {
  readonly accountId: number;
  readonly name: string;
}

/** Up to `limit` channels of an account after a name, in the order of their names. */
export function listChannels(
  db: D1Database,
  accountId: number,
  after: string | null,
  limit: number,
): Promise<Channel[]> {
  return drizzle(db)
    .select({ name: channels.name, properties: count(propertyChannels.sequenceNumber) })
    .from(channels)
    .leftJoin(
      propertyChannels,
      and(eq(propertyChannels.accountId, channels.accountId), eq(propertyChannels.channelId, channels.id)),
    )
    .where(and(eq(channels.accountId, accountId), after === null ? undefined : gt(channels.name, after)))
    .groupBy(channels.id)
    .orderBy(asc(channels.name))
    .limit(limit);
}

/** The id of a channel; `null` if the account has none with this name. */
export async function findChannelId(db: D1Database, { accountId, name }: ChannelAddress): Promise<number | null> {
  const found = await drizzle(db)
    .select({ id: channels.id })
    .from(channels)
    .where(and(eq(channels.accountId, accountId), eq(channels.name, name)))
    .get();
  return found?.id ?? null;
}

/** The identifiers of a channel's properties, in the order of their sequence numbers. */
export async function channelProperties(db: D1Database, accountId: number, channelId: number): Promise<string[]> {
  const rows = await drizzle(db)
    .select({ identifier: properties.identifier })
    .from(propertyChannels)
    .innerJoin(
      properties,
      and(
        eq(properties.accountId, propertyChannels.accountId),
        eq(properties.sequenceNumber, propertyChannels.sequenceNumber),
      ),
    )
    .where(and(eq(propertyChannels.accountId, accountId), eq(propertyChannels.channelId, channelId)))
    .orderBy(asc(propertyChannels.sequenceNumber));
  return rows.map(({ identifier }) => identifier);
}

/** The result of changing which properties a channel has. */
export interface Assigned {
  /** How many properties were added or removed. */
  readonly changed: number;
  /** The identifiers that the account does not have. */
  readonly unknown: readonly string[];
}

/** Adds properties to a channel, which is created if the account has none with this name, in one transaction. */
export async function addToChannel(
  db: D1Database,
  address: ChannelAddress,
  identifiers: readonly string[],
): Promise<Assigned> {
  const { accountId, name } = address;
  const connection = drizzle(db);
  const isChannel = and(eq(channels.accountId, accountId), eq(channels.name, name));
  const [, known, added] = await connection.batch([
    connection.insert(channels).values(address).onConflictDoNothing(),
    selectKnown(db, accountId, identifiers),
    connection
      .insert(propertyChannels)
      .select(
        connection
          .select({
            accountId: properties.accountId,
            sequenceNumber: properties.sequenceNumber,
            channelId: sql`${channels.id}`.as('channel_id'),
            revision: sql`0`.as('revision'),
          })
          .from(properties)
          .innerJoin(channels, isChannel)
          .where(isOneOf(accountId, identifiers)),
      )
      .onConflictDoNothing()
      .returning({ sequenceNumber: propertyChannels.sequenceNumber }),
  ]);
  return { changed: added.length, unknown: without(identifiers, known) };
}

/** Removes properties from a channel. */
export async function removeFromChannel(
  db: D1Database,
  accountId: number,
  channelId: number,
  identifiers: readonly string[],
): Promise<Assigned> {
  const connection = drizzle(db);
  const numbers = connection
    .select({ sequenceNumber: properties.sequenceNumber })
    .from(properties)
    .where(isOneOf(accountId, identifiers));
  const [known, removed] = await connection.batch([
    selectKnown(db, accountId, identifiers),
    connection
      .delete(propertyChannels)
      .where(
        and(
          eq(propertyChannels.accountId, accountId),
          eq(propertyChannels.channelId, channelId),
          sql`${propertyChannels.sequenceNumber} IN (${numbers})`,
        ),
      )
      .returning({ sequenceNumber: propertyChannels.sequenceNumber }),
  ]);
  return { changed: removed.length, unknown: without(identifiers, known) };
}

/** Deletes a channel with its assignments, unless readers have it; returns their names. */
export async function deleteChannel(db: D1Database, accountId: number, channelId: number): Promise<readonly string[]> {
  const connection = drizzle(db);
  const [used] = await connection.batch([
    connection
      .select({ name: readers.name })
      .from(readers)
      .where(and(eq(readers.accountId, accountId), eq(readers.channelId, channelId)))
      .orderBy(asc(readers.name)),
    connection
      .delete(channels)
      .where(
        and(
          eq(channels.accountId, accountId),
          eq(channels.id, channelId),
          sql`NOT EXISTS (SELECT 1 FROM ${readers} WHERE ${readers.channelId} = ${channelId})`,
        ),
      ),
  ]);
  return used.map(({ name }) => name);
}

function selectKnown(db: D1Database, accountId: number, identifiers: readonly string[]) {
  return drizzle(db)
    .select({ identifier: properties.identifier })
    .from(properties)
    .where(isOneOf(accountId, identifiers));
}

function isOneOf(accountId: number, identifiers: readonly string[]): SQL | undefined {
  return and(eq(properties.accountId, accountId), inArray(properties.identifier, listOf(identifiers)));
}

function without(identifiers: readonly string[], known: readonly { readonly identifier: string }[]): string[] {
  const found = new Set(known.map(({ identifier }) => identifier));
  return [...new Set(identifiers)].filter((identifier) => !found.has(identifier));
}
