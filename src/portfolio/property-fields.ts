import * as z from 'zod';
import { bytes, linesList, optional, text, textList } from './checks.ts';
import { RESTRICTIONS } from './restrictions.ts';

interface Field {
  readonly type: FieldType;
  readonly nullable: boolean;
  /** Its place in a document: a key, or a path such as `offers.sale.price`. */
  readonly document: string;
  /** The values that a document can have. Those of its parts are in `documents.ts`. */
  readonly schema?: z.ZodType;
  /** What the column holds if the document lacks the part that the field belongs to; `null` if nothing is given. */
  readonly absent?: number;
  /** Whether every format of feeds reads the column; a format may read more. */
  readonly feed: boolean;
  /** The name that a policy uses to withhold the value from a reader. */
  readonly withhold?: string;
  /** The node that shows the unchanged value. */
  readonly node?: FieldNode;
  /** The nodes of other programs' feeds that have the value. */
  readonly source?: FieldSource;
}

/** A field as the table below describes it: by default, its place in a document is its column, and every format reads it. */
type DescribedField = Omit<Field, 'document' | 'feed'> & Partial<Field>;

/**
 * How a field is stored, and what a document has: `flag` is 0 or 1 for a boolean; `time` is seconds since 1970-01-01 UTC
 * for an ISO 8601 text; `lines` is a text with one line per entry of a list; `part` is 0 or 1 for whether the document has
 * a part, whose fields follow.
 */
export type FieldType = 'text' | 'integer' | 'real' | 'flag' | 'time' | 'lines' | 'part';

/** A group of nodes that follow each other in a record. */
export type NodeGroup = 'place' | 'facts' | 'amenities';

/** How the text of an imported node is read; `year` is a whole number, `presence` a flag or what there is, as `private`. */
export type SourceKind = 'text' | 'flag' | 'presence' | 'amount' | 'area' | 'year' | 'link';

interface FieldSource {
  readonly as: SourceKind;
  /** The node of a Kyero record, then other names that programs use for it; the column by default, and empty for none. */
  readonly kyero?: readonly string[];
  /** Programs add the Kyero node to the format: a record without it says nothing about the value. */
  readonly extension?: true;
  /** Whether a ReSales-Online record has a node with the name of the column. */
  readonly resales?: true;
}

interface FieldNode {
  /** The column by default. */
  readonly name?: string;
  readonly group: NodeGroup;
  readonly versions: readonly (1 | 2 | 3)[];
}

/** Whole seconds from 1970 to 9999, as ISO 8601 in UTC: `2026-05-01T09:30:00Z`. */
export const time = z.iso
  .datetime({ precision: 0, error: 'must be a UTC time in whole seconds, such as 2026-05-01T09:30:00Z' })
  .refine((value) => value >= '1970', 'must not be before 1970');

/** An amount of money; `null` if it is unknown or on request. */
export const amount = optional(z.number());

const restrictions = textList(z.enum(RESTRICTIONS as readonly string[] as [string, ...string[]]), 64)
  .meta({ items: { type: 'string', enum: [...RESTRICTIONS] } })
  .transform((names) => RESTRICTIONS.filter((name) => names.includes(name)) as string[])
  .default(() => []);
const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, 'must be an ISO 4217 currency code')
  .default('EUR');
const bath = z
  .number()
  .min(0)
  .max(10_000)
  .default(0)
  .describe('Baths and toilets in one number: 4.5 is 4 baths and 1 toilet.');
const energyStatus = z.string().regex(/^(in_process|exempt)$/, 'must be in_process or exempt');

