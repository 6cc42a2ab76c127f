import { and, count, eq, inArray, max, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { EpochSeconds } from '../../lib/time/time.ts';
import { accountEvents, properties, propertyTypeLabels, propertyTypes } from '../schema.ts';

/** Properties that agree in what distinguishes them. */
export interface PropertyGroup {
  /** As in feeds: that of its unit comes before its own, unless the property is withdrawn. */
  readonly status: string;
  readonly typeId: number;
  readonly town: string;
  readonly forSale: number;
  readonly forLongTerm: number;
  readonly forShortTerm: number;
  readonly properties: number;
}

/** Counts an account's properties by what distinguishes them. */
export function countProperties(db: D1Database, accountId: number): Promise<PropertyGroup[]> {
  return drizzle(db)
    .select({ ...COUNTED, properties: count() })
    .from(properties)
    .where(eq(properties.accountId, accountId))
    .groupBy(...Object.values(COUNTED));
}

const COUNTED = {
  status: sql<string>`iif(${properties.status} = 'Withdrawn', 'Withdrawn',
    coalesce((SELECT feed_status FROM units WHERE id = ${properties.unitId}), ${properties.status}))`,
  typeId: properties.typeId,
  town: sql<string>`${properties.town}`,
  forSale: sql<number>`${properties.for_sale}`,
  forLongTerm: sql<number>`${properties.for_long_term}`,
  forShortTerm: sql<number>`${properties.for_short_term}`,
};

/**
 * The names of an account's types by their ids.
 *
 * @param language of the names; English where there is none
 */
export async function readTypeNames(
  db: D1Database,
  accountId: number,
  language: number,
): Promise<ReadonlyMap<number, string>> {
  const { id } = propertyTypes;
  const { typeId, type, subtype } = propertyTypeLabels;
  const labels = await drizzle(db)
    .select({ id, code: propertyTypes.code, language: propertyTypeLabels.language, type, subtype })
    .from(propertyTypes)
    .leftJoin(propertyTypeLabels, and(eq(typeId, id), inArray(propertyTypeLabels.language, [1, language])))
    .where(eq(propertyTypes.accountId, accountId));
  return new Map(
    labels
      .toSorted((a, b) => Number(a.language === language) - Number(b.language === language))
      .map((label) => [label.id, label.subtype ?? label.type ?? label.code]),
  );
}

/** When a reader was last overdue or an import last failed; `null` if neither is known. */
export async function lastTrouble(db: D1Database, accountId: number): Promise<EpochSeconds | null> {
  const found = await drizzle(db)
    .select({ at: max(accountEvents.happenedAt) })
    .from(accountEvents)
    .where(
      and(eq(accountEvents.accountId, accountId), inArray(accountEvents.type, ['reader.overdue', 'import.failed'])),
    )
    .get();
  return found?.at ?? null;
}
