import { escapeXml, XML_DECLARATION } from './xml.ts';

/** A component of an XML Schema: its name in the schema namespace, its attributes, and its content. */
export interface Component {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly content: string | readonly Component[];
}

/** How often an element occurs in its place. */
export type Occurrence = 'once' | 'optional' | 'any number' | 'at least once';

export function component(
  name: string,
  attributes: Readonly<Record<string, string>> = {},
  content: Component['content'] = [],
): Component {
  return { name, attributes, content };
}

/**
 * An element of a document.
 *
 * @param content the name of its type, or the particles of an anonymous type
 * @param constraints uniqueness constraints on its content
 */
export function element(
  name: string,
  occurrence: Occurrence,
  content: string | readonly Component[],
  documentation: string,
  constraints: readonly Component[] = [],
): Component {
  const named = typeof content === 'string';
  return component('element', { name, ...(named ? { type: content } : {}), ...OCCURS[occurrence] }, [
    documented(documentation),
    ...(named ? [] : [component('complexType', {}, content)]),
    ...constraints,
  ]);
}

const OCCURS: Readonly<Record<Occurrence, Readonly<Record<string, string>>>> = {
  once: {},
  optional: { minOccurs: '0' },
  'any number': { minOccurs: '0', maxOccurs: 'unbounded' },
  'at least once': { maxOccurs: 'unbounded' },
};

/** The same element, at least once and at most so many times. */
export function upTo(most: number, { name, attributes, content }: Component): Component {
  return component(name, { ...attributes, maxOccurs: String(most) }, content);
}

/** Elements in exactly this order. */
export function sequence(elements: readonly Component[]): Component {
  return component('sequence', {}, elements);
}

/** A named value type: the base type and the facets that restrict it. */
export function valueType(name: string, base: string, documentation: string, facets: readonly Component[]): Component {
  return component('simpleType', { name }, [documented(documentation), component('restriction', { base }, facets)]);
}

export function facet(
  name: 'pattern' | 'minLength' | 'maxLength' | 'minInclusive' | 'maxInclusive' | 'enumeration',
  value: string | number,
): Component {
  return component(name, { value: String(value) });
}

/** Facets that allow only these values. */
export function oneOf(values: readonly (string | number)[]): Component[] {
  return values.map((value) => facet('enumeration', value));
}

/** A constraint: no two elements found by `selector` have the same value in `field`. */
export function unique(name: string, selector: string, field: string): Component {
  return component('unique', { name }, [
    component('selector', { xpath: selector }),
    component('field', { xpath: field }),
  ]);
}

/** Documentation for readers of the schema. */
export function documented(text: string): Component {
  return component('annotation', {}, [component('documentation', { 'xml:lang': 'en' }, text)]);
}

/** A complete schema (XML Schema 1.0) of a document without namespace, as XML, with only the types that it uses. */
export function schema(documentation: string, root: Component, types: readonly Component[]): string {
  const used = typesUsedBy(root, types);
  const schema = component('schema', { 'xmlns:xs': 'http://www.w3.org/2001/XMLSchema' }, [
    documented(documentation),
    root,
    ...types.filter((type) => used.has(type)),
  ]);
  return XML_DECLARATION + render(schema, '');
}

function typesUsedBy(
  { attributes, content }: Component,
  types: readonly Component[],
  used: Set<Component> = new Set(),
): Set<Component> {
  const name = attributes.type ?? attributes.base;
  const type = types.find((candidate) => candidate.attributes.name === name);
  if (type !== undefined && !used.has(type)) typesUsedBy(type, types, used.add(type));
  if (typeof content !== 'string') for (const child of content) typesUsedBy(child, types, used);
  return used;
}

function render({ name, attributes, content }: Component, indent: string): string {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  const opening = `${indent}<xs:${name}${given.join('')}`;
  if (typeof content === 'string') return `${opening}>${escapeXml(content)}</xs:${name}>\n`;
  if (content.length === 0) return `${opening}/>\n`;
  return `${opening}>\n${content.map((child) => render(child, `${indent}  `)).join('')}${indent}</xs:${name}>\n`;
}