/** Empty if unknown. */
const NEEDED = { type: 'text', nullable: false, schema: text(0, 200) } as const;
const AREA = { type: 'integer', nullable: true, schema: optional(z.int().min(0).max(1_000_000_000)) } as const;
const REAL = { type: 'real', nullable: false } as const;
const OPTIONAL_REAL = { type: 'real', nullable: true } as const;
const AMOUNT = { ...OPTIONAL_REAL, schema: amount } as const;
const FLAG = { type: 'flag', nullable: false, schema: z.boolean().default(false) } as const;
const TRUE = { ...FLAG, schema: z.boolean().default(true) } as const;
const PART = { type: 'part', nullable: false } as const;
const LETTER = { ...NEEDED, schema: z.enum(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'X']).default('X') } as const;
const PLACE = { group: 'place', versions: [1, 2, 3] } as const;
const FACTS = { group: 'facts', versions: [3] } as const;
const AMENITIES = { group: 'amenities', versions: [1, 2, 3] } as const;
/** Which import formats have a field: Kyero's, as such or as a node that programs add to it, and also ReSales-Online's. */
const KYERO = { as: 'text' } as const;
const EXTENSION = { ...KYERO, extension: true } as const;
const BOTH = { ...KYERO, resales: true } as const;
const BOTH_EXTENDED = { ...EXTENSION, ...BOTH } as const;
const FEES = { ...AMOUNT, node: FACTS, source: { ...BOTH_EXTENDED, as: 'amount' } } as const;
const LINK = { ...optionalText(text(0, 1024)), source: { ...BOTH_EXTENDED, as: 'link' } } as const;

function optionalText<Text extends z.ZodType<string>>(schema: Text) {
  return { type: 'text', nullable: true, schema: optional(schema) } as const;
}

/**
 * The fields of a property by column, from which the columns of the database, the rows of feeds, documents, and the feed's plain
 * nodes derive, in the order of the nodes in a feed. Fields with more than one column, value or node are not here: the
 * identifier, type, unit, status, features, texts and times of change.
 */
