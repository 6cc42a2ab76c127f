import { and, asc, eq, gt, max, ne, or, sql } from '#drizzle';
import { drizzle } from '#drizzle/d1';
import type { EpochSeconds } from '../../lib/time/time.ts';
import { keyOf, type PropertyDocument } from '../../portfolio/documents.ts';
import { PAGE_BYTES } from '../feed/part-scope.ts';
import { channels, properties } from '../schema.ts';
import { has, statementOf } from '../statements.ts';
import { readStored } from './read.ts';

/** Properties per statement. */
const PAGE = 5_000;

const { accountId, sequenceNumber, identifier, reference, town, listed, status, version } = properties;

/** An account's properties in the order of their sequence numbers, and whether feeds show them, unless their unit is sold. */
export async function* listProperties(db: D1Database, account: number) {
  const query = drizzle(db)
    .select({ sequenceNumber, id: identifier, ref: reference, town, isListed: listed })
    .from(properties);
  for (let after: number | undefined = 0; after !== undefined; ) {
    const isNext = and(eq(accountId, account), gt(sequenceNumber, after));
    const page = await query.where(isNext).orderBy(asc(sequenceNumber)).limit(PAGE);
    yield* page;
    after = page[PAGE - 1]?.sequenceNumber;
  }
}

/** The sequence number of the account's last property; 0 without properties. */
export async function lastSequenceNumber(db: D1Database, account: number): Promise<number> {
  const query = drizzle(db)
    .select({ last: max(sequenceNumber) })
    .from(properties);
  return (await query.where(eq(accountId, account)))[0]?.last ?? 0;
}

function notWithdrawn(account: number, identifiers: readonly string[]) {
  return and(has(properties, { accountId: account, identifier: identifiers }), ne(status, 'Withdrawn'));
}

/** How many of these properties are not withdrawn. */
export function countNotWithdrawn(db: D1Database, account: number, identifiers: readonly string[]): Promise<number> {
  return drizzle(db).$count(properties, notWithdrawn(account, identifiers));
}

/** The statement that withdraws properties. */
export function withdrawal(db: D1Database, account: number, identifiers: readonly string[]): D1PreparedStatement {
  const update = drizzle(db)
    .update(properties)
    .set({ status: 'Withdrawn', version: sql`${version} + 1` });
  return statementOf(db, update.where(notWithdrawn(account, identifiers)));
}

/** The statement that removes properties for good. */
export function purge(db: D1Database, account: number, identifiers: readonly string[]): D1PreparedStatement {
  const deletion = drizzle(db).delete(properties);
  return statementOf(db, deletion.where(has(properties, { accountId: account, identifier: identifiers })));
}

interface PropertyFilter {
  readonly status?: PropertyDocument['status'] | undefined;
  /** Only properties that have changed since this time, as feeds show them. */
  readonly changedAfter?: EpochSeconds | undefined;
}

/**
 * Stored bytes of the texts and pictures of a property, in SQL.
 *
 * @param p its table in the statement
 */
export function bytesOf(p: 'p' | 'x' | 'properties'): string {
  return `ifnull(octet_length(${p}.pictures), 0) + ifnull((
    SELECT sum(octet_length(description)) FROM property_texts WHERE id BETWEEN ${p}.id * 128 AND ${p}.id * 128 + 127), 0)`;
}

/** As many of these rows, and at least one, as can be read with their documents without too much memory. */
export function onePage<Row extends { readonly bytes?: number }>(rows: readonly Row[]): readonly Row[] {
  let total = 0;
  for (const [index, { bytes = 0 }] of rows.entries()) {
    total += bytes;
    if (total > PAGE_BYTES && index > 0) return rows.slice(0, index);
  }
  return rows;
}

/**
 * Up to `limit` properties of an account after a place, with their places, in the order in which they were created. If there are
 * fewer, since their texts are long or one was deleted meanwhile, `null` follows, at the place after which the others come.
 */
export async function listStoredProperties(
  db: D1Database,
  account: number,
  filter: PropertyFilter,
  after: number,
  limit: number,
): Promise<{ readonly place: number; readonly property: PropertyDocument | null }[]> {
  const { saleUpdatedAt: sale, rentalUpdatedAt: rental } = properties;
  const time = filter.changedAfter;
  const rows = await drizzle(db)
    .select({ place: sequenceNumber, id: identifier, bytes: sql<number>`${sql.raw(bytesOf('properties'))}` })
    .from(properties)
    .where(
      and(
        has(properties, { accountId: account, ...(filter.status && { status: filter.status }) }),
        gt(sequenceNumber, after),
        time === undefined ? undefined : or(gt(sale, time), gt(rental, time)),
      ),
    )
    .orderBy(sequenceNumber)
    .limit(limit);
  const page = onePage(rows);
  const keys = page.map(({ id }) => ({ kind: 'property', id }) as PropertyDocument);
  const stored = await readStored(db, account, keys);
  const found = page.flatMap(({ place, id }) => {
    const property = stored.get(keyOf('property', id)) as PropertyDocument | undefined;
    return property === undefined ? [] : [{ place, property }];
  });
  return found.length < rows.length ? [...found, { place: page.at(-1)!.place, property: null }] : found;
}

/** The names of an account's channels. */
export async function listChannelNames(db: D1Database, account: number): Promise<ReadonlySet<string>> {
  const rows = await drizzle(db).select({ name: channels.name }).from(channels).where(eq(channels.accountId, account));
  return new Set(rows.map(({ name }) => name));
}
