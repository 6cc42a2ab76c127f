import { and, eq, type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { listOf } from '../json-rows.ts';
import { properties } from '../schema.ts';
import { containsText } from './listings.ts';

const { accountId, sequenceNumber, identifier } = properties;

/**
 * The sequence numbers of an account's properties whose identifier, reference, town or area contains a text, in any case of
 * ASCII letters.
 */
export async function findProperties(db: D1Database, account: number, text: string): Promise<ReadonlySet<number>> {
  const rows = await select(db, account, containsText(text));
  return new Set(rows.map((row) => row.sequenceNumber));
}

/** The sequence number of the property with an identifier, if an account has it. */
export async function findProperty(db: D1Database, account: number, id: string): Promise<ReadonlySet<number>> {
  const rows = await select(db, account, eq(identifier, id));
  return new Set(rows.map((row) => row.sequenceNumber));
}

/** The identifiers of an account's properties, by their sequence numbers. */
export async function readIdentifiers(db: D1Database, account: number, numbers: readonly number[]) {
  const rows = await select(db, account, sql`${sequenceNumber} IN ${listOf(numbers)}`);
  return new Map(rows.map((row) => [row.sequenceNumber, row.identifier]));
}

function select(db: D1Database, account: number, condition: SQL | undefined) {
  return drizzle(db)
    .select({ sequenceNumber, identifier })
    .from(properties)
    .where(and(eq(accountId, account), condition));
}
