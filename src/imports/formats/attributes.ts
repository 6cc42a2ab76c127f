import type { Reporting } from '../pipeline/notes.ts';
import type { Understood } from '../values/interpretation.ts';
import { isAboutStatus, statusSaid } from '../values/status.ts';
import { isCurrency, readFrequency } from '../values/words.ts';
import { isEmpty, isMarkup, trimmed, type XmlNode } from '../xml/node.ts';
import {
  HOLDERS,
  isAboutPrice,
  isAboutShowing,
  isHarmless,
  isMeasureName,
  LANGUAGE_ATTRIBUTES,
  TECHNICAL,
  valueOfAttribute,
} from '../xml/value.ts';
import { COORDINATES } from './places.ts';

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
  if (!HOLDERS.has(attribute)) return false;
  return name === 'features' || (isEmpty(node) && valueOfAttribute(node).text === value);
}

const CURRENCY = /^(currency|currency_?code|iso|curr)$/i;
const FREQUENCY = /^(price_freq|freq|frequency|period|per|term)$/i;

/**
 * The currency, the period and the status that the node of a price states in attributes or elements, by their names or by what they say, as
 * nodes of their own; and the price without them and without what changes nothing.
 *
 * @param more nodes of the record that are about its price
 */
export function partsOfPrice(price: XmlNode, path: string, more: readonly XmlNode[]) {
  const stated: [name: 'currency' | 'price_freq' | 'status', node: XmlNode][] = [];
  const take = (key: string, text: string, at: string): boolean => {
    const isNamed = !isHarmless(key, text) && text !== '';
    const name =
      CURRENCY.test(key) || (isNamed && isCurrency(text))
        ? 'currency'
        : FREQUENCY.test(key) || (isNamed && readFrequency(text).value !== undefined)
          ? 'price_freq'
          : isAboutStatus(key) && !isAboutShowing(key)
            ? 'status'
            : '';
    if (name !== '' && text !== '') {
      const said = name === 'status' ? statusSaid(key, text) : text;
      stated.push([name, { ...price, name: at, attributes: {}, children: [], text: said }]);
    }
    return name !== '';
  };
  const attributes = Object.entries(price.attributes).filter(
    ([key, text]) => !take(key, text.trim(), `${path}@${key}`),
  );
  const children = [...price.children, ...more].filter(
    (child) =>
      !take(child.name, trimmed(child), `${path}/${child.name}`) &&
      !(isAboutPrice(child.name) && isHarmless(child.name, trimmed(child))),
  );
  return { stated, price: { ...price, attributes: Object.fromEntries(attributes), children } };
}

/**
 * What a node that decides how a property is offered says, as nodes of its own: its text, and each attribute that is not
 * an identifier or a date.
 */
export function statementsOf(
  node: XmlNode,
  path: string,
  read: (text: string) => Understood<unknown>,
  said: (name: string, text: string) => string,
): XmlNode[] {
  const kept: Record<string, string> = {};
  const stated: XmlNode[] = [];
  for (const [key, given] of Object.entries(node.attributes)) {
    const name = `${path}@${key}`;
    const text = HOLDERS.has(key) ? given.trim() : said(key, given.trim());
    const isKnown = read(text).value !== undefined;
    if (given.trim() === '' || (isHarmless(key, given) && !isKnown)) kept[key] = given;
    else if (text !== '') {
      const shown = isKnown || HOLDERS.has(key) ? text : `${key}: ${text}`;
      stated.push({ ...node, name, attributes: {}, children: [], text: shown });
    }
  }
  const own = { ...node, name: path, attributes: kept };
  return isEmpty(own) && own.children.length === 0 && stated.length > 0 ? stated : [own, ...stated];
}
