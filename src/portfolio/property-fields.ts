/**
 * The fields of a property: one table, from which the columns of the database, the rows of feeds, documents, and the feed's
 * plain nodes derive. Fields with more than one column, value or node are not here: the identifier, type, unit,
 * status, features, texts and times of change.
 *
 * The order is that of the nodes in a feed.
 */

/**
 * How a field is stored, and what a document has: `flag` is 0 or 1 for a boolean; `time` is seconds since 1970-01-01 UTC
 * for an ISO 8601 text; `lines` is a text with one line per entry of a list; `part` is 0 or 1 for whether the document has
 * a part, whose fields follow. A `coordinate` is a real number of a part that the document has if it is not NULL.
 */
export type FieldType = 'text' | 'letter' | 'integer' | 'real' | 'coordinate' | 'flag' | 'time' | 'lines' | 'part';

/** A group of nodes that follow each other in a record. */
export type NodeGroup = 'place' | 'facts' | 'amenities';

export interface Field {
  readonly type: FieldType;
  readonly nullable: boolean;
  /** Its place in a document: a key, or a path such as `offers.sale.price`. */
  readonly document: string;
  /** What the column holds if the document lacks the part that the field belongs to; `null` if nothing is given. */
  readonly absent?: number;
  /** Whether a feed needs the column. */
  readonly feed: boolean;
  /** The node that shows the unchanged value. */
  readonly node?: FieldNode;
}

export interface FieldNode {
  readonly name: string;
  readonly group: NodeGroup;
  readonly versions: readonly (1 | 2 | 3)[];
  /** Whether the node is present even if XML can represent no character of its text. */
  readonly required?: true;
}

const ALL = [1, 2, 3] as const;

/** By column. */
export const PROPERTY_FIELDS = {
  reference: { type: 'text', nullable: false, document: 'ref', feed: true },
  rented: { type: 'flag', nullable: false, document: 'rented', feed: false },
  on_own_website: { type: 'flag', nullable: false, document: 'on_own_website', feed: false },
  on_other_websites: { type: 'flag', nullable: false, document: 'on_other_websites', feed: false },
  listed_at: { type: 'time', nullable: false, document: 'listed_at', feed: true },
  source_changed_at: { type: 'time', nullable: true, document: 'source_changed_at', feed: false },
  currency: { type: 'text', nullable: false, document: 'currency', feed: true },

  for_sale: { type: 'part', nullable: false, document: 'offers.sale', feed: true },
  sale_price: { type: 'real', nullable: true, document: 'offers.sale.price', feed: true },
  minimum_price: { type: 'real', nullable: false, document: 'offers.sale.minimum_price', absent: 0, feed: true },
  for_long_term: { type: 'part', nullable: false, document: 'offers.long_term', feed: true },
  monthly_rent: { type: 'real', nullable: true, document: 'offers.long_term.rent', feed: true },
  for_short_term: { type: 'part', nullable: false, document: 'offers.short_term', feed: true },
  low_season_rent: { type: 'real', nullable: true, document: 'offers.short_term.low', feed: true },
  high_season_rent: { type: 'real', nullable: true, document: 'offers.short_term.high', feed: true },
  rental_license: { type: 'text', nullable: true, document: 'offers.short_term.license', feed: true },

  town: {
    type: 'text',
    nullable: false,
    document: 'town',
    feed: true,
    node: { name: 'town', group: 'place', versions: ALL, required: true },
  },
  area: {
    type: 'text',
    nullable: true,
    document: 'area',
    feed: true,
    node: { name: 'area', group: 'place', versions: ALL },
  },
  province: {
    type: 'text',
    nullable: false,
    document: 'province',
    feed: true,
    node: { name: 'province', group: 'place', versions: ALL, required: true },
  },
  country: {
    type: 'text',
    nullable: true,
    document: 'country',
    feed: true,
    node: { name: 'country', group: 'place', versions: ALL },
  },
  postcode: {
    type: 'text',
    nullable: true,
    document: 'postcode',
    feed: true,
    node: { name: 'postcode', group: 'place', versions: ALL },
  },
  latitude: { type: 'coordinate', nullable: true, document: 'location.latitude', feed: true },
  longitude: { type: 'coordinate', nullable: true, document: 'location.longitude', feed: true },
  beds: { type: 'integer', nullable: false, document: 'beds', feed: true },
  bath: { type: 'real', nullable: false, document: 'bath', feed: true },
  built_area: { type: 'integer', nullable: true, document: 'built_area', feed: true },
  plot_area: { type: 'integer', nullable: true, document: 'plot_area', feed: true },
  terrace_area: {
    type: 'integer',
    nullable: true,
    document: 'terrace_area',
    feed: true,
    node: { name: 'terrace', group: 'facts', versions: [3] },
  },
  living_area: {
    type: 'integer',
    nullable: true,
    document: 'living_area',
    feed: true,
    node: { name: 'living_area', group: 'facts', versions: [3] },
  },
  built_year: {
    type: 'integer',
    nullable: true,
    document: 'built_year',
    feed: true,
    node: { name: 'built_year', group: 'facts', versions: [3] },
  },
  community_fees: {
    type: 'real',
    nullable: true,
    document: 'community_fees',
    feed: true,
    node: { name: 'community_fees', group: 'facts', versions: [3] },
  },
  garbage_tax: {
    type: 'real',
    nullable: true,
    document: 'garbage_tax',
    feed: true,
    node: { name: 'garbage_tax', group: 'facts', versions: [3] },
  },
  ibi_fees: {
    type: 'real',
    nullable: true,
    document: 'ibi_fees',
    feed: true,
    node: { name: 'ibi_fees', group: 'facts', versions: [3] },
  },
  cadastral_ref: {
    type: 'text',
    nullable: true,
    document: 'cadastral_ref',
    feed: true,
    node: { name: 'cadastral_ref', group: 'facts', versions: [3] },
  },
  has_pool: {
    type: 'flag',
    nullable: false,
    document: 'has_pool',
    feed: true,
    node: { name: 'has_pool', group: 'amenities', versions: ALL },
  },
  has_garden: {
    type: 'flag',
    nullable: false,
    document: 'has_garden',
    feed: true,
    node: { name: 'has_garden', group: 'amenities', versions: ALL },
  },
  has_garage: {
    type: 'flag',
    nullable: false,
    document: 'has_garage',
    feed: true,
    node: { name: 'has_garage', group: 'amenities', versions: ALL },
  },
  emissions: { type: 'letter', nullable: false, document: 'emissions', feed: true },
  consumption: { type: 'letter', nullable: false, document: 'consumption', feed: true },
  virtual_tour_url: { type: 'text', nullable: true, document: 'virtual_tour_url', feed: true },
  video_url: { type: 'text', nullable: true, document: 'video_url', feed: true },
  pictures: { type: 'lines', nullable: true, document: 'pictures', feed: true },

  new_build: { type: 'flag', nullable: false, document: 'new_build', feed: false },
  leasehold: { type: 'flag', nullable: false, document: 'leasehold', feed: false },
  part_ownership: { type: 'flag', nullable: false, document: 'part_ownership', feed: false },
  prime: { type: 'flag', nullable: false, document: 'prime', feed: false },
  commission: { type: 'text', nullable: true, document: 'commission', feed: false },
  address: { type: 'text', nullable: true, document: 'address', feed: false },
  floor: { type: 'text', nullable: true, document: 'floor', feed: false },
  email: { type: 'text', nullable: true, document: 'email', feed: false },
  notes: { type: 'text', nullable: true, document: 'notes', feed: false },
} as const satisfies Record<string, Field>;

