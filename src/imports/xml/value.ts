import type { Reporting } from '../pipeline/notes.ts';
import { spelling } from '../values/interpretation.ts';
import { readLanguage } from '../values/words.ts';
import { inEnglish, isEmpty, isMarkup, markupOf, ownText, trimmed, type XmlNode } from './node.ts';

/**
 * Names of the child, or of the attribute, that holds the one value of a node:
 * `<price><value>240000</value></price>`.
 */
const HOLDERS: ReadonlySet<string> = new Set(['value', 'amount', 'name']);

/** Attributes that name the language of a text. */
export const LANGUAGE_ATTRIBUTES: readonly string[] = ['language', 'lang', 'xml:lang'];

/**
 * The element with the one value of a node: the node itself, its text in English if it has one for
 * each language, or its only child or attribute with the name of a value, whose siblings are
 * reported. Any other structure is unreadable: joined, the texts of its elements would be another
 * value.
 *
 * @returns `undefined` if it is unreadable, which is reported
 */
export function singleValue(
  node: XmlNode,
  path: string,
  reporting: Reporting,
): XmlNode | undefined {
  if (node.children.length === 0) return node.text === '' ? valueOfAttribute(node) : node;
  const children = node.children.filter((child) => !isEmpty(child) && !isMarkup(child));
  const text = ownText(node);
  if (children.length === 0 && !saysByName(node))
    return trimmed(node) === '' ? valueOfAttribute(node) : node;
  if (
    text === '' &&
    children.length > 0 &&
    children.every(({ name }) => readLanguage(name, '').value !== undefined)
  )
    return singleValue(inEnglish({ ...node, children }), path, reporting);
  const [holder, ...others] = children.filter(
    ({ name }) => HOLDERS.has(name) || name === path.split('/').at(-1),
  );
  if (text === '' && holder !== undefined && others.length === 0) {
    const value = singleValue({ ...holder, name: node.name }, path, reporting);
    if (value !== undefined)
      reporting.interpreted(path, 'nested', node.line, markupOf(node), trimmed(value));
    for (const child of children)
      if (child !== holder) reporting.ignored(`${path}/${child.name}`, child.line);
    return value;
  }
  reporting.interpreted(path, 'unreadable', node.line, markupOf(node), undefined);
  return undefined;
}

/**
 * An empty node with its value in an attribute: `<price value="250000"/>`,
 * `<feature name="Lift"/>`.
 */
export function valueOfAttribute(node: XmlNode): XmlNode {
  const [value, ...others] = Object.entries(node.attributes).flatMap(([name, text]) =>
    HOLDERS.has(name) && text.trim() !== '' ? [text] : [],
  );
  return value === undefined || others.length > 0 ? node : { ...node, children: [], text: value };
}

/** Whether a node has a value, readable or not, in its text, an element or an attribute. */
export function hasValue(node: XmlNode): boolean {
  return !isEmpty(node) || valueOfAttribute(node) !== node || saysByName(node);
}

/** Whether a node without text has an empty element whose name may be what it says: `<status><sold/></status>`. */
function saysByName(node: XmlNode): boolean {
  return (
    isEmpty(node) &&
    node.children.some(
      (child) =>
        !isMarkup(child) &&
        !HOLDERS.has(child.name) &&
        child.name !== node.name &&
        readLanguage(child.name, '').value === undefined,
    )
  );
}

/**
 * The trimmed text of the one value of a node; `undefined` if its structure is unreadable, empty
 * without a node.
 */
export function singleText(
  node: XmlNode | undefined,
  path: string,
  reporting: Reporting,
): string | undefined {
  if (node === undefined) return '';
  const value = singleValue(node, path, reporting);
  return value && trimmed(value);
}

/** Attributes and children of a number that say what it measures, or for which period it is. */
const MEASURES: ReadonlySet<string> = new Set([
  'unit',
  'units',
  'uom',
  'measure',
  'measurement',
  'metric',
  'areaunit',
  'sizeunit',
  'unitofmeasure',
  'period',
  'freq',
  'frequency',
  'per',
]);

/**
 * The {@link singleValue} of a node of a number, with its unit in its text:
 * `<built unit="sqft">1300</built>` is `1300 sqft`.
 *
 * @param inherited the unit of the element around it, which its own replaces
 */
export function measuredValue(
  node: XmlNode,
  path: string,
  reporting: Reporting,
  inherited = '',
): XmlNode | undefined {
  const children = node.children.filter(({ name }) => !isMeasureName(name));
  const value = singleValue({ ...node, children }, path, reporting);
  if (value === undefined || trimmed(value) === '') return value;
  const measure = measureOf(node) || measureOf(value) || inherited;
  const text = trimmed(value);
  const isStated = measure === '' || spelling(text).endsWith(spelling(measure));
  return isStated ? value : { ...value, children: [], text: `${text} ${measure}` };
}

/** In any letter case, and with the words joined or apart: `unitOfMeasure`, `unit-of-measure`. */
export function isMeasureName(name: string): boolean {
  return MEASURES.has(name.toLowerCase().replaceAll(/[-_]/g, ''));
}

/** The unit or period that the attributes or children of a node state; empty if none does. */
export function measureOf({ attributes, children }: XmlNode): string {
  const stated = [
    ...Object.entries(attributes).flatMap(([name, text]) => (isMeasureName(name) ? [text] : [])),
    ...children.filter(({ name }) => isMeasureName(name)).map(trimmed),
  ];
  return stated.join(' ').trim();
}
