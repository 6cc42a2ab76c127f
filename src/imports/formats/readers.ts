import type { PortfolioDocumentInput } from '../../properties/documents.ts';
import type { Reporting } from '../pipeline/notes.ts';
import { readFlag, readPresence } from '../values/flag.ts';
import type { Understood } from '../values/interpretation.ts';
import { readArea, readFee, readWhole, YEAR_NUMBER } from '../values/number.ts';
import { ownText, trimmed, type XmlNode } from '../xml/node.ts';
import { optionalValue } from '../xml/reading.ts';
import { decided, hasValue, measuredValue, singleText, singleValue } from '../xml/value.ts';
import type { NodeKind } from './fields.ts';

export type Input = Extract<PortfolioDocumentInput, { kind: 'property' }>;

/**
 * The fields that nodes of a record give; `undefined` means an empty node: the field has no value.
 */
export type Part = { [Key in keyof Input]?: Input[Key] | undefined } & {
  /** Fields whose nodes are unreadable. */
  unknown?: readonly (keyof Input)[];
  /** The terrace that the built area names: `50 + 75 terrace`. */
  terrace?: number;
};

/** @param path the node's path below its record, for reports; by default its name */
export type Reader = (node: XmlNode, reporting: Reporting, path?: string) => Part;

/** A node whose interpreted value is stored; an unreadable one leaves the field unknown. */
export function read(
  field: keyof Input,
  understand: (text: string) => Understood<unknown>,
  elementOf: typeof singleValue = singleValue,
): Reader {
  return (node, reporting, path = node.name) => {
    const value = optionalValue(reporting, path, node, understand, elementOf);
    return value === undefined && hasValue(node) ? { unknown: [field] } : { [field]: value };
  };
}

/** A text that is stored as it is, unless `clean` changes it; nothing if that is empty. */
export function text(field: keyof Input, clean: (text: string) => string): Reader {
  return (node, reporting, path = node.name) => {
    const given = singleText(node, path, reporting);
    return given === undefined ? { unknown: [field] } : { [field]: clean(given) || undefined };
  };
}

/** A number; unknown if an attribute or a child may change what it means. */
export function number(
  field: keyof Input,
  understand: (text: string) => Understood<number>,
): Reader {
  return read(field, understand, decided(understand, measuredValue));
}

/** @param unit the unit of the element around it */
export function area(field: keyof Input, unit = ''): Reader {
  const elementOf: typeof singleValue = (node, path, reporting) =>
    measuredValue(node, path, reporting, unit);
  return read(field, readArea, decided(readArea, elementOf));
}

/** A URL, plain or from an HTML element that embeds it. */
function link(field: keyof Input): Reader {
  return (node, reporting) => {
    const embedded = node.children.find(({ attributes }) => attributes.src ?? attributes.href);
    const texts = [ownText(node), ...node.children.map(trimmed)].filter((text) => text !== '');
    const text = embedded
      ? `<iframe src="${embedded.attributes.src ?? embedded.attributes.href}">`
      : texts.join(' ');
    return read(field, readLink)({ ...node, children: [], text }, reporting);
  };
}

export const BETWEEN_URLS = /(?<![\s,;|])[\s,;|]+(?=(?:https?:)?\/\/)/i;

/** A URL, plain or extracted from markup that embeds it. */
function readLink(text: string): Understood<string> {
  const embedded =
    /<(?:iframe|a|embed|video|source)\b[^>]*?\b(?:src|href)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i.exec(
      text,
    );
  const found = embedded?.slice(1).find((part) => part !== undefined);
  if (found !== undefined) return { value: loadable(found.trim()), how: 'link_extracted' };
  const [first, ...others] = text.split(BETWEEN_URLS);
  if (others.length > 0) return { value: loadable(first!), how: 'first_of_several' };
  const value = loadable(text);
  return value === text ? { value } : { value, how: 'spelling' };
}

/**
 * A URL with its scheme, and without the second escape of ampersands that are escaped twice:
 * WordPress writes `&#038;`.
 */
export function loadable(address: string): string {
  return address.replace(/^(\/\/|(?=www\.))/i, 'https://').replaceAll(/&(amp|#0*38);/g, '&');
}

/** A yearly or monthly amount. */
export function fee(
  field: keyof Input,
  per: 'month' | 'year',
  understand: (text: string) => Understood<number> = (text) => readFee(text, per),
): Reader {
  return number(field, understand);
}

/** The readers of fields that are one node, by their kind. */
export const KINDS: Readonly<Record<Exclude<NodeKind, 'text'>, (field: keyof Input) => Reader>> = {
  flag: (field) => read(field, readFlag, decided(readFlag)),
  presence: (field) => read(field, readPresence, decided(readPresence)),
  monthly: (field) => fee(field, 'month'),
  yearly: (field) => fee(field, 'year'),
  area,
  year: (field) => number(field, (text) => readWhole(text, YEAR_NUMBER, Math.floor)),
  link,
};
