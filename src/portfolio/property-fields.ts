/**
 * The fields of a property: one table, from which the columns of the database, the rows of feeds, documents, and the feed's
 * plain nodes derive. Fields with more than one column, value or node are not here: the identifier, type, unit,
 * status, features, texts and times of change.
 *
 * The order is that of the nodes in a feed.
 */
import type { DescribedField, Field, FieldSource } from './field.ts';

/** A source of a node that programs add to Kyero's format. */
function extension(as: FieldSource['as'], kyero: string, resales?: string): FieldSource {
  return { as, kyero: [kyero], extension: true, ...(resales !== undefined && { resales }) };
}

const TEXT = { type: 'text', nullable: true } as const;
const WHOLE = { type: 'integer', nullable: true } as const;
const AMOUNT = { type: 'real', nullable: true } as const;
const FLAG = { type: 'flag', nullable: false } as const;
const PART = { type: 'part', nullable: false } as const;
const PLACE = { group: 'place', versions: [1, 2, 3] } as const;
const FACTS = { group: 'facts', versions: [3] } as const;
const AMENITIES = { group: 'amenities', versions: [1, 2, 3] } as const;

/** By column, with what the defaults of {@link DescribedField} do not say. */
const TABLE = {
  reference: { type: 'text', nullable: false, document: 'ref', source: { as: 'text', kyero: ['ref'] } },
  rented: { ...FLAG, feed: false },
  on_own_website: { ...FLAG, feed: false },
  on_other_websites: { ...FLAG, feed: false },
  restrictions: { type: 'lines', nullable: true, feed: false },
  listed_at: { type: 'time', nullable: false },
  source_changed_at: { type: 'time', nullable: true, feed: false },
  currency: { type: 'text', nullable: false },

  for_sale: { ...PART, document: 'offers.sale' },
  sale_price: { ...AMOUNT, document: 'offers.sale.price' },
  minimum_price: {
    type: 'real',
    nullable: false,
    absent: 0,
    document: 'offers.sale.minimum_price',
    withhold: 'price_minimum',
  },
  for_long_term: { ...PART, document: 'offers.long_term' },
  monthly_rent: { ...AMOUNT, document: 'offers.long_term.rent' },
  for_short_term: { ...PART, document: 'offers.short_term' },
  low_season_rent: { ...AMOUNT, document: 'offers.short_term.low' },
  high_season_rent: { ...AMOUNT, document: 'offers.short_term.high' },
  rental_license: { ...TEXT, document: 'offers.short_term.license', withhold: 'rental_licence' },

  town: { type: 'text', nullable: false, node: PLACE, source: { as: 'text', kyero: ['town'], resales: 'town' } },
  area: { ...TEXT, node: PLACE, source: { as: 'text', kyero: ['location_detail'], resales: 'area' } },
  province: {
    type: 'text',
    nullable: false,
    node: PLACE,
    source: { as: 'text', kyero: ['province'], resales: 'province' },
  },
  country: { ...TEXT, node: PLACE, source: { as: 'text', kyero: ['country'], resales: 'country' } },
  postcode: {
    ...TEXT,
    withhold: 'postcode',
    node: PLACE,
    source: { as: 'text', kyero: ['postcode', 'postal_code'], extension: true, resales: 'postcode' },
  },
  latitude: { type: 'coordinate', nullable: true, document: 'location.latitude', withhold: 'location' },
  longitude: { type: 'coordinate', nullable: true, document: 'location.longitude', withhold: 'location' },
  beds: { type: 'integer', nullable: false },
  bath: { type: 'real', nullable: false },
  built_area: { ...WHOLE, source: { as: 'area', kyero: ['built', 'built_area'] } },
  plot_area: { ...WHOLE, source: { as: 'area', kyero: ['plot', 'plot_area'] } },
  terrace_area: {
    ...WHOLE,
    node: { ...FACTS, name: 'terrace' },
    source: { as: 'area', kyero: ['terrace', 'terrace_area'], extension: true },
  },
  living_area: { ...WHOLE, node: FACTS, source: extension('area', 'living_area', 'living_area') },
  built_year: { ...WHOLE, node: FACTS, source: extension('year', 'built_year', 'built_year') },
  community_fees: { ...AMOUNT, node: FACTS, source: extension('amount', 'community_fees', 'community_fees') },
  garbage_tax: { ...AMOUNT, node: FACTS, source: extension('amount', 'garbage_tax', 'garbage_tax') },
  ibi_fees: { ...AMOUNT, node: FACTS, source: extension('amount', 'ibi_fees', 'ibi_fees') },
  cadastral_ref: {
    ...TEXT,
    withhold: 'cadastral_ref',
    node: FACTS,
    source: {
      as: 'text',
      extension: true,
      resales: 'cadastral_ref',
      kyero: ['catastral', 'cadastralRef', 'cadastral_ref', 'cadastral_reference'],
    },
  },
  has_pool: { ...FLAG, node: AMENITIES, source: { as: 'presence', kyero: ['pool'], resales: 'has_pool' } },
  has_garden: { ...FLAG, node: AMENITIES, source: { as: 'presence', resales: 'has_garden' } },
  has_garage: { ...FLAG, node: AMENITIES, source: { as: 'presence', resales: 'has_garage' } },
  emissions: { type: 'letter', nullable: false },
  consumption: { type: 'letter', nullable: false },
  energy_status: { ...TEXT, feed: false },
  virtual_tour_url: {
    ...TEXT,
    withhold: 'virtual_tour_url',
    source: extension('link', 'virtual_tour_url', 'virtual_tour_url'),
  },
  video_url: { ...TEXT, withhold: 'video_url', source: extension('link', 'video_url', 'video_url') },
  pictures: { type: 'lines', nullable: true },

  new_build: { ...FLAG, feed: false, source: { as: 'flag', kyero: ['new_build'] } },
  leasehold: { ...FLAG, feed: false, source: { as: 'flag', kyero: ['leasehold'] } },
  part_ownership: { ...FLAG, feed: false, source: { as: 'flag', kyero: ['part_ownership'] } },
  prime: { ...FLAG, feed: false, source: extension('flag', 'prime') },
  commission: { ...TEXT, feed: false, withhold: 'commission' },
  address: {
    ...TEXT,
    feed: false,
    withhold: 'address',
    source: { as: 'text', kyero: ['address', 'full_address'], extension: true },
  },
  floor: { ...TEXT, feed: false, withhold: 'floor', source: extension('text', 'floor') },
  email: { ...TEXT, feed: false, withhold: 'email', source: extension('text', 'email') },
  notes: { ...TEXT, feed: false, withhold: 'notes', source: extension('text', 'notes') },
} as const satisfies Record<string, DescribedField>;

