import type { Reporting } from '../pipeline/notes.ts';
import { readFrequency } from '../values/words.ts';
import { isMarkup, trimmed, type XmlNode } from '../xml/node.ts';
import { isMeasureName, LANGUAGE_ATTRIBUTES, valueOfAttribute } from '../xml/value.ts';
import { COORDINATES } from './places.ts';

/** Attributes that say nothing of a property. */
const TECHNICAL = /^(xmlns(:.*)?|xsi:.*|xml:space)$/;

const COORDINATE_NAMES = new Set(Object.entries(COORDINATES).flat());
const PICTURE_NAMES = new Set(['id', 'url', 'src', 'href']);
const LINK_NAMES = new Set(['src', 'href']);

/** Nodes of numbers, whose unit or period may be in an attribute. */
const MEASURED =
  /^(price|surface_area|built|plot|terrace|living_area|community_fees|garbage_tax|ibi_fees)$/;
const TEXTS = /^(desc|title|url)$/;
const LINKS = /^(virtual_tour_url|video_url)$/;

/** Reports the attributes of a node and of the elements in it that are not read. */
export function reportAttributes(
  node: XmlNode,
  name: string,
  path: string,
  reporting: Reporting,
  depth = 0,
): void {
  for (const attribute in node.attributes) {
    const value = node.attributes[attribute]!;
    const isIgnored = TECHNICAL.test(attribute) || (depth > 0 && isMarkup(node));
    if (!isIgnored && !isRead(node, name, attribute, value, depth))
      reporting.ignored(`${path}@${attribute}`, node.line);
  }
  for (const child of node.children)
    reportAttributes(child, name, `${path}/${child.name}`, reporting, depth + 1);
}

/** Whether the readers of nodes read an attribute of an element in the node with this name. */
function isRead(
  node: XmlNode,
  name: string,
  attribute: string,
  value: string,
  depth: number,
): boolean {
  if (name === 'images')
    return PICTURE_NAMES.has(attribute) || (attribute === 'type' && value.includes('/'));
  if (name === 'location' && COORDINATE_NAMES.has(attribute)) return true;
  if (TEXTS.test(name) && depth > 0 && LANGUAGE_ATTRIBUTES.includes(attribute)) return true;
  if (LINKS.test(name) && LINK_NAMES.has(attribute)) return true;
  if (MEASURED.test(name) && isMeasureName(attribute)) return true;
  return valueOfAttribute(node).text === value && node.text !== value;
}

const CURRENCY = /^(currency|currency_?code|iso|curr)$/i;
const FREQUENCY = /^(price_freq|freq|frequency|period|per|term)$/i;

/**
 * The currency and the period that the node of a price states in attributes or elements, as nodes
 * of their own, and the price without them.
 */
export function partsOfPrice(price: XmlNode, path: string) {
  const stated: [name: 'currency' | 'price_freq', node: XmlNode][] = [];
  const take = (key: string, text: string, at: string): boolean => {
    const isType = key === 'type' && readFrequency(text).value !== undefined;
    const name = CURRENCY.test(key)
      ? 'currency'
      : FREQUENCY.test(key) || isType
        ? 'price_freq'
        : '';
    if (name !== '' && text.trim() !== '')
      stated.push([name, { ...price, name: at, attributes: {}, children: [], text }]);
    return name !== '';
  };
  const attributes = Object.entries(price.attributes).filter(
    ([key, text]) => !take(key, text, `${path}@${key}`),
  );
  const children = price.children.filter(
    (child) => !take(child.name, trimmed(child), `${path}/${child.name}`),
  );
  return { stated, price: { ...price, attributes: Object.fromEntries(attributes), children } };
}
