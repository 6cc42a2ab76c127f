import { type SQL, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { namedRows } from './named-rows.ts';

/** How many sequence numbers of an account are one segment. */
export const SEGMENT_SIZE = 500;

/** Which properties a feed lists, and which of their columns it needs. */
export interface Selection {
  readonly category: 'SALE' | 'RENT' | 'All';
  readonly onWebsites: boolean;
  readonly withoutRented: boolean;
  readonly availableOnly: boolean;
  readonly languages: readonly number[];
}

/** Which of an account's properties a part of a feed has: those of a segment, or of a JSON array of sequence numbers. */
export type PartScope = { readonly segment: number } | { readonly numbers: string };

/** A property that a feed lists, as selected. Amounts are in the property's currency. */
export interface FeedProperty {
  readonly identifier: string;
  readonly reference: string;
  /** When anything last changed that feeds of this category show of it; seconds since 1970-01-01 UTC. */
  readonly updated_at: number;
  readonly listed_at: number;
  readonly status: string;
  readonly currency: string;
  readonly for_sale: 0 | 1;
  readonly for_long_term: 0 | 1;
  readonly for_short_term: 0 | 1;
  readonly sale_price: number | null;
  readonly minimum_price: number | null;
  readonly rent: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly license: string | null;
  readonly type_id: number;
  readonly development_name: string | null;
  readonly unit_name: string | null;
  /** The unit's directions, JSON. */
  readonly directions: string | null;
  readonly town: string;
  readonly area: string | null;
  readonly province: string;
  readonly country: string | null;
  readonly postcode: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly beds: number;
  readonly bath: number;
  readonly built_area: number | null;
  readonly plot_area: number | null;
  readonly terrace_area: number | null;
  readonly living_area: number | null;
  readonly built_year: number | null;
  readonly community_fees: number | null;
  readonly garbage_tax: number | null;
  readonly ibi_fees: number | null;
  readonly cadastral_ref: string | null;
  readonly has_pool: 0 | 1;
  readonly has_garden: 0 | 1;
  readonly has_garage: 0 | 1;
  readonly emissions: string;
  readonly consumption: string;
  readonly virtual_tour_url: string | null;
  readonly video_url: string | null;
  /** Feature ids in the property's order, separated by commas. */
  readonly features: string | null;
  /** Picture URLs in the order of display, separated by line feeds. */
  readonly pictures: string | null;
  /** In the order of the selection's languages. */
  readonly descriptions: readonly (string | null)[];
}

/** The revisions that a statement saw. */
export interface Revisions {
  readonly sale: number;
  readonly rental: number;
}

/** Properties in the feed's order, with the revisions at which they were read: the scope's and the vocabulary's. */
export interface PropertiesRead {
  readonly rows: readonly FeedProperty[];
  readonly revisions: Revisions;
  readonly vocabularyRevision: number;
}

/**
 * Reads the properties of one part of a feed by one statement, which also returns the revisions of the segment (of the
 * account, for sequence numbers): the rows belong to these revisions, whatever is written in the meantime.
 */
export async function readProperties(
  db: D1Database,
  accountId: number,
  scope: PartScope,
  selection: Selection,
): Promise<PropertiesRead> {
  const bySegment = 'segment' in scope;
  const source = bySegment
    ? sql`accounts a JOIN segments g ON g.account_id = a.id AND g.segment = ${scope.segment}`
    : sql`accounts a JOIN accounts g ON g.id = a.id`;
  const within = bySegment
    ? sql`p.sequence_number BETWEEN ${scope.segment * SEGMENT_SIZE + 1} AND ${(scope.segment + 1) * SEGMENT_SIZE}`
    : sql`p.sequence_number IN (SELECT value FROM json_each(${scope.numbers}))`;
  const rows = await drizzle(db).values(sql`
    SELECT ${OWN_COLUMNS}, ${updatedAt(selection)}
           ${sql.join(selection.languages.map(descriptionColumn))}
      FROM ${source}
      LEFT JOIN properties p ON p.account_id = a.id AND ${within} AND ${listed(selection)}
      LEFT JOIN units u ON u.id = p.unit_id
      LEFT JOIN developments d ON d.id = u.development_id
     WHERE a.id = ${accountId}
     ORDER BY ${bySegment ? sql`p.sequence_number` : sql`p.listed_at DESC, p.sequence_number DESC`}`);
  const read = rows.map(rowOf);
  const [first] = read;
  if (first === undefined) throw new Error('The account or its segment no longer exists');
  return {
    rows: first.identifier === null ? [] : read,
    revisions: { sale: first.sale_revision, rental: first.rental_revision },
    vocabularyRevision: first.vocabulary_revision,
  };
}

/**
 * The sequence numbers of all properties that a feed lists, newest listing first, ties by sequence number, newest first;
 * and the account's revisions that this order belongs to.
 */
export async function readListingOrder(
  db: D1Database,
  accountId: number,
  selection: Selection,
): Promise<{ numbers: readonly number[]; revisions: Revisions }> {
  const [row] = await drizzle(db).all<{ numbers: string } & Omit<RevisionColumns, 'vocabulary_revision'>>(sql`
    SELECT a.sale_revision, a.rental_revision, (
      SELECT json_group_array(sequence_number) FROM (
        SELECT p.sequence_number FROM properties p
         WHERE p.account_id = ${accountId} AND ${listed(selection)}
         ORDER BY p.listed_at DESC, p.sequence_number DESC)) AS numbers
      FROM accounts a WHERE a.id = ${accountId}`);
  if (row === undefined) throw new Error('The account no longer exists');
  return { numbers: JSON.parse(row.numbers), revisions: { sale: row.sale_revision, rental: row.rental_revision } };
}

interface RevisionColumns {
  readonly sale_revision: number;
  readonly rental_revision: number;
  readonly vocabulary_revision: number;
}

/** The columns that every selection has, with their expressions. */
const COLUMNS = {
  sale_revision: 'g.sale_revision',
  rental_revision: 'g.rental_revision',
  vocabulary_revision: 'a.vocabulary_revision',
  identifier: 'p.identifier',
  reference: 'p.reference',
  listed_at: 'p.listed_at',
  status: 'coalesce(u.feed_status, p.status)',
  currency: 'p.currency',
  for_sale: 'p.for_sale',
  for_long_term: 'p.for_long_term',
  for_short_term: 'p.for_short_term',
  sale_price: 'iif(p.unit_id IS NULL, p.sale_price, u.price)',
  minimum_price: 'p.minimum_price',
  rent: 'p.monthly_rent',
  low: 'p.low_season_rent',
  high: 'p.high_season_rent',
  license: 'p.rental_license',
  type_id: 'p.type_id',
  development_name: 'd.name',
  unit_name: 'u.name',
  directions: 'u.directions',
  town: 'p.town',
  area: 'p.area',
  province: 'p.province',
  country: 'p.country',
  postcode: 'p.postcode',
  latitude: 'p.latitude',
  longitude: 'p.longitude',
  beds: 'p.beds',
  bath: 'p.bath',
  built_area: 'p.built_area',
  plot_area: 'p.plot_area',
  terrace_area: 'p.terrace_area',
  living_area: 'p.living_area',
  built_year: 'p.built_year',
  community_fees: 'p.community_fees',
  garbage_tax: 'p.garbage_tax',
  ibi_fees: 'p.ibi_fees',
  cadastral_ref: 'p.cadastral_ref',
  has_pool: 'p.has_pool',
  has_garden: 'p.has_garden',
  has_garage: 'p.has_garage',
  emissions: 'p.emissions',
  consumption: 'p.consumption',
  virtual_tour_url: 'p.virtual_tour_url',
  video_url: 'p.video_url',
  features: 'p.features',
  pictures: 'p.pictures',
} as const;

const OWN_COLUMNS = sql.raw(Object.values(COLUMNS).join(', '));

const rowOf = namedRows<FeedProperty & RevisionColumns>(
  [...(Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]), 'updated_at'],
  'descriptions',
);

/** Whether a property `p` is in the feed. The status of its unit takes the place of its own. */
function listed(selection: Selection): SQL {
  const status = sql`coalesce((SELECT feed_status FROM units WHERE id = p.unit_id), p.status)`;
  const offered = {
    SALE: sql`p.for_sale`,
    RENT: sql`p.for_rent`,
    All: sql`(p.for_sale OR p.for_rent)`,
  }[selection.category];
  const conditions = [
    sql`p.listed`,
    selection.availableOnly ? sql`${status} = 'Available'` : sql`${status} <> 'Sold'`,
    offered,
    ...(selection.onWebsites ? [sql`p.on_own_website`, sql`p.on_other_websites`] : []),
    ...(selection.withoutRented ? [sql`NOT p.rented`] : []),
  ];
  return sql.join(conditions, sql` AND `);
}

function updatedAt(selection: Selection): SQL {
  return {
    SALE: sql`p.sale_updated_at`,
    RENT: sql`p.rental_updated_at`,
    All: sql`max(p.sale_updated_at, p.rental_updated_at)`,
  }[selection.category];
}

function descriptionColumn(language: number): SQL {
  return sql`, (SELECT description FROM property_texts WHERE property_id = p.id AND language = ${language})`;
}
