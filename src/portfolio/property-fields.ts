/**
 * The fields of a property: one table, from which the columns of the database, the rows of feeds, documents, and the feed's
 * plain nodes derive. Fields with more than one column, value or node are not here: the identifier, type, unit,
 * status, features, texts and times of change.
 *
 * The order is that of the nodes in a feed.
 */
import type { Field, FieldSource } from './field.ts';

const ALL = [1, 2, 3] as const;

/** By column. */
export const PROPERTY_FIELDS = {
  reference: { type: 'text', nullable: false, document: 'ref', feed: true, source: { as: 'text', kyero: ['ref'] } },
  rented: { type: 'flag', nullable: false, document: 'rented', feed: false },
  on_own_website: { type: 'flag', nullable: false, document: 'on_own_website', feed: false },
  on_other_websites: { type: 'flag', nullable: false, document: 'on_other_websites', feed: false },
  listed_at: { type: 'time', nullable: false, document: 'listed_at', feed: true },
  source_changed_at: { type: 'time', nullable: true, document: 'source_changed_at', feed: false },
  currency: { type: 'text', nullable: false, document: 'currency', feed: true },

  for_sale: { type: 'part', nullable: false, document: 'offers.sale', feed: true },
  sale_price: { type: 'real', nullable: true, document: 'offers.sale.price', feed: true },
  minimum_price: {
    type: 'real',
    nullable: false,
    document: 'offers.sale.minimum_price',
    absent: 0,
    feed: true,
    withhold: 'price_minimum',
  },
  for_long_term: { type: 'part', nullable: false, document: 'offers.long_term', feed: true },
  monthly_rent: { type: 'real', nullable: true, document: 'offers.long_term.rent', feed: true },
  for_short_term: { type: 'part', nullable: false, document: 'offers.short_term', feed: true },
  low_season_rent: { type: 'real', nullable: true, document: 'offers.short_term.low', feed: true },
  high_season_rent: { type: 'real', nullable: true, document: 'offers.short_term.high', feed: true },
  rental_license: {
    type: 'text',
    nullable: true,
    document: 'offers.short_term.license',
    feed: true,
    withhold: 'rental_licence',
  },

  town: {
    type: 'text',
    nullable: false,
    document: 'town',
    feed: true,
    node: { name: 'town', group: 'place', versions: ALL, required: true },
    source: { as: 'text', kyero: ['town'], resales: 'town' },
  },
  area: {
    type: 'text',
    nullable: true,
    document: 'area',
    feed: true,
    node: { name: 'area', group: 'place', versions: ALL },
    source: { as: 'text', kyero: ['location_detail'], resales: 'area' },
  },
  province: {
    type: 'text',
    nullable: false,
    document: 'province',
    feed: true,
    node: { name: 'province', group: 'place', versions: ALL, required: true },
    source: { as: 'text', kyero: ['province'], resales: 'province' },
  },
  country: {
    type: 'text',
    nullable: true,
    document: 'country',
    feed: true,
    node: { name: 'country', group: 'place', versions: ALL },
    source: { as: 'text', kyero: ['country'], resales: 'country' },
  },
  postcode: {
    type: 'text',
    nullable: true,
    document: 'postcode',
    feed: true,
    withhold: 'postcode',
    node: { name: 'postcode', group: 'place', versions: ALL },
    source: { as: 'text', kyero: ['postcode', 'postal_code'], extension: true, resales: 'postcode' },
  },
  latitude: { type: 'coordinate', nullable: true, document: 'location.latitude', feed: true, withhold: 'location' },
  longitude: { type: 'coordinate', nullable: true, document: 'location.longitude', feed: true, withhold: 'location' },
  beds: { type: 'integer', nullable: false, document: 'beds', feed: true },
  bath: { type: 'real', nullable: false, document: 'bath', feed: true },
  built_area: {
    type: 'integer',
    nullable: true,
    document: 'built_area',
    feed: true,
    source: { as: 'area', kyero: ['built', 'built_area'] },
  },
  plot_area: {
    type: 'integer',
    nullable: true,
    document: 'plot_area',
    feed: true,
    source: { as: 'area', kyero: ['plot', 'plot_area'] },
  },
  terrace_area: {
    type: 'integer',
    nullable: true,
    document: 'terrace_area',
    feed: true,
    node: { name: 'terrace', group: 'facts', versions: [3] },
    source: { as: 'area', kyero: ['terrace', 'terrace_area'], extension: true },
  },
  living_area: {
    type: 'integer',
    nullable: true,
    document: 'living_area',
    feed: true,
    node: { name: 'living_area', group: 'facts', versions: [3] },
    source: { as: 'area', kyero: ['living_area'], extension: true, resales: 'living_area' },
  },
  built_year: {
    type: 'integer',
    nullable: true,
    document: 'built_year',
    feed: true,
    node: { name: 'built_year', group: 'facts', versions: [3] },
    source: { as: 'year', kyero: ['built_year'], extension: true, resales: 'built_year' },
  },
  community_fees: {
    type: 'real',
    nullable: true,
    document: 'community_fees',
    feed: true,
    node: { name: 'community_fees', group: 'facts', versions: [3] },
    source: { as: 'amount', kyero: ['community_fees'], extension: true, resales: 'community_fees' },
  },
  garbage_tax: {
    type: 'real',
    nullable: true,
    document: 'garbage_tax',
    feed: true,
    node: { name: 'garbage_tax', group: 'facts', versions: [3] },
    source: { as: 'amount', kyero: ['garbage_tax'], extension: true, resales: 'garbage_tax' },
  },
  ibi_fees: {
    type: 'real',
    nullable: true,
    document: 'ibi_fees',
    feed: true,
    node: { name: 'ibi_fees', group: 'facts', versions: [3] },
    source: { as: 'amount', kyero: ['ibi_fees'], extension: true, resales: 'ibi_fees' },
  },
  cadastral_ref: {
    type: 'text',
    nullable: true,
    document: 'cadastral_ref',
    feed: true,
    withhold: 'cadastral_ref',
    node: { name: 'cadastral_ref', group: 'facts', versions: [3] },
    source: {
      as: 'text',
      kyero: ['catastral', 'cadastralRef', 'cadastral_ref', 'cadastral_reference'],
      extension: true,
      resales: 'cadastral_ref',
    },
  },
  has_pool: {
    type: 'flag',
    nullable: false,
    document: 'has_pool',
    feed: true,
    node: { name: 'has_pool', group: 'amenities', versions: ALL },
    source: { as: 'presence', kyero: ['pool'], resales: 'has_pool' },
  },
  has_garden: {
    type: 'flag',
    nullable: false,
    document: 'has_garden',
    feed: true,
    node: { name: 'has_garden', group: 'amenities', versions: ALL },
    source: { as: 'presence', resales: 'has_garden' },
  },
  has_garage: {
    type: 'flag',
    nullable: false,
    document: 'has_garage',
    feed: true,
    node: { name: 'has_garage', group: 'amenities', versions: ALL },
    source: { as: 'presence', resales: 'has_garage' },
  },
  emissions: { type: 'letter', nullable: false, document: 'emissions', feed: true },
  consumption: { type: 'letter', nullable: false, document: 'consumption', feed: true },
  energy_status: { type: 'text', nullable: true, document: 'energy_status', feed: false },
  virtual_tour_url: {
    type: 'text',
    nullable: true,
    document: 'virtual_tour_url',
    feed: true,
    withhold: 'virtual_tour_url',
    source: { as: 'link', kyero: ['virtual_tour_url'], extension: true, resales: 'virtual_tour_url' },
  },
  video_url: {
    type: 'text',
    nullable: true,
    document: 'video_url',
    feed: true,
    withhold: 'video_url',
    source: { as: 'link', kyero: ['video_url'], extension: true, resales: 'video_url' },
  },
  pictures: { type: 'lines', nullable: true, document: 'pictures', feed: true },

  new_build: {
    type: 'flag',
    nullable: false,
    document: 'new_build',
    feed: false,
    source: { as: 'flag', kyero: ['new_build'] },
  },
  leasehold: {
    type: 'flag',
    nullable: false,
    document: 'leasehold',
    feed: false,
    source: { as: 'flag', kyero: ['leasehold'] },
  },
  part_ownership: {
    type: 'flag',
    nullable: false,
    document: 'part_ownership',
    feed: false,
    source: { as: 'flag', kyero: ['part_ownership'] },
  },
  prime: {
    type: 'flag',
    nullable: false,
    document: 'prime',
    feed: false,
    source: { as: 'flag', kyero: ['prime'], extension: true },
  },
  commission: { type: 'text', nullable: true, document: 'commission', feed: false, withhold: 'commission' },
  address: {
    type: 'text',
    nullable: true,
    document: 'address',
    feed: false,
    withhold: 'address',
    source: { as: 'text', kyero: ['address', 'full_address'], extension: true },
  },
  floor: {
    type: 'text',
    nullable: true,
    document: 'floor',
    feed: false,
    withhold: 'floor',
    source: { as: 'text', kyero: ['floor'], extension: true },
  },
  email: {
    type: 'text',
    nullable: true,
    document: 'email',
    feed: false,
    withhold: 'email',
    source: { as: 'text', kyero: ['email'], extension: true },
  },
  notes: {
    type: 'text',
    nullable: true,
    document: 'notes',
    feed: false,
    withhold: 'notes',
    source: { as: 'text', kyero: ['notes'], extension: true },
  },
} as const satisfies Record<string, Field>;

export type Fields = typeof PROPERTY_FIELDS;

/** A column of the table of fields. */
export type FieldColumn = keyof Fields;

/** The columns that feeds need. */
export type FeedColumn = { [Column in FieldColumn]: Fields[Column]['feed'] extends true ? Column : never }[FieldColumn];

/** The fields with their columns, in their order. */
export const FIELDS = Object.entries(PROPERTY_FIELDS) as readonly (readonly [FieldColumn, Field])[];

/** The fields that an import reads from one node, as their keys in documents with their sources. */
export const IMPORTED_FIELDS = FIELDS.flatMap(([, { document, source, nullable, node }]) =>
  source === undefined
    ? []
    : [{ key: document as ImportedKey, ...source, nullable, inEveryVersion: node?.versions.length === ALL.length }],
);

/** Keys of documents that an import reads from one node. */
export type ImportedKey = {
  [Column in FieldColumn]: Fields[Column] extends { readonly source: FieldSource } ? Fields[Column]['document'] : never;
}[FieldColumn];
