import { and, asc, count, eq, gt, inArray, sql } from '#drizzle';
import { drizzle } from '#drizzle/d1';
import { channels, properties, propertyChannels, readers } from '../schema.ts';
import { type Address, find, has } from '../statements.ts';

/** Up to `limit` channels of an account after a name, in the order of their names. */
export async function listChannels(db: D1Database, account: number, after: string | null, limit: number) {
  const { accountId, channelId, sequenceNumber } = propertyChannels;
  const { id, name } = channels;
  const query = drizzle(db)
    .select({ name, properties: count(sequenceNumber) })
    .from(channels);
  return query
    .leftJoin(propertyChannels, and(eq(accountId, channels.accountId), eq(channelId, id)))
    .where(and(eq(channels.accountId, account), gt(name, after ?? '')))
    .groupBy(id)
    .orderBy(asc(name))
    .limit(limit);
}

/** The id of a channel; `null` if the account has none with this name. */
export async function findChannelId(db: D1Database, { accountId, name }: Address): Promise<number | null> {
  return (await find(db, channels, ['id'], { accountId, name }))?.id ?? null;
}

/** The identifiers of a channel's properties, in the order of their sequence numbers. */
export async function channelProperties(db: D1Database, account: number, channelId: number): Promise<string[]> {
  const { accountId, sequenceNumber } = propertyChannels;
  const isSame = and(eq(properties.accountId, accountId), eq(properties.sequenceNumber, sequenceNumber));
  const rows = await drizzle(db)
    .select({ identifier: properties.identifier })
    .from(propertyChannels)
    .innerJoin(properties, isSame)
    .where(has(propertyChannels, { accountId: account, channelId }))
    .orderBy(asc(sequenceNumber));
  return rows.map(({ identifier }) => identifier);
}

/** How many properties were added to a channel or removed, and the identifiers that the account does not have. */
export interface Assigned {
  readonly changed: number;
  readonly unknown: readonly string[];
}

/** Adds properties to a channel, which is created if the account has none with this name, in one transaction. */
export async function addToChannel(
  db: D1Database,
  { accountId, name }: Address,
  identifiers: readonly string[],
): Promise<Assigned> {
  const connection = drizzle(db);
  const assignments = sql`SELECT ${properties.accountId}, ${properties.sequenceNumber}, ${channels.id}, 0
    FROM ${properties} JOIN ${channels} ON ${has(channels, { accountId, name })}
   WHERE ${has(properties, { accountId, identifier: identifiers })}`;
  const [, known, added] = await connection.batch([
    connection.insert(channels).values({ accountId, name }).onConflictDoNothing(),
    selectKnown(db, accountId, identifiers),
    connection
      .insert(propertyChannels)
      .select(assignments)
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
  const { sequenceNumber } = propertyChannels;
  const connection = drizzle(db);
  const numbers = sql`(SELECT ${properties.sequenceNumber} FROM ${properties}
    WHERE ${has(properties, { accountId, identifier: identifiers })})`;
  const isAssigned = and(has(propertyChannels, { accountId, channelId }), inArray(sequenceNumber, numbers));
  const [known, removed] = await connection.batch([
    selectKnown(db, accountId, identifiers),
    connection.delete(propertyChannels).where(isAssigned).returning({ sequenceNumber }),
  ]);
  return { changed: removed.length, unknown: without(identifiers, known) };
}

/** Deletes a channel with its assignments, unless readers have it; returns their names. */
export async function deleteChannel(db: D1Database, accountId: number, channelId: number): Promise<readonly string[]> {
  const { name } = readers;
  const connection = drizzle(db);
  const isUnused = sql`NOT EXISTS (SELECT 1 FROM ${readers} WHERE ${readers.channelId} = ${channelId})`;
  const isChannel = has(channels, { accountId, id: channelId });
  const [used] = await connection.batch([
    connection.select({ name }).from(readers).where(has(readers, { accountId, channelId })).orderBy(asc(name)),
    connection.delete(channels).where(and(isChannel, isUnused)),
  ]);
  return used.map(({ name }) => name);
}

function selectKnown(db: D1Database, accountId: number, identifiers: readonly string[]) {
  const query = drizzle(db).select({ identifier: properties.identifier }).from(properties);
  return query.where(has(properties, { accountId, identifier: identifiers }));
}

function without(identifiers: readonly string[], known: readonly { readonly identifier: string }[]): string[] {
  const found = new Set(known.map(({ identifier }) => identifier));
  return [...new Set(identifiers)].filter((identifier) => !found.has(identifier));
}
