import { drizzle } from 'drizzle-orm/d1';
import { properties } from '../../db/schema.ts';
import { whereEquals } from '../../db/statements.ts';
import type { PropertyDocument } from '../documents.ts';
import { onePage } from './listed.ts';
import { readStored } from './read.ts';

/** Properties that are read and written at a time, at most. */
const PAGE = 200;

/** The first of some properties, with their documents. */
interface PropertyPage {
  /** Their identifiers, also of those that the account does not have: the next page begins after. */
  readonly identifiers: readonly string[];
  readonly documents: readonly PropertyDocument[];
}

/**
 * Reads the first of some properties of an account, to be changed: as many as fit into memory with
 * their documents.
 */
export async function readPage(
  db: D1Database,
  accountId: number,
  identifiers: readonly string[],
): Promise<PropertyPage> {
  const first = identifiers.slice(0, PAGE);
  const { identifier, bytes } = properties;
  const rows = await drizzle(db)
    .select({ identifier, bytes })
    .from(properties)
    .where(whereEquals(properties, { accountId, identifier: first }));
  const sizes = new Map(rows.map((row) => [row.identifier, row.bytes]));
  const page = onePage(first.map((id) => ({ kind: 'property', id, bytes: sizes.get(id) ?? 0 })));
  const stored = await readStored(db, accountId, page as unknown as PropertyDocument[]);
  return {
    identifiers: page.map(({ id }) => id),
    documents: [...stored.values()] as PropertyDocument[],
  };
}
