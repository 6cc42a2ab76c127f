import { and, desc, eq, gte, sql } from '#drizzle';
import { drizzle } from '#drizzle/d1';
import type { EpochSeconds } from '../../lib/time/time.ts';
import { activity, developments, properties, propertyHistory, unitHistory, units } from '../schema.ts';
import { SIDES } from '../units/units.ts';

/** Maximum seconds between a change and the entry of the person who made it. */
const SAME_SECONDS = 5;

/** Records what somebody did in the console. */
export async function recordActivity(
  db: D1Database,
  accountId: number,
  entry: { readonly person: string; readonly action: string; readonly subject: string },
): Promise<void> {
  await drizzle(db)
    .insert(activity)
    .values({ accountId, ...entry });
}

/** What was done last, newest first. */
export function listActivity(db: D1Database, account: number, limit: number) {
  const { accountId, id, happenedAt, person, action, subject } = activity;
  const query = drizzle(db).select({ id, happenedAt, person, action, subject }).from(activity);
  return query.where(eq(accountId, account)).orderBy(desc(id)).limit(limit);
}

/** A change of a property's status or of one of its prices, and the person who made it in the console. */
export type PropertyChange = Awaited<ReturnType<typeof listPropertyChanges>>[number];

/** The last changes of an account's properties, or of one of them, newest first. */
export async function listPropertyChanges(
  db: D1Database,
  accountId: number,
  identifier: string | null,
  since: EpochSeconds,
  limit: number,
) {
  const { field, before, after, changedAt } = propertyHistory;
  const { reference, town, currency } = properties;
  return drizzle(db)
    .select({
      ...{ identifier: properties.identifier, reference, town, currency, field, before, after, changedAt },
      person: sql<string | null>`(
        SELECT a.person FROM activity a
         WHERE a.account_id = ${accountId} AND a.action = 'property.changed' AND a.subject = ${properties.identifier}
           AND abs(a.happened_at - ${changedAt}) <= ${SAME_SECONDS} LIMIT 1)`,
    })
    .from(propertyHistory)
    .innerJoin(properties, eq(properties.id, propertyHistory.propertyId))
    .where(
      and(
        eq(propertyHistory.accountId, accountId),
        gte(changedAt, since),
        identifier === null ? undefined : eq(properties.identifier, identifier),
      ),
    )
    .orderBy(desc(propertyHistory.id))
    .limit(limit);
}

/** The last changes of the units of an account, of one of its developments, or of a property, newest first. */
export function listUnitChanges(
  db: D1Database,
  accountId: number,
  development: string | null,
  identifier: string | null,
  since: EpochSeconds,
  limit: number,
) {
  const { changedAt, clientId } = unitHistory;
  const changed = sql`(SELECT u.id FROM units u WHERE u.account_id = ${accountId} AND u.changed_at >= ${since}
      AND (${development} IS NULL OR u.development_id IN (
        SELECT d.id FROM developments d WHERE d.account_id = ${accountId} AND d.identifier = ${development}))
      AND (${identifier} IS NULL OR u.id IN (
        SELECT p.unit_id FROM properties p WHERE p.account_id = ${accountId} AND p.identifier = ${identifier}))
    ORDER BY u.changed_at DESC LIMIT ${limit})`;
  return drizzle(db)
    .select({
      development: developments.identifier,
      developmentName: sql<string>`${developments.name}`.as('development_name'),
      name: units.name,
      identifier: sql<string | null>`${properties.identifier}`,
      currency: properties.currency,
      ...{ changedAt, clientId, ...SIDES },
    })
    .from(unitHistory)
    .innerJoin(units, eq(units.id, unitHistory.unitId))
    .innerJoin(developments, eq(developments.id, units.developmentId))
    .leftJoin(properties, eq(properties.unitId, units.id))
    .where(and(eq(unitHistory.accountId, accountId), sql`${unitHistory.unitId} IN ${changed}`, gte(changedAt, since)))
    .orderBy(desc(unitHistory.id))
    .limit(limit);
}
