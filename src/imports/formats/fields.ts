import type { PropertyDocument } from '../../properties/documents.ts';

/**
 * How the text of a node is read; `flag` is a notation of true or false, `presence` a flag or what
 * there is, such as `private`, `monthly` and `yearly` an amount, `year` a whole number, `link` a
 * URL or markup with one.
 */
export type NodeKind =
  | 'text'
  | 'flag'
  | 'presence'
  | 'monthly'
  | 'yearly'
  | 'area'
  | 'year'
  | 'link';

/** The node of a format that has a value. */
interface SourceNode {
  readonly name: string;
  /** Other names that programs use for it. */
  readonly others: readonly string[];
  /**
   * Whether a record without the node has no value. Otherwise it says nothing about the value, and
   * the stored one stays.
   */
  readonly isRequired: boolean;
}

/** A field that is read from one node. */
interface ImportedField {
  readonly as: NodeKind;
  /** In Kyero's format. */
  readonly kyero?: SourceNode;
  /** In ReSales-Online's format. */
  readonly resales?: SourceNode;
}

function required(name: string, ...others: readonly string[]): SourceNode {
  return { name, others, isRequired: true };
}

/** A node that only some programs write, or that only some versions of a format have. */
function optional(name: string, ...others: readonly string[]): SourceNode {
  return { name, others, isRequired: false };
}

/**
 * The fields that are read from one node, in the order in which feeds have them. The readers of
 * formats read the others.
 */
const FIELDS = {
  ref: { as: 'text', kyero: required('ref') },
  town: { as: 'text', kyero: required('town'), resales: required('town') },
  area: { as: 'text', kyero: required('location_detail'), resales: required('area') },
  province: { as: 'text', kyero: required('province'), resales: required('province') },
  country: { as: 'text', kyero: required('country'), resales: required('country') },
  postcode: {
    as: 'text',
    kyero: optional('postcode', 'postal_code'),
    resales: required('postcode'),
  },
  built_area: { as: 'area', kyero: required('built', 'built_area') },
  plot_area: { as: 'area', kyero: required('plot', 'plot_area') },
  terrace_area: { as: 'area', kyero: optional('terrace', 'terrace_area') },
  living_area: { as: 'area', kyero: optional('living_area'), resales: optional('living_area') },
  built_year: { as: 'year', kyero: optional('built_year'), resales: optional('built_year') },
  community_fees: {
    as: 'monthly',
    kyero: optional('community_fees'),
    resales: optional('community_fees'),
  },
  garbage_tax: { as: 'yearly', kyero: optional('garbage_tax'), resales: optional('garbage_tax') },
  ibi_fees: { as: 'yearly', kyero: optional('ibi_fees'), resales: optional('ibi_fees') },
  cadastral_ref: {
    as: 'text',
    kyero: optional(
      'catastral',
      'cadastralRef',
      'cadastral_ref',
      'cadastral_reference',
      'catrastal_reference',
    ),
    resales: optional('cadastral_ref'),
  },
  has_pool: { as: 'presence', kyero: required('pool'), resales: required('has_pool') },
  has_garden: { as: 'presence', resales: required('has_garden') },
  has_garage: { as: 'presence', resales: required('has_garage') },
  virtual_tour_url: {
    as: 'link',
    kyero: optional('virtual_tour_url'),
    resales: optional('virtual_tour_url'),
  },
  video_url: { as: 'link', kyero: optional('video_url'), resales: optional('video_url') },
  new_build: { as: 'flag', kyero: required('new_build') },
  leasehold: { as: 'flag', kyero: required('leasehold') },
  part_ownership: { as: 'flag', kyero: required('part_ownership') },
  prime: { as: 'flag', kyero: optional('prime') },
  address: { as: 'text', kyero: optional('address', 'full_address') },
  floor: { as: 'text', kyero: optional('floor') },
  email: { as: 'text', kyero: optional('email') },
  notes: { as: 'text', kyero: optional('notes') },
} as const satisfies { readonly [Field in keyof PropertyDocument]?: ImportedField };

/** A field that is read from one node. */
type FieldName = keyof typeof FIELDS;

/** The fields of a format that are read from one node, each with that node. */
export function fieldsOf(format: 'kyero' | 'resales') {
  return Object.entries<ImportedField>(FIELDS).flatMap(([field, { as, [format]: node }]) =>
    node === undefined ? [] : [{ field: field as FieldName, as, node }],
  );
}
