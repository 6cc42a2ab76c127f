import { readFlag } from '../values/flag.ts';
import { spelling } from '../values/interpretation.ts';
import { areaUnit } from '../values/number.ts';
import { isElsewhere, offMarketPart, statusAmongFeatures } from '../values/status.ts';
import { namesRental, readFrequency, saysRental } from '../values/words.ts';
import { isEmpty, trimmed, type XmlNode } from '../xml/node.ts';
import { measureOf } from '../xml/value.ts';
import type { Nodes } from './nodes.ts';

/** A node of a record that is not imported, and its path. */
export type Placed = readonly [node: XmlNode, path: string];

/** A status, or the period of a price, that another node than its own states. */
export interface Saying {
  readonly name: 'status' | 'price_freq';
  /** A node with what it says as its text. */
  readonly node: XmlNode;
  readonly path: string;
  /** The node that says it. */
  readonly from: XmlNode;
}

/** A text of a node: its own, or that of an attribute or of a child. */
interface Text {
  readonly text: string;
  readonly path: string;
  readonly from: XmlNode;
}

function textsOf([node, path]: Placed): Text[] {
  const { text, attributes, children } = node;
  const textAt = (at: string, one: string) => ({ text: one.trim(), path: at, from: node });
  return [
    textAt(path, text),
    ...Object.entries(attributes).map(([name, one]) => textAt(`${path}@${name}`, one)),
    ...children.map((child) => textAt(`${path}/${child.name}`, child.text)),
  ];
}

function saying(name: Saying['name'], text: string, { path, from }: Omit<Text, 'text'>): Saying {
  return { name, path, from, node: { ...from, attributes: {}, children: [], text } };
}

/** The texts of a node of texts by language, or of one text. */
function textsIn(nodes: Nodes, name: string): Text[] {
  const node = nodes.get(name);
  if (node === undefined) return [];
  const isByLanguage = node.children.length > 0 && node.text.trim() === '';
  if (isByLanguage) return textsOf([node, node.name]);
  return [{ text: trimmed(node), path: node.name, from: node }];
}

/**
 * That a property is off the market, where nothing else is said: in a node that is not imported, such as
 * `<label>Sold</label>`, at an end of its title, in its type, or instead of its description.
 */
export function sayingsOfStatus(rest: readonly Placed[], nodes: Nodes): Saying[] {
  const sayings = (all: readonly Text[], said: (text: string) => string | undefined) =>
    all.flatMap((one) => {
      const text = said(one.text);
      return text === undefined ? [] : [saying('status', text, one)];
    });
  const others = rest.flatMap(textsOf).filter(({ path }) => !isElsewhere(path));
  return [
    ...sayings([...others, ...textsIn(nodes, 'title')], offMarketPart),
    ...sayings(textsIn(nodes, 'type'), (text) => offMarketPart(withEndsApart(text))),
    ...sayings(textsIn(nodes, 'desc'), (text) => (isOffMarket(text) ? text : undefined)),
  ];
}

/** A text with signs after its first and before its last word. */
function withEndsApart(text: string): string {
  return text.replace(/^\S+ | \S+$/g, ' / $& / ');
}

function isOffMarket(text: string): boolean {
  return text.length <= 100 && statusAmongFeatures(text) !== undefined;
}

/**
 * That a property is for rent, where no period of its price is stated: `<category>Rentals</category>`,
 * `<is_rental>1</is_rental>`, a `rent` that is the price, `<type>Villa to rent</type>`.
 */
export function sayingOfRental(rest: readonly Placed[], nodes: Nodes): Saying[] {
  const price = trimmed(nodes.get('price'));
  const isSaid = (text: string) => text !== '' && (text === price || readFlag(text).value === true);
  const texts = rest.flatMap(textsOf).filter(({ text }) => saysRental(text));
  const names = rest.flatMap(([node, path]) =>
    saysRental(wordsOf(node.name)) && isSaid(trimmed(node))
      ? [{ text: wordsOf(node.name), path, from: node }]
      : [],
  );
  const types = textsIn(nodes, 'type').flatMap((one) =>
    namesRental(one.text) ? [{ ...one, text: 'rent' }] : [],
  );
  const [first] = [...texts, ...names, ...types];
  return first === undefined ? [] : [saying('price_freq', first.text, first)];
}

/** That a property is not for sale, although its price is that of a sale: `<for_sale>0</for_sale>`. */
export function sayingsOfNoSale(rest: readonly Placed[]): Saying[] {
  return rest.flatMap(([node, path]) => {
    const isSale = readFrequency(wordsOf(node.name)).value === 'sale';
    const isDenied = isSale && !isEmpty(node) && readFlag(trimmed(node)).value === false;
    return isDenied ? [saying('price_freq', 'not for sale', { path, from: node })] : [];
  });
}

/** The words of a name: `isRental` and `is_rental` are `rental`. */
function wordsOf(name: string): string {
  return spelling(name.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')).replace(/^(is|es) /, '');
}

const UNIT = /^(.*?)[_-]?(?:unit|units|uom|measure|measurement|unitofmeasure)$/i;

/**
 * A record whose nodes of units are in the areas that they are the units of: `<plot>2</plot><plot_unit>ha</plot_unit>`. One
 * that names no area is that of all which have none, if it is a unit of areas.
 *
 * @param isArea whether a node with this name is an area, or has areas
 */
export function withUnits(record: XmlNode, isArea: (name: string) => boolean): XmlNode {
  const units = record.children.flatMap((unit) => {
    const name = UNIT.exec(unit.name)?.[1];
    if (name === undefined || isEmpty(unit)) return [];
    const of = name.toLowerCase().replace(/_?(area|size|surface)$/, '');
    const factor = areaUnit(trimmed(unit));
    const isMeant = (node: XmlNode) =>
      of === ''
        ? factor !== undefined && measureOf(node) === ''
        : node.name.toLowerCase().startsWith(of);
    const isOf = (node: XmlNode) => isArea(node.name) && isMeant(node);
    return record.children.some(isOf) ? [{ unit, factor, isOf }] : [];
  });
  const children = record.children.flatMap((child) => {
    if (units.some(({ unit }) => unit === child)) return [];
    const whole = child.name === 'surface_area' ? withUnits(child, isArea) : child;
    const stated = units.filter(({ factor, isOf }) => factor !== 1 && isOf(child));
    const added = stated.map(({ unit }) => ({ ...unit, name: 'unit' }));
    return added.length === 0 ? whole : { ...whole, children: [...whole.children, ...added] };
  });
  return { ...record, children };
}
