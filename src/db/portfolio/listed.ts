import { and, eq, gt, inArray, max, ne, or, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { EpochSeconds } from '../../lib/time/time.ts';
import { keyOf, type PropertyDocument } from '../../portfolio/documents.ts';
import { listOf } from '../json-rows.ts';
import { channels, properties } from '../schema.ts';
import { readStored } from './read.ts';

/** Properties per statement. */
const PAGE = 5_000;

/** A property of an account, by its identifier. */
interface KnownProperty {
  readonly identifier: string;
  /** Whether feeds show it, unless its unit is sold. */
  readonly isListed: boolean;
}

/** An account's properties, in the order of their sequence numbers. */
export async function* listProperties(db: D1Database, accountId: number): AsyncGenerator<KnownProperty> {
  const { sequenceNumber, identifier, listed } = properties;
  let after = 0;
  for (;;) {
    const page = await drizzle(db)
      .select({ sequenceNumber, identifier, listed })
      .from(properties)
      .where(and(eq(properties.accountId, accountId), gt(sequenceNumber, after)))
      .orderBy(sequenceNumber)
      .limit(PAGE);
    for (const property of page) yield { identifier: property.identifier, isListed: property.listed === 1 };
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.sequenceNumber;
  }
}

/** The sequence number of the account's last property; 0 without properties. */
export async function lastSequenceNumber(db: D1Database, accountId: number): Promise<number> {
  const [row] = await drizzle(db)
    .select({ last: max(properties.sequenceNumber) })
    .from(properties)
    .where(eq(properties.accountId, accountId));
  return row?.last ?? 0;
}

function notWithdrawn(accountId: number, identifiers: readonly string[]) {
  return and(
    eq(properties.accountId, accountId),
    inArray(properties.identifier, listOf(identifiers)),
    ne(properties.status, 'Withdrawn'),
  );
}

/** How many of these properties are not withdrawn. */
export async function countNotWithdrawn(
  db: D1Database,
  accountId: number,
  identifiers: readonly string[],
): Promise<number> {
  return drizzle(db).$count(properties, notWithdrawn(accountId, identifiers));
}

/** The statement that withdraws properties. */
export function withdrawal(db: D1Database, accountId: number, identifiers: readonly string[]): D1PreparedStatement {
  const query = drizzle(db)
    .update(properties)
    .set({ status: 'Withdrawn', version: sql`${properties.version} + 1` })
    .where(notWithdrawn(accountId, identifiers))
    .toSQL();
  return db.prepare(query.sql).bind(...query.params);
}

/** The statement that removes properties for good. */
export function purge(db: D1Database, accountId: number, identifiers: readonly string[]): D1PreparedStatement {
  return db
    .prepare(
      `DELETE FROM properties
        WHERE account_id = ?1 AND identifier IN (SELECT value FROM json_each(?2))`,
    )
    .bind(accountId, JSON.stringify(identifiers));
}

/** Which properties are listed. */
interface PropertyFilter {
  readonly status?: PropertyDocument['status'] | undefined;
  /** Only those of which feeds have shown a change after this time. */
  readonly changedAfter?: EpochSeconds | undefined;
}

/** Up to `limit` properties of an account after a place, with their places, in the order in which they were created. */
export async function listStoredProperties(
  db: D1Database,
  accountId: number,
  { status, changedAfter }: PropertyFilter,
  after: number,
  limit: number,
): Promise<{ readonly place: number; readonly property: PropertyDocument }[]> {
  const { sequenceNumber, identifier, saleUpdatedAt, rentalUpdatedAt } = properties;
  const rows = await drizzle(db)
    .select({ place: sequenceNumber, id: identifier })
    .from(properties)
    .where(
      and(
        eq(properties.accountId, accountId),
        gt(sequenceNumber, after),
        status === undefined ? undefined : eq(properties.status, status),
        changedAfter === undefined ? undefined : or(gt(saleUpdatedAt, changedAfter), gt(rentalUpdatedAt, changedAfter)),
      ),
    )
    .orderBy(sequenceNumber)
    .limit(limit);
  const keys = rows.map(({ id }) => ({ kind: 'property', id }) as PropertyDocument);
  const stored = await readStored(db, accountId, keys);
  return rows.flatMap(({ place, id }) => {
    const property = stored.get(keyOf('property', id)) as PropertyDocument | undefined;
    return property === undefined ? [] : [{ place, property }];
  });
}

/** The names of an account's channels. */
export async function listChannelNames(db: D1Database, accountId: number): Promise<ReadonlySet<string>> {
  const rows = await drizzle(db)
    .select({ name: channels.name })
    .from(channels)
    .where(eq(channels.accountId, accountId));
  return new Set(rows.map(({ name }) => name));
}
