import { and, count, desc, eq, inArray, or, type SQL, sql } from '#drizzle';
import { drizzle } from '#drizzle/d1';
import { listOf } from '../json-rows.ts';
import { REVISIONS } from '../readers/deliveries.ts';
import { properties, units } from '../schema.ts';

/** What a property is offered for, as in URLs. */
export type Offer = 'sale' | 'long' | 'short' | 'none';

/** In which order properties are listed; the last two are those of feeds. */
export type ListOrder = 'changed' | 'price' | 'reference' | 'added' | 'listed';

interface ListFilter {
  /** What the identifier, the reference, the town or the area contains. */
  readonly search?: string | undefined;
  readonly status?: string | undefined;
  readonly offer?: Offer | undefined;
  readonly town?: string | undefined;
  readonly identifiers?: readonly string[] | undefined;
  readonly numbers?: readonly number[] | undefined;
  readonly order: ListOrder;
}

const { accountId, sequenceNumber, identifier, reference, town, area, pictures } = properties;

const STATUS = sql<string>`iif(${properties.status} = 'Withdrawn' OR ${units.feedStatus} IS NULL, ${properties.status},
  ${units.feedStatus})`;
const PRICE = sql<number | null>`iif(${properties.for_sale}, coalesce(${units.price}, ${properties.sale_price}), NULL)`;
const CHANGED_AT = sql<number>`max(${properties.saleUpdatedAt}, ${properties.rentalUpdatedAt})`;
const ANY_RENT = sql`${properties.monthly_rent}, ${properties.low_season_rent}`;

const OFFERS: Readonly<Record<Offer, SQL>> = {
  sale: sql`${properties.for_sale}`,
  long: sql`${properties.for_long_term}`,
  short: sql`${properties.for_short_term}`,
  none: sql`NOT (${properties.for_sale} OR ${properties.for_long_term} OR ${properties.for_short_term})`,
};

const ORDERS: Readonly<Record<ListOrder, readonly SQL[]>> = {
  changed: [desc(CHANGED_AT), desc(sequenceNumber)],
  price: [sql`coalesce(${PRICE}, ${ANY_RENT}) DESC NULLS LAST`, sql`${sequenceNumber}`],
  reference: [sql`${reference}`, sql`${sequenceNumber}`],
  added: [sql`${sequenceNumber}`],
  listed: [desc(properties.listed_at), desc(sequenceNumber)],
};

/** A property as a list shows it. If it is a unit, it has the unit's status and price, as in feeds. */
const COLUMNS = {
  number: sequenceNumber,
  ...{ identifier, reference, town, area, status: STATUS, salePrice: PRICE, changedAt: CHANGED_AT },
  typeId: properties.typeId,
  listed: sql<0 | 1>`${properties.listed}`,
  rented: properties.rented,
  onWebsites: sql<0 | 1>`${properties.on_own_website} AND ${properties.on_other_websites}`,
  currency: properties.currency,
  forSale: properties.for_sale,
  forLongTerm: properties.for_long_term,
  monthlyRent: properties.monthly_rent,
  forShortTerm: properties.for_short_term,
  lowRent: properties.low_season_rent,
  highRent: properties.high_season_rent,
  beds: properties.beds,
  bath: properties.bath,
  builtArea: properties.built_area,
  plotArea: properties.plot_area,
  picture: sql<
    string | null
  >`iif(instr(${pictures}, char(10)), substr(${pictures}, 1, instr(${pictures}, char(10)) - 1),
    ${pictures})`,
  ...REVISIONS,
};

export type ListedRow = Awaited<ReturnType<typeof listProperties>>['rows'][number];

/** One page of an account's properties, and how many match. */
export async function listProperties(
  db: D1Database,
  account: number,
  filter: ListFilter,
  offset: number,
  limit: number,
) {
  const condition = conditionOf(account, filter);
  const isUnit = eq(units.id, properties.unitId);
  const connection = drizzle(db);
  const page = connection.select(COLUMNS).from(properties).leftJoin(units, isUnit).where(condition);
  const counting = connection.select({ total: count() }).from(properties).leftJoin(units, isUnit).where(condition);
  const [rows, [counted]] = await Promise.all([
    page
      .orderBy(...ORDERS[filter.order])
      .limit(limit)
      .offset(offset),
    counting,
  ]);
  return { rows, total: counted?.total ?? 0 };
}

function conditionOf(account: number, { search = '', status, offer, town: place, ...among }: ListFilter) {
  return and(
    eq(accountId, account),
    search === '' ? undefined : containsText(search),
    status === undefined ? undefined : eq(STATUS, status),
    offer && OFFERS[offer],
    place === undefined ? undefined : eq(town, place),
    among.identifiers && inArray(identifier, listOf(among.identifiers)),
    among.numbers && inArray(sequenceNumber, listOf(among.numbers)),
  );
}

/** Whether the identifier, reference, town or area contains a text, in any case of ASCII letters. */
function containsText(text: string): SQL | undefined {
  // D1 limits patterns of LIKE to 50 bytes.
  const contains = [identifier, reference, town, area].map(
    (column) => sql`instr(lower(${column}), lower(${text})) > 0`,
  );
  return or(...contains);
}
