import { and, eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { priceJumps, properties, reportSettings } from '../schema.ts';

/** What the reports on an account depend on; one round trip. */
export async function readReportState(db: D1Database, accountId: number) {
  const connection = drizzle(db);
  const { before, after, changedAt } = priceJumps;
  const [[settings], jumps] = await connection.batch([
    connection.select().from(reportSettings).where(eq(reportSettings.accountId, accountId)),
    connection
      .select({ property: properties.identifier, before, after, changedAt })
      .from(priceJumps)
      .innerJoin(properties, eq(properties.id, priceJumps.propertyId))
      .where(and(eq(priceJumps.accountId, accountId), eq(properties.listed, 1))),
  ]);
  return {
    /** The portals that the account has chosen. */
    portals: settings?.portals ?? [],
    /** The codes of the rules that it has muted. */
    muted: settings?.muted ?? [],
    /** The listed properties whose price has changed by a factor of three or more. */
    jumps,
  };
}

type Settings = Pick<typeof reportSettings.$inferSelect, 'portals' | 'muted'>;

/** Stores what an account has chosen for its reports. */
export async function writeReportSettings(db: D1Database, accountId: number, { portals, muted }: Settings) {
  const set = { portals, muted };
  const insertion = drizzle(db)
    .insert(reportSettings)
    .values({ accountId, ...set });
  await insertion.onConflictDoUpdate({ target: reportSettings.accountId, set });
}
