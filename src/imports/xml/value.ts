import { type Reporting, SILENT } from '../pipeline/notes.ts';
import { readFlag } from '../values/flag.ts';
import { spelling, type Understood } from '../values/interpretation.ts';
import { readLanguage } from '../values/words.ts';
import NAMES from './names.json' with { type: 'json' };
import {
  inEnglish,
  isEmpty,
  isMarkup,
  joinsWords,
  markupOf,
  ownText,
  trimmed,
  type XmlNode,
} from './node.ts';

/**
 * Names of the child, or of the attribute, that holds the one value of a node:
 * `<price><value>240000</value></price>`.
 */
export const HOLDERS: ReadonlySet<string> = new Set(NAMES.holders);

/** Attributes that say nothing of a property. */
export const TECHNICAL = /^(xmlns(:.*)?|xsi:.*|xml:space)$/;

/** In any letter case, and with the words joined or apart: `unitOfMeasure`, `unit-of-measure`. */
function nameIn(names: ReadonlySet<string>, name: string): boolean {
  return names.has(name.toLowerCase().replaceAll(/[-_]/g, ''));
}

const HARMLESS: ReadonlySet<string> = new Set(NAMES.harmless);
const HIDING: ReadonlySet<string> = new Set(NAMES.hiding);
const SHOWING: ReadonlySet<string> = new Set(NAMES.showing);

/**
 * Whether an attribute or element can be ignored because it does not change the value that it stands at: an
 * identifier, a date, an earlier value, or `on_request="0"`.
 */
export function isHarmless(name: string, text: string): boolean {
  const answer = readFlag(text).value;
  return (
    TECHNICAL.test(name) ||
    nameIn(HARMLESS, name) ||
    (nameIn(HIDING, name) && answer === false && text.trim() !== '') ||
    (nameIn(SHOWING, name) && answer === true)
  );
}

/** Whether a part of a price says by its name whether the price is shown. */
export function isAboutShowing(name: string): boolean {
  return nameIn(HIDING, name) || nameIn(SHOWING, name);
}

/** Whether a node of a record says so: `<price_on_request>1</price_on_request>`. */
export function isAboutPrice(name: string): boolean {
  return /price|precio|preis|prix|prijs|request|poa/i.test(name) && isAboutShowing(name);
}

/** Attributes that name the language of a text. */
export const LANGUAGE_ATTRIBUTES: readonly string[] = ['language', 'lang', 'xml:lang'];

const SORTING: ReadonlySet<string> = new Set(NAMES.sorting);
const ANSWERING: ReadonlySet<string> = new Set(NAMES.answering);
const PERIODS: ReadonlySet<string> = new Set(NAMES.periods);

/** Whether a part of a feature sorts it: `<feature category="Leisure">`. */
export function isSorting(name: string): boolean {
  return nameIn(SORTING, name);
}

/** Whether a part of a feature says whether there is one: `<feature available="0">`. */
export function isAnswering(name: string): boolean {
  return nameIn(ANSWERING, name);
}

/** Whether a node of a record may say by its name for which period its price is: `<operation>rent</operation>`. */
export function isAboutPeriod(name: string): boolean {
  return nameIn(PERIODS, name);
}

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
  if (children.length === 0 && !saysByName(node)) {
    if (trimmed(node) === '') return valueOfAttribute(node);
    if (joinsWords(node))
      reporting.interpreted(path, 'nested', node.line, markupOf(node), trimmed(node));
    return node;
  }
  if (text === '' && children.length > 0 && children.every(({ name }) => isLanguage(name)))
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
 * An element as {@link singleValue} finds it, unless an attribute or an element beside the value may say something else: then
 * nothing is known. For values that decide how a property is offered, or how large it is.
 */
export function decided(
  read: (text: string) => Understood<unknown>,
  elementOf: typeof singleValue = singleValue,
): typeof singleValue {
  return (node, path, reporting) => {
    const isPlain = node.children.length === 0 && Object.keys(node.attributes).length === 0;
    const text = isPlain ? '' : trimmed(elementOf(node, path, SILENT));
    const isSame = (one: string) =>
      one === text || JSON.stringify(read(one).value) === JSON.stringify(read(text).value);
    if (text === '' || isUndisputed(node, path.split('/').at(-1)!, isSame))
      return elementOf(node, path, reporting);
    reporting.interpreted(path, 'unreadable', node.line, markupOf(node, true), undefined);
    return undefined;
  };
}

function isUndisputed(node: XmlNode, own: string, isSame: (text: string) => boolean): boolean {
  const measured = (text: string) => `${text.trim()} ${measureOf(node)}`.trim();
  const isRead = (name: string, text: string) =>
    isMeasureName(name) ||
    isHarmless(name, text) ||
    (HOLDERS.has(name) && text.length <= MAX_LENGTH && isSame(measured(text)));
  const attributes = Object.entries(node.attributes);
  return (
    attributes.every(([name, text]) => text.trim() === '' || isRead(name, text)) &&
    node.children.every((child) => {
      if (isMarkup(child)) return true;
      const { name } = child;
      const text = trimmed(child);
      if (isLanguage(name) && text !== '' && !isSame(measured(text))) return false;
      const isValue = HOLDERS.has(name) || name === own || isLanguage(name);
      return isValue ? isUndisputed(child, own, isSame) : isRead(name, text);
    })
  );
}

/** Values that are longer contradict the text of their node. */
const MAX_LENGTH = 200;

function isLanguage(name: string): boolean {
  return readLanguage(name, '').value !== undefined;
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
        !isLanguage(child.name),
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
const MEASURES: ReadonlySet<string> = new Set(NAMES.measures);

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
  const own = new Set([measureOf(node), measureOf(value)].filter((one) => one !== ''));
  const measure = [...own].join(' ') || inherited;
  const text = trimmed(value);
  const isStated = measure === '' || spelling(text).endsWith(spelling(measure));
  return isStated ? value : { ...value, children: [], text: `${text} ${measure}` };
}

export function isMeasureName(name: string): boolean {
  return nameIn(MEASURES, name);
}

/** The unit or period that the attributes or children of a node state; empty if none does. */
export function measureOf({ attributes, children }: XmlNode): string {
  const stated = [
    ...Object.entries(attributes).flatMap(([name, text]) => (isMeasureName(name) ? [text] : [])),
    ...children.filter(({ name }) => isMeasureName(name)).map(trimmed),
  ];
  return stated.join(' ').trim();
}
