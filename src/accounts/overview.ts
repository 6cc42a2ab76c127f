import { and, eq, gt, gte, inArray, max, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { listOf } from '../db/json-rows.ts';
import {
  accountEvents,
  pictureChecks,
  priceJumps,
  properties,
  reportSettings,
} from '../db/schema.ts';
import type { EpochSeconds } from '../lib/time/time.ts';
import { ACCOUNT_EVENTS } from './events.ts';

const TROUBLE = Object.entries(ACCOUNT_EVENTS).flatMap(([type, { isTrouble }]) =>
  isTrouble ? [type] : [],
);

/** When something was last wrong, such as an import that failed; `null` if nothing is known. */
export async function lastTrouble(db: D1Database, account: number): Promise<EpochSeconds | null> {
  const { accountId, type, happenedAt } = accountEvents;
  const isTrouble = and(eq(accountId, account), inArray(type, TROUBLE));
  const [found] = await drizzle(db)
    .select({ at: max(happenedAt) })
    .from(accountEvents)
    .where(isTrouble);
  return found?.at ?? null;
}

/** A picture that nobody can fetch. */
export interface Unavailable {
  readonly address: string;
  /** The status of the last answer; 0 if there was none. */
  readonly status: number;
  readonly since: EpochSeconds;
}

const { address, failures, failingSince } = pictureChecks;

const UNAVAILABLE = {
  address,
  status: sql<number>`${pictureChecks.status}`,
  since: sql<EpochSeconds>`${failingSince}`,
};

/**
 * Whether a picture counts as one that nobody can fetch: it has failed in three checks, between which there is most of a day. The
 * index has those with any failure.
 */
const IS_UNAVAILABLE = and(gt(failures, sql`0`), gte(failures, 3));

/** Pictures that nobody can fetch of which reports know, at most. */
const MOST_UNAVAILABLE = 5_000;

/** The pictures that nobody can fetch among those at these addresses, which one property has. */
export async function findUnavailable(
  db: D1Database,
  accountId: number,
  addresses: readonly string[],
): Promise<Unavailable[]> {
  return drizzle(db)
    .select(UNAVAILABLE)
    .from(pictureChecks)
    .where(
      and(
        eq(pictureChecks.accountId, accountId),
        IS_UNAVAILABLE,
        sql`${address} IN ${listOf(addresses)}`,
      ),
    );
}

/**
 * What the reports on an account depend on: the portals that it has chosen, the codes of the rules that it has muted, its listed
 * properties whose price has changed by a factor of three or more, and its pictures that nobody can fetch.
 */
export async function readReportState(db: D1Database, accountId: number) {
  const connection = drizzle(db);
  const { before, after, changedAt } = priceJumps;
  const [[settings], jumps, unavailable] = await connection.batch([
    connection.select().from(reportSettings).where(eq(reportSettings.accountId, accountId)),
    connection
      .select({ property: properties.identifier, before, after, changedAt })
      .from(priceJumps)
      .innerJoin(properties, eq(properties.id, priceJumps.propertyId))
      .where(and(eq(priceJumps.accountId, accountId), eq(properties.listed, 1))),
    connection
      .select(UNAVAILABLE)
      .from(pictureChecks)
      .where(and(eq(pictureChecks.accountId, accountId), IS_UNAVAILABLE))
      .orderBy(pictureChecks.address)
      .limit(MOST_UNAVAILABLE),
  ]);
  return { portals: settings?.portals ?? [], muted: settings?.muted ?? [], jumps, unavailable };
}

/** Stores what an account has chosen for its reports. */
export async function writeReportSettings(
  db: D1Database,
  accountId: number,
  set: Pick<typeof reportSettings.$inferSelect, 'portals' | 'muted'>,
): Promise<void> {
  const insertion = drizzle(db)
    .insert(reportSettings)
    .values({ accountId, ...set });
  await insertion.onConflictDoUpdate({ target: reportSettings.accountId, set });
}
