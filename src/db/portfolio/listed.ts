import { and, eq, gt, inArray, max, ne, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { properties } from '../schema.ts';

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
    inArray(properties.identifier, sql`(SELECT value FROM json_each(${JSON.stringify(identifiers)}))`),
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
