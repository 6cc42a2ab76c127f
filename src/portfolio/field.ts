/** One field of a property. */
export interface Field {
  readonly type: FieldType;
  readonly nullable: boolean;
  /** Its place in a document: a key, or a path such as `offers.sale.price`. */
  readonly document: string;
  /** What the column holds if the document lacks the part that the field belongs to; `null` if nothing is given. */
  readonly absent?: number;
  /** Whether every format of feeds reads the column; a format may read more. */
  readonly feed: boolean;
  /** The name by which policies can withhold the value from readers. */
  readonly withhold?: string;
  /** The node that shows the unchanged value. */
  readonly node?: FieldNode;
  /** The nodes of other programs' feeds that have the value. */
  readonly source?: FieldSource;
}

/**
 * A field as the table of `property-fields.ts` describes it. By default, its place in a document and the name of its node are
 * the name of the column, every format reads it, and the node of a text that is not nullable is required.
 */
export type DescribedField = Omit<Partial<Field>, 'type' | 'nullable' | 'node'> &
  Pick<Field, 'type' | 'nullable'> & { readonly node?: Pick<FieldNode, 'group' | 'versions'> & Partial<FieldNode> };

/**
 * How a field is stored, and what a document has: `flag` is 0 or 1 for a boolean; `time` is seconds since 1970-01-01 UTC
 * for an ISO 8601 text; `lines` is a text with one line per entry of a list; `part` is 0 or 1 for whether the document has
 * a part, whose fields follow. A `coordinate` is a real number of a part that the document has if it is not NULL.
 */
export type FieldType = 'text' | 'letter' | 'integer' | 'real' | 'coordinate' | 'flag' | 'time' | 'lines' | 'part';

/** A group of nodes that follow each other in a record. */
export type NodeGroup = 'place' | 'facts' | 'amenities';

/** How the text of an imported node is read; `year` is a whole number, `presence` a flag or what there is, as `private`. */
export type SourceKind = 'text' | 'flag' | 'presence' | 'amount' | 'area' | 'year' | 'link';

export interface FieldSource {
  readonly as: SourceKind;
  /** The node of a Kyero record, then other names that programs use for it. */
  readonly kyero?: readonly [string, ...string[]];
  /** Programs add the Kyero node to the format: a record without it says nothing about the value. */
  readonly extension?: true;
  /** The node of a ReSales-Online record. */
  readonly resales?: string;
}

export interface FieldNode {
  readonly name: string;
  readonly group: NodeGroup;
  readonly versions: readonly (1 | 2 | 3)[];
  /** Whether the node is present even if XML can represent no character of its text. */
  readonly required: boolean;
}
