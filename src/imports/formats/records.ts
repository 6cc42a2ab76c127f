import type { Reporting } from '../pipeline/notes.ts';
import { isPlaceholder, type Understood } from '../values/interpretation.ts';
import { readStatus } from '../values/status.ts';
import { readCurrency, readFrequency } from '../values/words.ts';
import { emptyAbsent, isEmpty, trimmed, type XmlNode } from '../xml/node.ts';
import { joined } from '../xml/reading.ts';
import { repairTexts } from '../xml/texts.ts';
import { LANGUAGE_ATTRIBUTES, singleText } from '../xml/value.ts';
import { partsOfPrice, reportAttributes } from './attributes.ts';
import { merged, type RecordFormat } from './nodes.ts';
import { COORDINATES } from './places.ts';

/**
 * A record's imported nodes, by the names of its format; the name of each is its path in the file,
 * below the record.
 */
export type Nodes = ReadonlyMap<string, XmlNode>;

/**
 * Reads a record: its identifier, else its reference, or nothing; its imported nodes; and the
 * fields that they give. Other nodes are reported.
 */
export function readRecord(record: XmlNode, format: RecordFormat, reporting: Reporting) {
  const nodes = nodesOf(record, format, reporting);
  // Of several nodes that give a field, the first one with a value.
  const fields = merged([...nodes].map(([name, node]) => format.nodes.get(name)!(node, reporting)));
  if (fields.terrace !== undefined) {
    fields.terrace_area ??= fields.terrace;
    delete fields.terrace;
  }
  const id = singleText(nodes.get('id'), 'id', reporting);
  const ref = fields.ref?.trim() ?? '';
  // Without a reference, even 0 may be an identifier.
  const isMissing = id === '' || id === '0' || (id !== undefined && isPlaceholder(id));
  if (!isMissing || ref === '') return { id: id ?? '', nodes, fields };
  reporting.interpreted('id', 'missing', record.line, id, ref);
  return { id: ref, nodes, fields };
}

/** Nodes that some programs write outside the node they belong in, with the name of that node. */
const CONTAINERS = new Map([
  ...Object.entries(COORDINATES)
    .flat()
    .map((name) => [name, 'location'] as const),
  ...['communal_pool', 'private_pool'].map((name) => [name, 'features'] as const),
  ['image', 'images'],
]);

/**
 * Nodes that some programs put inside another one: the parts of a place, and whether there is a
 * pool.
 */
const GROUPED =
  /^((address|location)\/(town|city)|location\/(address|postcode|postal_code|zip)|pools\/pool)$/;

function nodesOf(
  record: XmlNode,
  { nodes: readers, aliases }: RecordFormat,
  reporting: Reporting,
): Nodes {
  const nodes = new Map<string, XmlNode>();
  const add = (name: string, node: XmlNode) =>
    nodes.set(name, together(name, nodes.get(name), node, reporting));
  emptyAbsent(record);
  repairTexts(record, reporting);
  for (const [given, path] of withPaths(record)) {
    const isMoreFeatures = /^(extra_features|views)$/.test(given.name) && given.children.length > 0;
    const name = isMoreFeatures ? 'features' : (aliases.get(given.name) ?? given.name);
    const container = CONTAINERS.get(name);
    if (container !== undefined && readers.has(container)) {
      add(container, { ...given, name: container, attributes: {}, children: [given], text: '' });
    } else if (readers.has(name)) {
      const { stated, price } = name === 'price' ? partsOfPrice(given, path) : NO_PARTS;
      for (const [part, node] of stated) add(part, node);
      const node = withLanguageChild(name, { ...(price ?? given), name: path });
      reportAttributes(node, name, path, reporting);
      add(name, node);
    } else if (!isEmpty(given)) reporting.ignored(path, given.line);
  }
  return nodes;
}

const NO_PARTS = { stated: [], price: undefined } as const;

/**
 * The nodes of a record with their paths, those in groups last. What a group says itself is a node
 * of its name.
 */
function withPaths(record: XmlNode): [XmlNode, path: string][] {
  const isGroup = ({ name, children }: XmlNode) =>
    children.some((child) => GROUPED.test(`${name}/${child.name}`));
  const groups = record.children.filter(isGroup);
  const others = record.children.filter((child) => !isGroup(child));
  const own = groups
    .map((group) => ({ ...group, children: [] }))
    .filter((group) => group.text.trim() !== '' || Object.keys(group.attributes).length > 0);
  return [
    ...[...others, ...own].map((node): [XmlNode, string] => [node, node.name]),
    ...groups.flatMap(({ name, children }) =>
      children.map((child): [XmlNode, string] => [child, `${name}/${child.name}`]),
    ),
  ];
}

/** Nodes of which two that differ must not be taken for the better one. */
const DECISIVE: ReadonlyMap<string, (text: string) => Understood<unknown>> = new Map<
  string,
  (text: string) => Understood<unknown>
>([
  ['status', readStatus],
  ['price_freq', readFrequency],
  ['currency', readCurrency],
]);

/**
 * Two nodes of a name. If they contradict each other in what decides how a property is offered, one
 * with both texts.
 */
function together(
  name: string,
  first: XmlNode | undefined,
  later: XmlNode,
  reporting: Reporting,
): XmlNode {
  const read = DECISIVE.get(name);
  if (read === undefined || first === undefined || isEmpty(first) || isEmpty(later))
    return joined(later.name, first, later, reporting);
  const [one, other] = [trimmed(first), trimmed(later)];
  const isSame = JSON.stringify(read(one).value) === JSON.stringify(read(other).value);
  if (isSame && read(one).value !== undefined) {
    reporting.interpreted(later.name, 'repeated', later.line, other, one);
    return first;
  }
  return { ...first, children: [], text: `${one} / ${other}` };
}

/**
 * Converts an element of texts with its language in an attribute to one with a child for the
 * language.
 */
function withLanguageChild(name: string, node: XmlNode): XmlNode {
  if (!['desc', 'title', 'url'].includes(name)) return node;
  const attribute = LANGUAGE_ATTRIBUTES.find((one) => node.attributes[one] !== undefined);
  if (attribute === undefined) return node;
  const { [attribute]: language = '', ...attributes } = node.attributes;
  if (node.children.some((child) => child.name === language)) return node;
  const text = { ...node, name: language, attributes: {}, at: 0 };
  return { ...node, attributes, text: '', children: [text] };
}