const TABLE = {
  reference: { ...NEEDED, schema: text(1, 255), document: 'ref', source: { ...KYERO, kyero: ['ref'] } },
  rented: { ...FLAG, feed: false },
  on_own_website: { ...TRUE, feed: false },
  on_other_websites: { ...TRUE, feed: false },
  /** Where it may not go. */
  restrictions: { type: 'lines', nullable: true, schema: restrictions, feed: false },
  listed_at: { type: 'time', nullable: false, schema: time },
  source_changed_at: { type: 'time', nullable: true, schema: optional(time), feed: false },
  currency: { ...NEEDED, schema: currency },

  for_sale: { ...PART, document: 'offers.sale' },
  sale_price: { ...OPTIONAL_REAL, document: 'offers.sale.price' },
  minimum_price: { ...REAL, absent: 0, document: 'offers.sale.minimum_price', withhold: 'price_minimum' },
  for_long_term: { ...PART, document: 'offers.long_term' },
  monthly_rent: { ...OPTIONAL_REAL, document: 'offers.long_term.rent' },
  for_short_term: { ...PART, document: 'offers.short_term' },
  low_season_rent: { ...OPTIONAL_REAL, document: 'offers.short_term.low' },
  high_season_rent: { ...OPTIONAL_REAL, document: 'offers.short_term.high' },
  rental_license: { type: 'text', nullable: true, document: 'offers.short_term.license', withhold: 'rental_licence' },

  town: { ...NEEDED, node: PLACE, source: BOTH },
  area: { ...optionalText(text(0, 200)), node: PLACE, source: { ...BOTH, kyero: ['location_detail'] } },
  province: { ...NEEDED, node: PLACE, source: BOTH },
  country: { ...optionalText(text(0, 200)), node: PLACE, source: BOTH },
  postcode: {
    ...optionalText(text(0, 40)),
    withhold: 'postcode',
    node: PLACE,
    source: { ...BOTH_EXTENDED, kyero: ['postcode', 'postal_code'] },
  },
  latitude: { ...OPTIONAL_REAL, document: 'location.latitude', withhold: 'location' },
  longitude: { ...OPTIONAL_REAL, document: 'location.longitude', withhold: 'location' },
  beds: { type: 'integer', nullable: false, schema: z.int().min(0).max(10_000).default(0) },
  bath: { ...REAL, schema: bath },
  built_area: { ...AREA, source: { as: 'area', kyero: ['built', 'built_area'] } },
  plot_area: { ...AREA, source: { as: 'area', kyero: ['plot', 'plot_area'] } },
  terrace_area: {
    ...AREA,
    node: { ...FACTS, name: 'terrace' },
    source: { ...EXTENSION, as: 'area', kyero: ['terrace', 'terrace_area'] },
  },
  living_area: { ...AREA, node: FACTS, source: { ...BOTH_EXTENDED, as: 'area' } },
  built_year: {
    ...AREA,
    schema: optional(z.int().min(1).max(9999)),
    node: FACTS,
    source: { ...BOTH_EXTENDED, as: 'year' },
  },
  community_fees: { ...FEES, schema: amount.describe('Per month.') },
  garbage_tax: { ...FEES, schema: amount.describe('Per year.') },
  ibi_fees: { ...FEES, schema: amount.describe('Per year.') },
  cadastral_ref: {
    ...optionalText(text(0, 200)),
    withhold: 'cadastral_ref',
    node: FACTS,
    source: {
      ...BOTH_EXTENDED,
      kyero: ['catastral', 'cadastralRef', 'cadastral_ref', 'cadastral_reference', 'catrastal_reference'],
    },
  },
  has_pool: { ...FLAG, node: AMENITIES, source: { ...BOTH, as: 'presence', kyero: ['pool'] } },
  has_garden: { ...FLAG, node: AMENITIES, source: { ...BOTH, as: 'presence', kyero: [] } },
  has_garage: { ...FLAG, node: AMENITIES, source: { ...BOTH, as: 'presence', kyero: [] } },
  emissions: LETTER,
  consumption: LETTER,
  /** Why there is no letter, if the source states it. */
  energy_status: { ...optionalText(energyStatus), feed: false },
  virtual_tour_url: { ...LINK, withhold: 'virtual_tour_url' },
  video_url: { ...LINK, withhold: 'video_url' },
  /** URLs in the order of display. */
  pictures: { type: 'lines', nullable: true, schema: linesList(1000) },

  new_build: { ...FLAG, feed: false, source: { as: 'flag' } },
  leasehold: { ...FLAG, feed: false, source: { as: 'flag' } },
  part_ownership: { ...FLAG, feed: false, source: { as: 'flag' } },
  prime: { ...FLAG, feed: false, source: { ...EXTENSION, as: 'flag' } },
  commission: { ...optionalText(text(0, 200)), feed: false, withhold: 'commission' },
  address: {
    ...optionalText(text(0, 500)),
    feed: false,
    withhold: 'address',
    source: { ...EXTENSION, kyero: ['address', 'full_address'] },
  },
  floor: { ...optionalText(text(0, 200)), feed: false, withhold: 'floor', source: EXTENSION },
  email: { ...optionalText(text(0, 320)), feed: false, withhold: 'email', source: EXTENSION },
  notes: { ...optionalText(bytes(0, 65_536)), feed: false, withhold: 'notes', source: EXTENSION },
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
export const FIELDS = Object.entries<DescribedField>(TABLE).map(([column, field]) => [
  column,
  { document: column, feed: true, ...field },
]) as readonly (readonly [FieldColumn, Field])[];

/** The schemas of a document's values that are no part of others, by their keys. */
export const FIELD_SCHEMAS = Object.fromEntries(
  FIELDS.flatMap(([, { document, schema }]) => (schema === undefined ? [] : [[document, schema]])),
) as unknown as {
  readonly [Column in FieldColumn as Table[Column] extends { readonly schema: z.ZodType }
    ? Fields[Column]['document']
    : never]: Table[Column] extends { readonly schema: infer Schema } ? Schema : never;
};

/** By column. */
export const PROPERTY_FIELDS = Object.fromEntries(FIELDS) as Readonly<Record<FieldColumn, Field>>;

/** The fields that an import reads from one node, as their keys in documents with the names of their nodes. */
export const IMPORTED_FIELDS = FIELDS.flatMap(([column, { document, source, node }]) => {
  if (source === undefined) return [];
  const names = { kyero: source.kyero ?? [column], resales: source.resales ? [column] : [] };
  return [{ key: document as ImportedKey, ...source, ...names, inEveryVersion: node?.versions.length === 3 }];
});

/** Keys of documents that an import reads from one node. */
type ImportedKey = {
  [Column in FieldColumn]: Table[Column] extends { readonly source: FieldSource } ? Fields[Column]['document'] : never;
}[FieldColumn];
