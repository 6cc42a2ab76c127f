import { and, count, desc, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { listOf } from '../../db/json-rows.ts';
import { properties, units } from '../../db/schema.ts';
import { whereEquals } from '../../db/statements.ts';
import type { PropertyDocument } from '../documents.ts';
import { type StoredDocument, storedFields } from './property-rows.ts';

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
  readonly type?: string | undefined;
  readonly identifiers?: readonly string[] | undefined;
  readonly numbers?: readonly number[] | undefined;
  readonly order: ListOrder;
}

const { accountId, number, identifier, reference, town, area, rent } = properties;

const STATUS = sql<PropertyDocument['status']>`
  iif(${properties.status} = 'Withdrawn', 'Withdrawn', coalesce(${units.feedStatus}, ${properties.status}))`;
const PRICE = sql<number | null>`
  iif(${properties.forSale}, coalesce(${units.price}, ${properties.salePrice}), NULL)`;

const OFFERS: Readonly<Record<Offer, SQL>> = {
  sale: sql`${properties.forSale}`,
  long: sql`${properties.forLongTerm}`,
  short: sql`${properties.forShortTerm}`,
  none: sql`NOT (${properties.forSale} OR ${properties.forLongTerm} OR ${properties.forShortTerm})`,
};

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
  town,
  area,
  status: STATUS,
  salePrice: PRICE,
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

/** A property in a list. If it is a unit, it has the unit's status and price, as in feeds. */
export interface ListedRow
  extends Readonly<
    Pick<typeof properties.$inferSelect, Exclude<keyof typeof COLUMNS, 'status' | 'salePrice'>>
  > {
  readonly status: PropertyDocument['status'];
  readonly salePrice: number | null;
}

interface ListedPage {
  readonly rows: readonly ListedRow[];
  /** How many properties match. */
  readonly total: number;
}

/** One page of an account's properties, and how many match. */
export async function listProperties(
  db: D1Database,
  account: number,
  filter: ListFilter,
  offset: number,
  limit: number,
): Promise<ListedPage> {
  const condition = conditionOf(account, filter);
  const isUnit = eq(units.id, properties.unitId);
  const connection = drizzle(db);
  const page = connection.select(COLUMNS).from(properties).leftJoin(units, isUnit).where(condition);
  const counting = connection
    .select({ total: count() })
    .from(properties)
    .leftJoin(units, isUnit)
    .where(condition);
  const [rows, [counted]] = await Promise.all([
    page
      .orderBy(...ORDERS[filter.order])
      .limit(limit)
      .offset(offset),
    counting,
  ]);
  return { rows, total: counted?.total ?? 0 };
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

function conditionOf(
  account: number,
  { search = '', status, offer, town: place, type, ...among }: ListFilter,
): SQL | undefined {
  return and(
    eq(accountId, account),
    search === '' ? undefined : containsText(search),
    status === undefined ? undefined : eq(STATUS, status),
    offer && OFFERS[offer],
    place === undefined ? undefined : eq(town, place),
    type === undefined ? undefined : eq(properties.type, type),
    among.identifiers && inArray(identifier, listOf(among.identifiers)),
    among.numbers && inArray(number, listOf(among.numbers)),
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
