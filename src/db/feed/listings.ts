import { type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import type { EpochSeconds } from '../../lib/time/time.ts';
import { listOf } from '../json-rows.ts';

/** A property as a list shows it; status and price are those of its unit, where it is one, as in feeds. */
export interface ListedRow {
  readonly number: number;
  readonly identifier: string;
  readonly reference: string;
  readonly typeId: number;
  readonly status: string;
  readonly listed: 0 | 1;
  readonly rented: 0 | 1;
  readonly onWebsites: 0 | 1;
  readonly town: string;
  readonly area: string | null;
  readonly currency: string;
  readonly forSale: 0 | 1;
  readonly salePrice: number | null;
  readonly forLongTerm: 0 | 1;
  readonly monthlyRent: number | null;
  readonly forShortTerm: 0 | 1;
  readonly lowRent: number | null;
  readonly highRent: number | null;
  readonly beds: number;
  readonly bath: number;
  readonly builtArea: number | null;
  readonly plotArea: number | null;
  readonly picture: string | null;
  readonly changedAt: EpochSeconds;
  readonly saleRevision: number;
  readonly rentalRevision: number;
  /** The channels that it is in, by their ids, with their revisions. */
  readonly channels: Readonly<Record<string, number>>;
  /** Where it may not go, a name a line. */
  readonly restrictions: string | null;
}

/** Where a property is for sale or for rent; as in URLs. */
export type Offer = 'sale' | 'long' | 'short' | 'none';

/** In which order properties are listed. */
export type ListOrder = 'changed' | 'price' | 'reference';

export interface ListFilter {
  /** What the identifier, the reference, the town or the area contains. */
  readonly search?: string | undefined;
  readonly status?: string | undefined;
  readonly offer?: Offer | undefined;
  readonly town?: string | undefined;
  /** Only those with these identifiers. */
  readonly identifiers?: readonly string[] | undefined;
  /** Only those with these sequence numbers. */
  readonly numbers?: readonly number[] | undefined;
  readonly order: ListOrder;
}

const STATUS = sql.raw("iif(p.status = 'Withdrawn' OR u.feed_status IS NULL, p.status, u.feed_status)");
const PRICE = sql.raw('iif(p.for_sale, coalesce(u.price, p.sale_price), NULL)');
const CHANGED_AT = sql.raw('max(p.sale_updated_at, p.rental_updated_at)');

const OFFERS: Readonly<Record<Offer, SQL>> = {
  sale: sql.raw('p.for_sale'),
  long: sql.raw('p.for_long_term'),
  short: sql.raw('p.for_short_term'),
  none: sql.raw('NOT (p.for_sale OR p.for_long_term OR p.for_short_term)'),
};

const ORDERS: Readonly<Record<ListOrder, SQL>> = {
  changed: sql`${CHANGED_AT} DESC, p.sequence_number DESC`,
  price: sql`coalesce(${PRICE}, p.monthly_rent, p.low_season_rent) DESC NULLS LAST, p.sequence_number`,
  reference: sql.raw('p.reference, p.sequence_number'),
};

const FROM = sql.raw('properties p LEFT JOIN units u ON u.id = p.unit_id');

/** One page of an account's properties, and how many match. */
export async function listProperties(
  db: D1Database,
  accountId: number,
  filter: ListFilter,
  offset: number,
  limit: number,
): Promise<{ readonly rows: readonly ListedRow[]; readonly total: number }> {
  const condition = conditionOf(accountId, filter);
  const connection = drizzle(db);
  const [found, [counted]] = await Promise.all([
    connection.all<Omit<ListedRow, 'channels'> & { readonly channels: string }>(sql`
      SELECT p.sequence_number AS number, p.identifier, p.reference, p.type_id AS "typeId", ${STATUS} AS status, p.listed,
             p.rented, p.on_own_website AND p.on_other_websites AS "onWebsites", p.town, p.area, p.currency,
             p.for_sale AS "forSale", ${PRICE} AS "salePrice", p.for_long_term AS "forLongTerm",
             p.monthly_rent AS "monthlyRent", p.for_short_term AS "forShortTerm", p.low_season_rent AS "lowRent",
             p.high_season_rent AS "highRent", p.beds, p.bath, p.built_area AS "builtArea", p.plot_area AS "plotArea",
             iif(instr(p.pictures, char(10)), substr(p.pictures, 1, instr(p.pictures, char(10)) - 1), p.pictures) AS picture,
             ${CHANGED_AT} AS "changedAt", p.sale_revision AS "saleRevision", p.rental_revision AS "rentalRevision",
             p.restrictions,
             (SELECT json_group_object(c.channel_id, c.revision) FROM property_channels c
               WHERE c.account_id = p.account_id AND c.sequence_number = p.sequence_number) AS channels
        FROM ${FROM} WHERE ${condition} ORDER BY ${ORDERS[filter.order]} LIMIT ${limit} OFFSET ${offset}`),
    connection.all<{ total: number }>(sql`SELECT count(*) AS total FROM ${FROM} WHERE ${condition}`),
  ]);
  return { rows: found.map((row) => ({ ...row, channels: JSON.parse(row.channels) })), total: counted?.total ?? 0 };
}

function conditionOf(accountId: number, filter: ListFilter): SQL {
  const { search = '', status, offer, town, identifiers, numbers } = filter;
  // D1 limits patterns of LIKE to 50 bytes.
  const columns = ['identifier', 'reference', 'town', 'area'].map((column) => sql.raw(`p.${column}`));
  const contains = columns.map((column) => sql`instr(lower(${column}), lower(${search})) > 0`);
  const parts = [
    sql`p.account_id = ${accountId}`,
    ...(search === '' ? [] : [sql`(${sql.join(contains, sql` OR `)})`]),
    ...(status === undefined ? [] : [sql`${STATUS} = ${status}`]),
    ...(offer === undefined ? [] : [OFFERS[offer]]),
    ...(town === undefined ? [] : [sql`p.town = ${town}`]),
    ...(identifiers === undefined ? [] : [sql`p.identifier IN ${listOf(identifiers)}`]),
    ...(numbers === undefined ? [] : [sql`p.sequence_number IN ${listOf(numbers)}`]),
  ];
  return sql.join(parts, sql` AND `);
}
