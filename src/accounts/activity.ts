import { and, desc, eq, gte, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import {
  activity,
  type Detail,
  developments,
  properties,
  propertyHistory,
  unitHistory,
  units,
} from '../db/schema.ts';
import type { EpochSeconds } from '../lib/time/time.ts';
import { HISTORY_COLUMNS, type UnitValues } from '../units/units.ts';

/** What somebody did. */
export interface Activity {
  /** The name of a person; empty for the account's password. */
  readonly person: string;
  readonly action: string;
  readonly subject: string;
  readonly details?: readonly Detail[] | null;
}

/** Characters of a value in the log, and the most fields that an entry has. */
const MAX_VALUE = 200;
const MAX_DETAILS = 500;

/** Records what somebody did in the console. */
export async function recordActivity(
  db: D1Database,
  accountId: number,
  { details, ...entry }: Activity,
): Promise<void> {
  const shortened = (value: string | null) =>
    value !== null && value.length > MAX_VALUE ? `${value.slice(0, MAX_VALUE)}…` : value;
  const kept = details
    ?.slice(0, MAX_DETAILS)
    .map(([field, before, after]): Detail => [field, shortened(before), shortened(after)]);
  await drizzle(db)
    .insert(activity)
    .values({ accountId, ...entry, details: kept?.length ? kept : null });
}

/** Which entries of the log are wanted. */
export interface ActivityFilter {
  /** The name of a person; empty for the account's password. */
  readonly person?: string | undefined;
  /** From this time on, and before the other. */
  readonly from?: EpochSeconds | undefined;
  readonly to?: EpochSeconds | undefined;
  /** Those that were written before the entry with this id. */
  readonly before?: number | undefined;
}

/** An entry of the log. */
export interface ListedActivity extends Activity {
  readonly id: number;
  readonly happenedAt: EpochSeconds;
}

/** What was done last, newest first. */
export function listActivity(
  db: D1Database,
  account: number,
  limit: number,
  { person: by, from, to, before }: ActivityFilter = {},
): Promise<ListedActivity[]> {
  const { accountId, id, happenedAt, person, action, subject, details } = activity;
  const columns = { id, happenedAt, person, action, subject, details };
  const isWanted = and(
    eq(accountId, account),
    by === undefined ? undefined : eq(person, by),
    from === undefined ? undefined : gte(happenedAt, from),
    to === undefined ? undefined : lt(happenedAt, to),
    before === undefined ? undefined : lt(id, before),
  );
  const query = drizzle(db).select(columns).from(activity);
  return query.where(isWanted).orderBy(desc(id)).limit(limit);
}

/** Who has done something, by name. */
export async function listActors(db: D1Database, account: number): Promise<string[]> {
  const { accountId, person } = activity;
  const query = drizzle(db).selectDistinct({ person }).from(activity);
  return (await query.where(eq(accountId, account)).orderBy(person)).map((row) => row.person);
}

/** The field of an entry of the log that names the batch of a change of several properties. */
export const BATCH_FIELD = 'batch';

const PORTAL_FIELD = 'portal:';

/** That a portal is to get a property, or is not, as a detail of an entry of the log that is about that property or about several. */
export function switchDetail(portal: string, isOn: boolean, identifier = ''): Detail {
  const [before, after] = isOn ? (['off', 'on'] as const) : (['on', 'off'] as const);
  return [`${PORTAL_FIELD}${portal} ${identifier}`.trim(), before, after];
}

/** Where a property was put into what a portal gets, or taken out of it. */
export interface Switch {
  readonly portal: string;
  /** Empty for the subject of the entry. */
  readonly identifier: string;
  readonly isOn: boolean;
}

/** What a detail of the log says of a portal; `null` if it is about something else. */
export function switchIn([field, , after]: Detail): Switch | null {
  if (!field.startsWith(PORTAL_FIELD)) return null;
  const [portal = '', ...identifier] = field.slice(PORTAL_FIELD.length).split(' ');
  return { portal, identifier: identifier.join(' '), isOn: after === 'on' };
}

/** How the field of a property begins that was changed together with others: its identifier follows. */
export const LISTING_FIELD = 'listing:';

/** Entries of the log that are read to know who has moved a property's switches. */
const MAX_SWITCHES = 100;

/** Who has put a property into what a portal gets, or taken it out, and when. */
export interface Switched {
  readonly person: string;
  readonly at: EpochSeconds;
  readonly isOn: boolean;
}

/** Who has last put a property into what portals get, or taken it out, by the names of the portals. */
export async function lastSwitches(
  db: D1Database,
  account: number,
  identifier: string,
): Promise<ReadonlyMap<string, Switched>> {
  const { accountId, id, happenedAt: at, person, subject, details } = activity;
  const named = JSON.stringify(` ${identifier}`).slice(1);
  const isSwitch = sql`${details} IS NOT NULL AND instr(${details}, ${`["${PORTAL_FIELD}`})
    AND (${subject} = ${identifier} OR instr(${details}, ${named}))`;
  const rows = await drizzle(db)
    .select({ at, person, subject, details })
    .from(activity)
    .where(and(eq(accountId, account), isSwitch))
    .orderBy(desc(id))
    .limit(MAX_SWITCHES);
  const all = rows.toReversed().flatMap(({ details, subject, ...by }) =>
    (details ?? []).flatMap((detail): [string, Switched][] => {
      const moved = switchIn(detail);
      if (moved === null || (moved.identifier || subject) !== identifier) return [];
      return [[moved.portal, { ...by, isOn: moved.isOn }]];
    }),
  );
  return new Map(all);
}

/** The facts whose changes are listed, by where they are in a document. */
const LISTED_FACTS = {
  status: '$.status',
  sale_price: '$.offers.sale.price',
  monthly_rent: '$.offers.long_term.rent',
  low_season_rent: '$.offers.short_term.low',
  high_season_rent: '$.offers.short_term.high',
} as const;

type ListedFact = keyof typeof LISTED_FACTS;
type FactValue = string | number | null;

const FACT_NAMES = Object.keys(LISTED_FACTS) as ListedFact[];
const FACT_PATHS = sql.raw(
  Object.values(LISTED_FACTS)
    .map((path) => `'${path}'`)
    .join(', '),
);

/** The values of {@link LISTED_FACTS} in a document, as a JSON array. */
function factsIn(document: SQLWrapper): SQL<readonly FactValue[]> {
  return sql`json_extract(${document}, ${FACT_PATHS})`.mapWith(JSON.parse);
}

/** A change of a property's status or of one of its prices. */
export interface PropertyChange {
  readonly identifier: string;
  /** The number of the change before it. */
  readonly change: number;
  readonly reference: string;
  readonly town: string;
  readonly currency: string;
  readonly changedAt: EpochSeconds;
  /** Who made it, as `actorText` has it. */
  readonly actor: string;
  readonly field: ListedFact;
  /** `null` for a price on request. */
  readonly before: FactValue;
  readonly after: FactValue;
}

/** The last changes of an account's properties, or of one of them, newest first. */
export async function listPropertyChanges(
  db: D1Database,
  account: number,
  identifier: string | null,
  since: EpochSeconds,
  limit: number,
): Promise<PropertyChange[]> {
  const { propertyId, changedAt, actor } = propertyHistory;
  const { id, reference, town, document } = properties;
  // An index has the properties that were changed last.
  const lastChanged = sql`
    SELECT p.id FROM properties p
     WHERE p.account_id = ${account} AND p.change > 0
       AND EXISTS (SELECT 1 FROM property_history h WHERE h.property_id = p.id AND h.changed_at >= ${since})
     ORDER BY p.change DESC LIMIT ${limit}`;
  const one = sql`SELECT p.id FROM properties p WHERE p.account_id = ${account} AND p.identifier = ${identifier}`;
  const changed = identifier === null ? lastChanged : one;
  const rows = await drizzle(db)
    .select({
      property: id,
      identifier: properties.identifier,
      change: propertyHistory.change,
      reference,
      town,
      changedAt,
      actor,
      currency: sql<string>`${document} ->> '$.currency'`,
      before: factsIn(propertyHistory.document),
      now: factsIn(document),
    })
    .from(propertyHistory)
    .innerJoin(properties, eq(id, propertyId))
    .where(and(sql`${propertyId} IN (${changed})`, gte(changedAt, since)))
    .orderBy(desc(changedAt), desc(propertyHistory.change))
    .limit(limit);
  // What a change has made of a property is what it was before the next change, or what it is now.
  const later = new Map<number, readonly FactValue[]>();
  return rows.flatMap(({ property, before, now, ...change }) => {
    const after = later.get(property) ?? now;
    later.set(property, before);
    return FACT_NAMES.flatMap((field, index): PropertyChange[] => {
      const from = before[index] ?? null;
      const to = after[index] ?? null;
      return from === to ? [] : [{ ...change, field, before: from, after: to }];
    });
  });
}

/** A change of a unit, with its development, and the property that it is, if it is one. */
export interface UnitChange {
  /** The identifier of its development. */
  readonly development: string;
  readonly developmentName: string;
  readonly name: string;
  /** That of its property, if it has one, and the currency of that. */
  readonly identifier: string | null;
  readonly currency: string | null;
  /** The unit's version with it. */
  readonly version: number;
  /** Who made it, as `actorText` has it. */
  readonly actor: string;
  readonly changedAt: EpochSeconds;
  readonly from: UnitValues;
  readonly to: UnitValues;
}

/** The last changes of the units of an account, of one of its developments, or of a property, newest first. */
export function listUnitChanges(
  db: D1Database,
  account: number,
  development: string | null,
  identifier: string | null,
  since: EpochSeconds,
  limit: number,
): Promise<UnitChange[]> {
  const { changedAt, actor } = unitHistory;
  const changed = sql`(SELECT u.id FROM units u
     WHERE u.account_id = ${account} AND u.change > 0 AND u.changed_at >= ${since}
       AND (${development} IS NULL OR u.development_id IN (
         SELECT d.id FROM developments d WHERE d.account_id = ${account} AND d.identifier = ${development}))
       AND (${identifier} IS NULL OR u.id IN (
         SELECT p.unit_id FROM properties p WHERE p.account_id = ${account} AND p.identifier = ${identifier}))
     ORDER BY u.change DESC LIMIT ${limit})`;
  return drizzle(db)
    .select({
      development: developments.identifier,
      developmentName: sql<string>`${developments.name}`.as('development_name'),
      name: units.name,
      identifier: sql<string | null>`${properties.identifier}`,
      currency: sql<string | null>`${properties.document} ->> '$.currency'`,
      version: unitHistory.version,
      actor,
      changedAt,
      ...HISTORY_COLUMNS,
    })
    .from(unitHistory)
    .innerJoin(units, eq(units.id, unitHistory.unitId))
    .innerJoin(developments, eq(developments.id, units.developmentId))
    .leftJoin(properties, eq(properties.unitId, units.id))
    .where(
      and(
        eq(unitHistory.accountId, account),
        sql`${unitHistory.unitId} IN ${changed}`,
        gte(changedAt, since),
      ),
    )
    .orderBy(desc(changedAt), desc(unitHistory.version))
    .limit(limit);
}