/** Part of the form of the documents that show nodes of the table: raise it when the nodes change. */
export const NODES_FORMAT = 0;

type Table = typeof TABLE;

/** A column of the table of fields. */
export type FieldColumn = keyof Table;

/** The fields as the types of rows and documents need them. */
export type Fields = {
  [Column in FieldColumn]: Table[Column] & {
    document: Table[Column] extends { readonly document: infer Path extends string } ? Path : Column;
  };
};

/** The columns that feeds need. */
export type FeedColumn = {
  [Column in FieldColumn]: Table[Column] extends { readonly feed: false } ? never : Column;
}[FieldColumn];

/** The fields with their columns, in their order. */
export const FIELDS = Object.entries<DescribedField>(TABLE).map(([column, { node, ...field }]) => [
  column,
  {
    ...{ document: column, feed: true, ...field },
    ...(node && { node: { name: column, required: field.type === 'text' && !field.nullable, ...node } }),
  },
]) as readonly (readonly [FieldColumn, Field])[];

/** By column. */
export const PROPERTY_FIELDS = Object.fromEntries(FIELDS) as Readonly<Record<FieldColumn, Field>>;

/** The fields that an import reads from one node, as their keys in documents with their sources. */
export const IMPORTED_FIELDS = FIELDS.flatMap(([, { document, source, nullable, node }]) =>
  source === undefined
    ? []
    : [{ key: document as ImportedKey, ...source, nullable, inEveryVersion: node?.versions.length === 3 }],
);

/** Keys of documents that an import reads from one node. */
export type ImportedKey = {
  [Column in FieldColumn]: Table[Column] extends { readonly source: FieldSource } ? Fields[Column]['document'] : never;
}[FieldColumn];
