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
export interface SourceNode {
  readonly name: string;
  /** Other names that programs use for it. */
  readonly others: readonly string[];
  /**
   * Whether a record without the node has no value. Otherwise it says nothing about the value, and
   * the stored one stays.
   */
  readonly isRequired: boolean;
}

export function required(name: string, ...others: readonly string[]): SourceNode {
  return { name, others, isRequired: true };
}

/** A node that only some programs write, or that only some versions of a format have. */
export function optional(name: string, ...others: readonly string[]): SourceNode {
  return { name, others, isRequired: false };
}

/**
 * How the fields that are read from one node are read, in the order in which feeds have them. The
 * readers of formats read the others.
 */
const KINDS_OF_FIELDS = {
  ref: 'text',
  town: 'text',
  area: 'text',
  province: 'text',
  country: 'text',
  postcode: 'text',
  built_area: 'area',
  plot_area: 'area',
  terrace_area: 'area',
  living_area: 'area',
  built_year: 'year',
  community_fees: 'monthly',
  garbage_tax: 'yearly',
  ibi_fees: 'yearly',
  cadastral_ref: 'text',
  has_pool: 'presence',
  has_garden: 'presence',
  has_garage: 'presence',
  virtual_tour_url: 'link',
  video_url: 'link',
  new_build: 'flag',
  leasehold: 'flag',
  part_ownership: 'flag',
  prime: 'flag',
  address: 'text',
  floor: 'text',
  email: 'text',
  notes: 'text',
} as const satisfies { readonly [Field in keyof PropertyDocument]?: NodeKind };

/** A field that is read from one node. */
export type FieldName = keyof typeof KINDS_OF_FIELDS;

/** The nodes of a format that are one value of one field, by the fields. */
export type FieldNodes = { readonly [Field in FieldName]?: SourceNode };

/** A field that is read from one node, with that node in a format. */
export interface ImportedField {
  readonly field: FieldName;
  readonly as: NodeKind;
  readonly node: SourceNode;
}

/** The fields that a format has one node for, in the order of feeds. */
export function fieldsOf(nodes: FieldNodes): readonly ImportedField[] {
  return (Object.keys(KINDS_OF_FIELDS) as FieldName[]).flatMap((field) => {
    const node = nodes[field];
    return node === undefined ? [] : [{ field, as: KINDS_OF_FIELDS[field], node }];
  });
}
