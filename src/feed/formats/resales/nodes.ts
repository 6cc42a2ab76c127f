import type { FeedField } from '../../build/feed-properties.ts';
import type { FeedVersion } from './parameters.ts';

/** A node that shows the unchanged value of a field; of a flag, 1 or 0. */
export interface PlainNode<Field extends FeedField = FeedField> {
  readonly field: Field;
  /** The name of the field by default. */
  readonly name?: string;
  /** The versions of the format that have it; all by default. */
  readonly versions?: readonly FeedVersion[];
  /** Whether it is present even if XML can represent no character of its value. */
  readonly isRequired?: true;
}

const V3 = [3] as const;

/** The nodes in groups that follow each other in a record, in the order of the nodes. */
export const PLAIN_NODES = {
  place: [
    { field: 'town', isRequired: true },
    { field: 'area' },
    { field: 'province', isRequired: true },
    { field: 'country' },
    { field: 'postcode' },
  ],
  facts: [
    { field: 'terrace_area', name: 'terrace', versions: V3 },
    { field: 'living_area', versions: V3 },
    { field: 'built_year', versions: V3 },
    { field: 'community_fees', versions: V3 },
    { field: 'garbage_tax', versions: V3 },
    { field: 'ibi_fees', versions: V3 },
    { field: 'cadastral_ref', versions: V3 },
  ],
  amenities: [{ field: 'has_pool' }, { field: 'has_garden' }, { field: 'has_garage' }],
} as const satisfies Readonly<Record<string, readonly PlainNode[]>>;

type NodeGroup = keyof typeof PLAIN_NODES;

export type PlainField = (typeof PLAIN_NODES)[NodeGroup][number]['field'];

export const PLAIN_FIELDS: readonly PlainField[] = Object.values(PLAIN_NODES)
  .flat()
  .map(({ field }) => field);

/** The nodes of a group by version. */
export function nodesByVersion(
  group: NodeGroup,
): Readonly<Record<FeedVersion, readonly PlainNode<PlainField>[]>> {
  const nodes: readonly PlainNode<PlainField>[] = PLAIN_NODES[group];
  const nodesIn = (version: FeedVersion) =>
    nodes.filter(({ versions }) => versions === undefined || versions.includes(version));
  return { 1: nodesIn(1), 2: nodesIn(2), 3: nodesIn(3) };
}
