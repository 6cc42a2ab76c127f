import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { Actor } from '../accounts/actor.ts';
import { channels, properties, readers } from '../db/schema.ts';
import { type Address, remove, selectOne, whereEquals } from '../db/statements.ts';
import { documentKey, type PropertyDocument } from '../properties/documents.ts';
import { onePage } from '../properties/store/listed.ts';
import { type Merge, writePortfolio } from '../properties/store/write.ts';

/** A channel as lists show it. */
export interface ListedChannel {
  readonly name: string;
  /** How many properties it has. */
  readonly properties: number;
}

/** Up to `limit` channels of an account after a name, in the order of their names. */
export function listChannels(
  db: D1Database,
  accountId: number,
  after: string | null,
  limit: number,
): Promise<ListedChannel[]> {
  return drizzle(db).all<ListedChannel>(sql`
    WITH assigned AS MATERIALIZED (
      SELECT e.value AS name, count(*) AS properties FROM properties p, json_each(p.channels) e
       WHERE p.account_id = ${accountId} GROUP BY e.value)
    SELECT c.name, ifnull(a.properties, 0) AS properties FROM channels c LEFT JOIN assigned a ON a.name = c.name
     WHERE c.account_id = ${accountId} AND c.name > ${after ?? ''} ORDER BY c.name LIMIT ${limit}`);
}

/** The id of a channel; `null` if the account has none with this name. */
export async function findChannelId(
  db: D1Database,
  { accountId, name }: Address,
): Promise<number | null> {
  return (await selectOne(db, channels, ['id'], { accountId, name }))?.id ?? null;
}

/** The identifiers of a channel's properties, in the order of their numbers. */
export async function channelProperties(
  db: D1Database,
  accountId: number,
  channelId: number,
): Promise<string[]> {
  const name = await nameOf(db, accountId, channelId);
  return name === null
    ? []
    : (await propertiesOf(db, { accountId, name })).map(({ identifier }) => identifier);
}

/** How many properties were added to a channel or removed, and the identifiers that the account does not have. */
export interface Assigned {
  readonly changed: number;
  readonly unknown: readonly string[];
}

/** Adds properties to a channel, which is created if the account has none with this name. */
export async function addToChannel(
  db: D1Database,
  address: Address,
  identifiers: readonly string[],
  actor: Actor,
): Promise<Assigned> {
  await drizzle(db).insert(channels).values(address).onConflictDoNothing();
  return assign(
    db,
    address,
    identifiers,
    (names) => [...new Set([...names, address.name])].sort(),
    actor,
  );
}

/** Removes properties from a channel. */
export async function removeFromChannel(
  db: D1Database,
  accountId: number,
  channelId: number,
  identifiers: readonly string[],
  actor: Actor,
): Promise<Assigned> {
  const name = (await nameOf(db, accountId, channelId)) ?? '';
  return assign(
    db,
    { accountId, name },
    identifiers,
    (names) => names.filter((other) => other !== name),
    actor,
  );
}

/** Deletes a channel, which its properties leave before, unless readers have it; returns their names. */
export async function deleteChannel(
  db: D1Database,
  accountId: number,
  channelId: number,
  actor: Actor,
): Promise<readonly string[]> {
  for (;;) {
    const used = await readersOf(db, accountId, channelId);
    const name = await nameOf(db, accountId, channelId);
    if (used.length > 0 || name === null) return used;
    const assigned = (await propertiesOf(db, { accountId, name })).map(
      ({ identifier }) => identifier,
    );
    await removeFromChannel(db, accountId, channelId, assigned, actor);
    // Meanwhile, a reader may have got it, or a property.
    const isUnused = sql`NOT EXISTS (SELECT 1 FROM ${readers} WHERE ${whereEquals(readers, { accountId, channelId })})
      AND NOT EXISTS (SELECT 1 FROM ${properties} WHERE ${hasChannel({ accountId, name })})`;
    if (await remove(db, channels, { accountId, id: channelId }, isUnused)) return [];
  }
}

async function readersOf(db: D1Database, accountId: number, channelId: number): Promise<string[]> {
  const query = drizzle(db).select({ name: readers.name }).from(readers);
  const rows = await query
    .where(whereEquals(readers, { accountId, channelId }))
    .orderBy(asc(readers.name));
  return rows.map(({ name }) => name);
}

async function nameOf(
  db: D1Database,
  accountId: number,
  channelId: number,
): Promise<string | null> {
  return (await selectOne(db, channels, ['name'], { accountId, id: channelId }))?.name ?? null;
}

/** What is read of a property before its document. */
interface Found {
  readonly identifier: string;
  readonly bytes: number;
}

const { identifier, bytes } = properties;

/** Whether a property is in a channel. */
function hasChannel({ accountId, name }: Address) {
  return and(
    eq(properties.accountId, accountId),
    sql`instr(${properties.channels}, json_quote(${name}))`,
  );
}

function propertiesOf(db: D1Database, channel: Address): Promise<Found[]> {
  return findProperties(db, hasChannel(channel));
}

function findProperties(db: D1Database, condition: SQL | undefined): Promise<Found[]> {
  const query = drizzle(db).select({ identifier, bytes }).from(properties);
  return query.where(condition).orderBy(asc(properties.number)).all();
}

/** Properties whose documents are written at once. */
const PAGE = 200;

/** Changes the names of the channels of properties. */
async function assign(
  db: D1Database,
  { accountId }: Address,
  identifiers: readonly string[],
  change: (channels: readonly string[]) => string[],
  actor: Actor,
): Promise<Assigned> {
  const known = await findProperties(
    db,
    whereEquals(properties, { accountId, identifier: identifiers }),
  );
  let changed = 0;
  for (let rest: readonly Found[] = known; rest.length > 0; ) {
    const page = onePage(rest.slice(0, PAGE));
    rest = rest.slice(page.length);
    changed += await writePage(db, accountId, page, change, actor);
  }
  const found = new Set(known.map((property) => property.identifier));
  return { changed, unknown: [...new Set(identifiers)].filter((id) => !found.has(id)) };
}

async function writePage(
  db: D1Database,
  accountId: number,
  page: readonly Found[],
  change: (channels: readonly string[]) => string[],
  actor: Actor,
): Promise<number> {
  const placeholders = page.map(({ identifier: id }) => {
    return {
      kind: 'property',
      id,
      type: '',
      features: [],
      unit: null,
    } as unknown as PropertyDocument;
  });
  const merge: Merge = (placeholder, stored) => {
    const property = stored.get(documentKey(placeholder)) as PropertyDocument | undefined;
    return property && { ...property, channels: change(property.channels ?? []) };
  };
  const { changed } = await writePortfolio(db, accountId, placeholders, { actor, merge });
  return changed.length;
}
