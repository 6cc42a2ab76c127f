import { and, eq, gt, inArray, ne, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { properties } from '../schema.ts';

/** Properties per statement. */
const PAGE = 5_000;

const { id, accountId, sequenceNumber, identifier, status, listed } = properties;

/** The identifiers of an account's listed properties, in the order of their sequence numbers. */
export async function* listListed(db: D1Database, account: number): AsyncGenerator<string> {
  let after = 0;
  for (;;) {
    const page = await drizzle(db)
      .select({ sequenceNumber, identifier })
      .from(properties)
      .where(and(eq(accountId, account), gt(sequenceNumber, after), eq(listed, 1)))
      .orderBy(sequenceNumber)
      .limit(PAGE);
    for (const property of page) yield property.identifier;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.sequenceNumber;
  }
}

/** Withdraws properties, in several transactions; returns how many were not withdrawn before. */
export async function withdraw(db: D1Database, account: number, identifiers: readonly string[]): Promise<number> {
  let withdrawn = 0;
  for (let start = 0; start < identifiers.length; start += PAGE) {
    const page = JSON.stringify(identifiers.slice(start, start + PAGE));
    const changed = await drizzle(db)
      .update(properties)
      .set({ status: 'Withdrawn' })
      .where(
        and(
          eq(accountId, account),
          inArray(identifier, sql`(SELECT value FROM json_each(${page}))`),
          ne(status, 'Withdrawn'),
        ),
      )
      .returning({ id });
    withdrawn += changed.length;
  }
  return withdrawn;
}
