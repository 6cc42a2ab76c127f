/** Text that needs no escaping in XML 1.0: no markup, no CR (which parsers normalise away), no forbidden character. */
const PLAIN = /^[\t\n !#-%(-;=?-\ufffd]*$/;

/**
 * The Latin-1 characters that are not plain, in classes small enough for V8 to search 16 positions at a time: those that
 * are escaped, and those that XML forbids.
 */
const ESCAPED = /[&<>"'\r]/;
const FORBIDDEN_LATIN1 = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 forbids these characters
  /[\u0000-\u0008\u000b\u000c\u000e-\u0010]/,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 forbids these characters
  /[\u0011-\u001f]/,
];

const BEYOND_LATIN1 = /[\u0100-\uffff]/;

/** UTF-16 code units from which searching for one class after another is faster than one pass over all characters. */
const LONG = 128;

/** Like {@link PLAIN}, but including markup. */
const ALLOWED = /^[\t\n -\ufffd]*$/;

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
  if (text.length < LONG || BEYOND_LATIN1.test(text)) {
    if (PLAIN.test(text) && text.isWellFormed()) return text;
    const escaped = withEntities(text);
    return ALLOWED.test(escaped) && escaped.isWellFormed() ? escaped : escaped.replace(FORBIDDEN, '');
  }
  const escaped = ESCAPED.test(text) ? withEntities(text) : text;
  return FORBIDDEN_LATIN1.some((characters) => characters.test(text)) ? escaped.replace(FORBIDDEN, '') : escaped;
}

function withEntities(text: string): string {
  let escaped = text;
  for (const [character, entity] of ENTITIES) escaped = escaped.replaceAll(character, entity);
  return escaped;
}

/** An element with text or a number; empty if there is no value that XML can represent. */
export function element(name: string, value: string | number | null): string {
  if (value === null) return '';
  const text = typeof value === 'number' ? plainDecimal(value) : escapeXml(value);
  return text === '' ? '' : withTags(name, text);
}

interface Tags {
  readonly start: string;
  readonly end: string;
}

/** By name of element. Names are those of the code, so these are few. */
const tagsByName = new Map<string, Tags>();

/** An element with content that is escaped already: from tags composed once, which halves the time of a short element. */
export function withTags(name: string, content: string): string {
  let tags = tagsByName.get(name);
  if (tags === undefined) {
    tags = { start: `<${name}>`, end: `</${name}>` };
    tagsByName.set(name, tags);
  }
  return tags.start + content + tags.end;
}

/** An element that is present even if empty. */
export function requiredElement(name: string, value: string | number): string {
  return element(name, value) || `<${name}></${name}>`;
}

/**
 * A finite number in plain decimal notation, without exponent, thousands separators or trailing zeros, with the digits of
 * the shortest decimal that parses to the same double.
 */
export function plainDecimal(value: number): string {
  const text = String(value);
  if (Number.isSafeInteger(value)) return text;
  const exponentAt = text.indexOf('e');
  if (exponentAt < 0) return text;
  const sign = value < 0 ? '-' : '';
  const [integer = '', fraction = ''] = text.slice(sign.length, exponentAt).split('.');
  const point = integer.length + Number(text.slice(exponentAt + 1));
  const digits = integer + fraction;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return sign + digits.padEnd(point, '0');
}
