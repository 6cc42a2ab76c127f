import { and, asc, eq, gt, max, type SQL } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { channels, properties } from '../../db/schema.ts';
import { whereEquals } from '../../db/statements.ts';
import type { EpochSeconds } from '../../lib/time/time.ts';
import type { PropertyDocument } from '../documents.ts';
import { PAGE_BYTES } from './part-scope.ts';
import { storedProperty } from './property-rows.ts';

/** Properties per statement. */
const PAGE = 5_000;

const { accountId, number, identifier, bytes } = properties;

/** An account's properties in the order of their numbers, and whether feeds show them, unless their unit is sold. */
export async function* listProperties(db: D1Database, account: number) {
  const { reference: ref, town, listed: isListed } = properties;
  const query = drizzle(db)
    .select({ number, id: identifier, ref, town, isListed })
    .from(properties);
  for (let after: number | undefined = 0; after !== undefined; ) {
    const isNext = and(eq(accountId, account), gt(number, after));
    const page = await query.where(isNext).orderBy(asc(number)).limit(PAGE);
    yield* page;
    after = page[PAGE - 1]?.number;
  }
}

/** The number of the account's last property; 0 without properties. */
export async function lastNumber(db: D1Database, account: number): Promise<number> {
  const query = drizzle(db)
    .select({ last: max(number) })
    .from(properties);
  return (await query.where(eq(accountId, account)))[0]?.last ?? 0;
}

interface PropertyFilter {
  readonly status?: PropertyDocument['status'] | undefined;
  /** Only properties that have changed since this time. */
  readonly changedAfter?: EpochSeconds | undefined;
}

/** As many of these rows, and at least one, as can be read with their documents without too much memory. */
export function onePage<Row extends { readonly bytes?: number }>(
  rows: readonly Row[],
): readonly Row[] {
  let total = 0;
  for (const [index, { bytes = 0 }] of rows.entries()) {
    total += bytes;
    if (total > PAGE_BYTES && index > 0) return rows.slice(0, index);
  }
  return rows;
}

/**
 * Up to `limit` properties of an account after a place, with their places, in the order in which they were created. If there are
 * fewer, since they are large or one was deleted meanwhile, `null` follows, at the place after which the others come.
 */
export async function listStoredProperties(
  db: D1Database,
  account: number,
  { status, changedAfter }: PropertyFilter,
  after: number,
  limit: number,
): Promise<{ readonly place: number; readonly property: PropertyDocument | null }[]> {
  const isWanted = and(
    whereEquals(properties, { accountId: account, ...(status && { status }) }),
    changedAfter === undefined ? undefined : gt(properties.changedAt, changedAfter),
  );
  const rows = await drizzle(db)
    .select({ place: number, bytes })
    .from(properties)
    .where(and(isWanted, gt(number, after)))
    .orderBy(number)
    .limit(limit);
  const page = onePage(rows);
  if (page.length === 0) return [];
  const found = await readNumbered(
    db,
    account,
    page.map(({ place }) => place),
  );
  return found.length < rows.length
    ? [...found, { place: page.at(-1)!.place, property: null }]
    : found;
}

/** The documents of properties with these numbers, in their order. */
async function readNumbered(
  db: D1Database,
  account: number,
  numbers: readonly number[],
  condition?: SQL,
) {
  const { document, pictures, texts, changedAt: changed_at } = properties;
  const rows = await drizzle(db)
    .select({ place: number, identifier, document, pictures, texts, changed_at })
    .from(properties)
    .where(and(whereEquals(properties, { accountId: account, number: numbers }), condition))
    .orderBy(number);
  return rows.map(({ place, ...row }) => ({ place, property: storedProperty(row) }));
}

/** The names of an account's channels. */
export async function listChannelNames(
  db: D1Database,
  account: number,
): Promise<ReadonlySet<string>> {
  const rows = await drizzle(db)
    .select({ name: channels.name })
    .from(channels)
    .where(eq(channels.accountId, account));
  return new Set(rows.map(({ name }) => name));
}
