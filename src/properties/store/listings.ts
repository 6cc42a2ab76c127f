import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { listOf } from '../../db/json-rows.ts';
import { properties, propertySearch, units } from '../../db/schema.ts';
import { statementOf, whereEquals } from '../../db/statements.ts';
import type { PropertyDocument } from '../documents.ts';
import { type StoredDocument, storedFields } from './property-rows.ts';
import { searchCondition } from './search.ts';

/** In which order properties are listed; the last two are those of feeds. */
export type ListOrder = 'changed' | 'price' | 'reference' | 'added' | 'listed';

export interface ListFilter {
  /** Words that all of them have, as `searchCondition` has it. */
  readonly search?: string | undefined;
  readonly identifiers?: readonly string[] | undefined;
  readonly numbers?: readonly number[] | undefined;
  /** The one that is this unit. */
  readonly unit?: Readonly<Record<'development' | 'name', string>> | undefined;
  readonly order: ListOrder;
  /** The most that are wanted; all of them by default. */
  readonly limit?: number;
  /** Whether the rows have what rules of selections look at, too. */
  readonly forRules?: boolean;
}

const { accountId, number, identifier, reference, rent } = properties;

const STATUS = sql<PropertyDocument['status']>`
  iif(${properties.status} = 'Withdrawn', 'Withdrawn', coalesce(${units.feedStatus}, ${properties.status}))`;
const PRICE = sql<number | null>`
  iif(${properties.forSale}, coalesce(${units.price}, ${properties.salePrice}), NULL)`;

const ORDERS: Readonly<Record<ListOrder, readonly SQL[]>> = {
  changed: [desc(properties.changedAt), desc(number)],
  price: [sql`coalesce(${PRICE}, ${rent}) DESC NULLS LAST`, sql`${number}`],
  reference: [sql`${reference}`, sql`${number}`],
  added: [sql`${number}`],
  listed: [desc(properties.listedAt), desc(number)],
};

/** Only columns that precede the documents: SQLite then reads no page of a document, however many properties it looks at. */
const COLUMNS = {
  number,
  identifier,
  reference,
  town: properties.town,
  area: properties.area,
  beds: sql<number>`ifnull(${propertySearch.beds}, 0)`,
  status: STATUS,
  salePrice: PRICE,
  rent,
  type: properties.type,
  rented: properties.rented,
  onWebsites: properties.onWebsites,
  forSale: properties.forSale,
  forLongTerm: properties.forLongTerm,
  forShortTerm: properties.forShortTerm,
  channels: properties.channels,
  restrictions: properties.restrictions,
  change: properties.change,
  changedAt: properties.changedAt,
};

const { monthlyRent, weeklyRent, features, photographs } = properties;

/** What only rules of selections look at. SQLite reads the documents for these. */
const OF_RULES = { monthlyRent, weeklyRent, features, photographs };

/** Instead of {@link OF_RULES}, where no rule looks. */
const WITHOUT_RULES = {
  monthlyRent: sql`NULL`,
  weeklyRent: sql`NULL`,
  features: sql`'[]'`,
  photographs: sql`0`,
};

const NAMES = Object.keys({ ...COLUMNS, ...OF_RULES });

/** A property in a list. If it is a unit, it has the unit's status and price, as in feeds. */
export interface ListedRow
  extends Readonly<
    Pick<
      typeof properties.$inferSelect,
      Exclude<keyof typeof COLUMNS, 'status' | 'salePrice' | 'beds'> | keyof typeof OF_RULES
    >
  > {
  readonly beds: number;
  readonly status: PropertyDocument['status'];
  readonly salePrice: number | null;
}

/** The properties of an account that match, in an order. */
export async function listProperties(
  db: D1Database,
  account: number,
  { search = '', identifiers, numbers, unit, order, limit, forRules }: ListFilter,
): Promise<ListedRow[]> {
  const found = and(
    eq(accountId, account),
    await searchCondition(db, account, search),
    identifiers && inArray(identifier, listOf(identifiers)),
    numbers && inArray(number, listOf(numbers)),
    unit &&
      sql`${properties.unitId} IN (SELECT u.id FROM units u JOIN developments d ON d.id = u.development_id
        WHERE d.account_id = ${account} AND d.identifier = ${unit.development} AND u.name = ${unit.name})`,
  );
  const query = drizzle(db)
    .select({ ...COLUMNS, ...(forRules ? OF_RULES : WITHOUT_RULES) })
    .from(properties)
    .leftJoin(propertySearch, eq(propertySearch.propertyId, properties.id))
    .leftJoin(units, eq(units.id, properties.unitId))
    .where(found)
    .orderBy(...ORDERS[order])
    // Negative: all.
    .limit(limit ?? -1);
  // Drizzle takes longer to map ten thousand rows than the database to find them.
  const rows = await statementOf(db, query).raw<(string | number | null)[]>();
  return rows.map((values) => {
    const row = Object.fromEntries(NAMES.map((name, index) => [name, values[index]]));
    const { channels, restrictions, features } = row;
    return {
      ...row,
      channels: namesIn(channels),
      restrictions: namesIn(restrictions),
      features: namesIn(features),
    };
  }) as unknown as ListedRow[];
}

/** Most properties are in no channel and have no restriction. */
const NO_NAMES: readonly string[] = [];

function namesIn(json: unknown): readonly string[] {
  return json === '[]' ? NO_NAMES : JSON.parse(String(json));
}

/** What a page of a list shows of a property's document. */
export interface ListedFacts {
  readonly document: Pick<
    StoredDocument,
    'currency' | 'offers' | 'beds' | 'bath' | 'built_area' | 'plot_area'
  >;
  /** The address of its first picture. */
  readonly picture: string | null;
}

/** The rows of a page with what it shows of their documents; without those that were deleted meanwhile. */
export async function withFacts(
  db: D1Database,
  account: number,
  rows: readonly ListedRow[],
): Promise<(ListedRow & ListedFacts)[]> {
  const picture = sql<string | null>`coalesce(
    ${properties.pictures} ->> '$[0].url', ${properties.pictures} ->> '$[0]')`;
  const found = await drizzle(db)
    .select({ number, document: properties.document, picture })
    .from(properties)
    .where(whereEquals(properties, { accountId: account, number: rows.map((row) => row.number) }));
  const byNumber = new Map(found.map((one) => [one.number, one]));
  return rows.flatMap((row) => {
    const one = byNumber.get(row.number);
    return one ? [{ ...row, document: storedFields(one.document), picture: one.picture }] : [];
  });
}
