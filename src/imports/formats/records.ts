import type { Reporting } from '../pipeline/notes.ts';
import { isPlaceholder, type Understood } from '../values/interpretation.ts';
import { readPrice } from '../values/number.ts';
import { isAboutStatus, readStatus, statusSaid } from '../values/status.ts';
import { currencyIn, readCurrency, readFrequency } from '../values/words.ts';
import { emptyAbsent, isEmpty, trimmed, type XmlNode } from '../xml/node.ts';
import { joined } from '../xml/reading.ts';
import { repairTexts } from '../xml/texts.ts';
import {
  isAboutPeriod,
  isAboutPrice,
  LANGUAGE_ATTRIBUTES,
  singleText,
  TECHNICAL,
} from '../xml/value.ts';
import { partsOfPrice, reportAttributes, statementsOf } from './attributes.ts';
import {
  type Placed,
  type Saying,
  sayingOfRental,
  sayingsOfNoSale,
  sayingsOfStatus,
  withUnits,
} from './elsewhere.ts';
import { merged, type Nodes, type RecordFormat } from './nodes.ts';
import { COORDINATES } from './places.ts';
import type { Part } from './readers.ts';

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
  checkFees(nodes, fields, reporting);
  const id = singleText(nodes.get('id'), 'id', reporting);
  const ref = fields.ref?.trim() ?? '';
  // Without a reference, even 0 may be an identifier.
  const isMissing = id === '' || id === '0' || (id !== undefined && isPlaceholder(id));
  if (!isMissing || ref === '') return { id: id ?? '', nodes, fields };
  reporting.interpreted('id', 'missing', record.line, id, ref);
  return { id: ref, nodes, fields };
}

/** Yearly and monthly costs, which are in the currency of the price. One in another is unknown. */
function checkFees(nodes: Nodes, fields: Part, reporting: Reporting): void {
  const currency = fields.currency ?? currencyIn(trimmed(nodes.get('price')))?.value ?? 'EUR';
  for (const field of ['community_fees', 'garbage_tax', 'ibi_fees'] as const) {
    const node = nodes.get(field);
    const named = currencyIn(trimmed(node));
    if (node === undefined || named === undefined || fields[field] === undefined) continue;
    if (named.value === currency) continue;
    reporting.interpreted(node.name, 'unreadable', node.line, trimmed(node), undefined);
    delete fields[field];
    fields.unknown = [...(fields.unknown ?? []), field];
  }
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
  const rest: Placed[] = [];
  const addDecisive = (name: string, node: XmlNode, path: string) => {
    const said = name === 'status' ? statusSaid : (_: string, text: string) => text;
    for (const one of statementsOf(node, path, DECISIVE.get(name)!, said)) {
      reportAttributes(one, name, path, reporting);
      add(name, one);
    }
  };
  const isArea = (name: string) => AREAS.has(aliases.get(name) ?? name);
  const all = withPaths(withUnits(record, isArea));
  const hasPrice = all.some(([given]) => nameOf(given, readers, aliases) === 'price');
  const aboutPrice = all.flatMap(([given]) => (isAboutPrice(given.name) ? [given] : []));
  for (const [given, path] of all) {
    const name = saysPeriod(given, path) ? 'price_freq' : nameOf(given, readers, aliases);
    const container = CONTAINERS.get(name);
    if (path.startsWith('@') && nodes.has(name) && !DECISIVE.has(name)) {
      reporting.ignored(path, given.line);
    } else if (container !== undefined && readers.has(container)) {
      add(container, { ...given, name: container, attributes: {}, children: [given], text: '' });
    } else if (name === 'price') {
      const { stated, price } = partsOfPrice(given, path, aboutPrice);
      for (const [part, node] of stated) addDecisive(part, node, node.name);
      reportAttributes(price, name, path, reporting);
      add(name, price);
    } else if (name === 'status') {
      const text =
        given.children.length === 0 ? statusSaid(given.name, given.text.trim()) : given.text;
      addDecisive(name, { ...given, text }, path);
    } else if (DECISIVE.has(name)) addDecisive(name, given, path);
    else if (readers.has(name)) {
      const node = withLanguageChild(name, { ...given, name: path });
      reportAttributes(node, name, path, reporting);
      add(name, node);
    } else if (!(hasPrice && aboutPrice.includes(given))) rest.push([given, path]);
  }
  const used = new Set<XmlNode>();
  const addSaid = (sayings: readonly Saying[]) => {
    for (const { name, node, path, from } of sayings) {
      addDecisive(name, node, path);
      used.add(from);
    }
  };
  const textOf = (name: string) => trimmed(nodes.get(name));
  addSaid(sayingsOfStatus(rest, nodes));
  if (textOf('price_freq') === '') addSaid(sayingOfRental(rest, nodes));
  const period = textOf('price_freq');
  if (period === '' || readFrequency(period).value === 'sale') addSaid(sayingsOfNoSale(rest));
  for (const [node, path] of rest) {
    const isAnything = !isEmpty(node) || Object.values(node.attributes).some(Boolean);
    if (isAnything && !used.has(node)) reporting.ignored(path, node.line);
  }
  return nodes;
}

const AREAS: ReadonlySet<string> = new Set([
  'surface_area',
  'built',
  'plot',
  'terrace',
  'living_area',
]);

/** Whether an attribute of the record says how it is offered, as `type="rent"` does. */
function saysPeriod({ name, text }: XmlNode, path: string): boolean {
  const isAbout = path.startsWith('@') && /^(type|kind|category|for)$/i.test(name);
  return isAbout && readFrequency(text).value !== undefined;
}

/** The name of a node in its format; in any letter case, unless the format has both. */
function nameOf(
  node: XmlNode,
  readers: RecordFormat['nodes'],
  aliases: RecordFormat['aliases'],
): string {
  const { name, children } = node;
  if (/^(extra_features|views)$/.test(name) && children.length > 0) return 'features';
  const lower = name.toLowerCase();
  const known = aliases.get(name) ?? (readers.has(name) ? name : (aliases.get(lower) ?? lower));
  if (readers.has(known)) return known;
  if (isAboutStatus(name)) return 'status';
  return isAboutPeriod(name) && readFrequency(trimmed(node)).value !== undefined
    ? 'price_freq'
    : known;
}

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
  const attributes = Object.entries(record.attributes).filter(([name]) => !TECHNICAL.test(name));
  return [
    ...[...others, ...own].map((node): [XmlNode, string] => [node, node.name]),
    ...groups.flatMap(({ name, children }) =>
      children.map((child): [XmlNode, string] => [child, `${name}/${child.name}`]),
    ),
    ...attributes.map(([name, text]): [XmlNode, string] => [
      { ...record, name, attributes: {}, children: [], text },
      `@${name}`,
    ]),
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
  ['price', (text) => readPrice(text, 'sale')],
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
  const one = trimmed(first);
  const other = trimmed(later);
  const meaning = ({ how: _, ...understood }: Understood<unknown>) => JSON.stringify(understood);
  const isSame = meaning(read(one)) === meaning(read(other));
  if (isSame && read(one).value !== undefined) {
    if (first.name === later.name)
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
