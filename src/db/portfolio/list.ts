import { and, eq, gt, or } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { EpochSeconds } from '../../lib/time.ts';
import { keyOf, type PropertyDocument } from '../../portfolio/documents.ts';
import { properties } from '../schema.ts';
import { readStored } from './read.ts';

/** Which properties are listed. */
interface PropertyFilter {
  readonly status?: PropertyDocument['status'] | undefined;
  /** Only those of which feeds have shown a change after this time. */
  readonly changedAfter?: EpochSeconds | undefined;
}

/** A property with its place in the list. */
export interface ListedProperty {
  readonly place: number;
  readonly property: PropertyDocument;
}

/** Up to `limit` properties of an account after a place, in the order in which they were created. */
export async function listStoredProperties(
  db: D1Database,
  accountId: number,
  { status, changedAfter }: PropertyFilter,
  after: number,
  limit: number,
): Promise<ListedProperty[]> {
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
