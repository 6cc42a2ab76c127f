import { and, eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { priceJumps, properties, reportSettings } from '../schema.ts';

/** A listed property whose price has changed by a factor of three or more, and when; seconds since 1970-01-01 UTC. */
export interface PriceJump {
  readonly property: string;
  readonly before: number;
  readonly after: number;
  readonly changedAt: number;
}

/** What a report takes from the database apart from the properties themselves. */
export interface ReportState {
  /** The portals that the account has chosen. */
  readonly portals: readonly string[];
  /** The codes of the rules that it has muted. */
  readonly muted: readonly string[];
  readonly jumps: readonly PriceJump[];
}

/** What the reports on an account depend on; one round trip. */
export async function readReportState(db: D1Database, accountId: number): Promise<ReportState> {
  const connection = drizzle(db);
  const { before, after, changedAt } = priceJumps;
  const [settings, jumps] = await connection.batch([
    connection.select().from(reportSettings).where(eq(reportSettings.accountId, accountId)),
    connection
      .select({ property: properties.identifier, before, after, changedAt })
      .from(priceJumps)
      .innerJoin(properties, eq(properties.id, priceJumps.propertyId))
      .where(and(eq(priceJumps.accountId, accountId), eq(properties.listed, 1))),
  ]);
  return { portals: settings[0]?.portals ?? [], muted: settings[0]?.muted ?? [], jumps };
}

/** Stores what an account has chosen for its reports. */
export async function writeReportSettings(
  db: D1Database,
  accountId: number,
  { portals, muted }: Pick<ReportState, 'portals' | 'muted'>,
): Promise<void> {
  const values = { portals, muted };
  await drizzle(db)
    .insert(reportSettings)
    .values({ accountId, ...values })
    .onConflictDoUpdate({ target: reportSettings.accountId, set: values });
}