type Fields = typeof PROPERTY_FIELDS;

/** A column of the table of fields. */
export type FieldColumn = keyof Fields;

/** The columns that feeds need. */
export type FeedColumn = { [Column in FieldColumn]: Fields[Column]['feed'] extends true ? Column : never }[FieldColumn];

interface Stored {
  text: string;
  letter: string;
  integer: number;
  real: number;
  coordinate: number;
  flag: 0 | 1;
  time: number;
  lines: string;
  part: 0 | 1;
}

/** The values of a row in these columns. */
export type FieldRow<Columns extends FieldColumn = FieldColumn> = {
  readonly [Column in Columns]: Stored[Fields[Column]['type']] | NullOf<Fields[Column]>;
};

type NullOf<F extends { nullable: boolean }> = F['nullable'] extends true ? null : never;

interface InDocument {
  text: string;
  letter: 'A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'G' | 'X';
  integer: number;
  real: number;
  flag: boolean;
  time: string;
}

/** The fields of a document: a part is `null` if the property lacks it. */
export type FieldDocument = Intersection<
  {
    [Column in FieldColumn]: Nested<Fields[Column]['document'], DocumentValue<Fields[Column]>>;
  }[FieldColumn]
>;

type DocumentValue<F extends Field> = F['type'] extends 'lines'
  ? string[]
  : F['type'] extends 'part'
    ? object | null
    : F['type'] extends 'coordinate'
      ? number
      : F['type'] extends keyof InDocument
        ? InDocument[F['type']] | NullOf<F>
        : never;

type Nested<Path extends string, Value> = Path extends `${infer Head}.${infer Tail}`
  ? { [Key in Head]: Nested<Tail, Value> | (Head extends 'offers' ? never : null) }
  : { [Key in Path]: Value };

type Intersection<Union> = (Union extends unknown ? (member: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** The fields with their columns, in their order. */
export const FIELDS = Object.entries(PROPERTY_FIELDS) as readonly (readonly [FieldColumn, Field])[];
