import { and, count, desc, eq, gt, inArray, max, sql, sum } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { developments, properties, propertyTypeLabels, propertyTypes, snapshots, units } from './schema.ts';
import { SNAPSHOT_LIFETIME_SECONDS } from './snapshots.ts';

/** What an account has, in one consistent state. */
export type Overview = Awaited<ReturnType<typeof readOverview>>;

/** Entries of each list. */
const MAX_ENTRIES = 10;

/**
 * Counts an account's properties by what distinguishes them, and lists its recently changed properties and units and its
 * cached feeds. It reads each property once to count, and once to sort by time.
 *
 * @param formats of the feeds, as in the names of snapshots
 * @param language of the names of types; English where there is none
 */
export async function readOverview(db: D1Database, accountId: number, formats: readonly string[], language: number) {
  const connection = drizzle(db);
  const [groups, labels, changedProperties, changedUnits, cached] = await connection.batch([
    connection
      .select({ ...COUNTED, properties: count() })
      .from(properties)
      .where(eq(properties.accountId, accountId))
      .groupBy(...Object.values(COUNTED)),
    connection
      .select({ typeId: propertyTypes.id, language: propertyTypeLabels.language, ...TYPE_LABEL })
      .from(propertyTypes)
      .innerJoin(propertyTypeLabels, eq(propertyTypeLabels.typeId, propertyTypes.id))
      .where(and(eq(propertyTypes.accountId, accountId), inArray(propertyTypeLabels.language, [1, language]))),
    connection
      .select({ identifier: properties.identifier, ...PLACED, changedAt: CHANGED_AT })
      .from(properties)
      .where(eq(properties.accountId, accountId))
      .orderBy(desc(CHANGED_AT), desc(properties.sequenceNumber))
      .limit(MAX_ENTRIES),
    connection
      .select({
        development: developments.identifier,
        name: units.name,
        status: units.status,
        price: units.price,
        changedAt: units.changedAt,
      })
      .from(units)
      .innerJoin(developments, eq(developments.id, units.developmentId))
      .where(eq(units.accountId, accountId))
      .orderBy(desc(units.changedAt), desc(units.id))
      .limit(MAX_ENTRIES),
    connection
      .select({
        format: snapshots.format,
        parameters: snapshots.parameters,
        parts: count(),
        bytes: sum(snapshots.bytes).mapWith(Number),
        lastUsedAt: max(snapshots.lastUsedAt).mapWith(Number),
      })
      .from(snapshots)
      .where(
        and(
          eq(snapshots.accountId, accountId),
          inArray(snapshots.format, [...formats]),
          gt(snapshots.cachedAt, sql`unixepoch() - ${SNAPSHOT_LIFETIME_SECONDS}`),
        ),
      )
      .groupBy(snapshots.format, snapshots.parameters)
      .orderBy(desc(max(snapshots.lastUsedAt)), snapshots.parameters)
      .limit(MAX_ENTRIES),
  ]);
  const typeNames = new Map(
    labels
      .toSorted((a, b) => Number(a.language === language) - Number(b.language === language))
      .map(({ typeId: id, type, subtype }) => [id, subtype ?? type]),
  );
  return { groups, typeNames, changedProperties, changedUnits, cached };
}

/** When a property last changed in feeds for sale or for rent. */
const CHANGED_AT = sql<number>`max(${properties.saleUpdatedAt}, ${properties.rentalUpdatedAt})`;

const PLACED = { reference: sql<string>`${properties.reference}`, town: sql<string>`${properties.town}` };

const COUNTED = {
  // As in feeds: that of its unit comes before its own, unless the property is withdrawn.
  status: sql<string>`iif(${properties.status} = 'Withdrawn', 'Withdrawn',
    coalesce((SELECT feed_status FROM units WHERE id = ${properties.unitId}), ${properties.status}))`,
  typeId: properties.typeId,
  town: sql<string>`${properties.town}`,
  forSale: sql<number>`${properties.for_sale}`,
  forLongTerm: sql<number>`${properties.for_long_term}`,
  forShortTerm: sql<number>`${properties.for_short_term}`,
};

const TYPE_LABEL = { type: propertyTypeLabels.type, subtype: propertyTypeLabels.subtype };
