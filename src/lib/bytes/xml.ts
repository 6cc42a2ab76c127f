/** The media type of XML in UTF-8. */
export const XML_TYPE = 'application/xml; charset=utf-8';

/** What is escaped or removed: markup, CR (which parsers normalise away), and characters that XML 1.0 forbids. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 forbids these characters
const SPECIAL = /[\u0000-\u0008\u000b-\u001f&<>"'\ufffe\uffff]/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 forbids these characters
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

/** The ampersand comes first, because the other replacements begin with one. */
const ENTITIES = [
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&apos;'],
  ['\r', '&#13;'],
] as const;

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/**
 * Text escaped for an element or attribute (XML 1.0 sections 2.2, 2.4 and 2.11): the five markup characters as entities,
 * CR as a character reference to preserve it, and forbidden characters, including lone surrogates, removed.
 */
export function escapeXml(text: string): string {
  if (!SPECIAL.test(text) && text.isWellFormed()) return text;
  let escaped = text;
  for (const [character, entity] of ENTITIES) escaped = escaped.replaceAll(character, entity);
  return escaped.replace(FORBIDDEN, '');
}

/** An element with text or a number; empty if there is no value that XML can represent. */
export function element(name: string, value: string | number | null): string {
  if (value === null) return '';
  const text = typeof value === 'number' ? plainDecimal(value) : escapeXml(value);
  return text === '' ? '' : withTags(name, text);
}

/** An element with content that is escaped already. */
export function withTags(name: string, content: string): string {
  return `<${name}>${content}</${name}>`;
}

/** An element that is present even if empty. */
export function requiredElement(name: string, value: string | number): string {
  return element(name, value) || withTags(name, '');
}

/**
 * A finite number in plain decimal notation, without exponent, thousands separators or trailing zeros, with the digits of
 * the shortest decimal that parses to the same double.
 */
export function plainDecimal(value: number): string {
  const [number = '', exponent] = String(value).split('e');
  if (exponent === undefined) return number;
  const sign = value < 0 ? '-' : '';
  const [integer = '', fraction = ''] = number.slice(sign.length).split('.');
  const point = integer.length + Number(exponent);
  const digits = integer + fraction;
  return point <= 0 ? `${sign}0.${'0'.repeat(-point)}${digits}` : sign + digits.padEnd(point, '0');
}
