/** Text that stands in XML 1.0 as it is: neither markup, nor CR (normalised away by readers), nor what is forbidden. */
const PLAIN = /^[\t\n !#-%(-;=?-\ufffd]*$/;

/** What of Latin-1 is not plain, in classes of so few characters that V8 looks for them at sixteen places at once. */
const RARE = [
  /[&<>"'\r]/,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the very characters that XML 1.0 forbids
  /[\u0000-\u0008\u000b\u000c\u000e-\u0010]/,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the very characters that XML 1.0 forbids
  /[\u0011-\u001f]/,
];

const BEYOND_LATIN1 = /[\u0100-\uffff]/;

/** UTF-16 units from which on to look for one class after the other is quicker than to look at each character once. */
const LONG = 128;

/** The same as {@link PLAIN}, with markup. */
const ALLOWED = /^[\t\n -\ufffd]*$/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the very characters that XML 1.0 forbids
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

/** The ampersand comes first, since the others become what begins with one. */
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
 * Text as it may stand in an element or an attribute (XML 1.0 sections 2.2, 2.4 and 2.11): the five characters of markup
 * escaped, CR as a reference so that it survives, and what XML forbids removed, lone surrogates included.
 */
export function escapeXml(text: string): string {
  if (isPlain(text)) return text;
  let escaped = text;
  for (const [character, entity] of ENTITIES) escaped = escaped.replaceAll(character, entity);
  return ALLOWED.test(escaped) && escaped.isWellFormed() ? escaped : escaped.replace(FORBIDDEN, '');
}

function isPlain(text: string): boolean {
  if (text.length < LONG || BEYOND_LATIN1.test(text)) return PLAIN.test(text) && text.isWellFormed();
  return !RARE.some((characters) => characters.test(text));
}

/** An element with text or a number, or nothing where there is no value that XML can hold. */
export function element(name: string, value: string | number | null): string {
  if (value === null) return '';
  const text = typeof value === 'number' ? plainDecimal(value) : escapeXml(value);
  return text === '' ? '' : `<${name}>${text}</${name}>`;
}

/** An element that is there whatever its content. */
export function requiredElement(name: string, value: string | number): string {
  return element(name, value) || `<${name}></${name}>`;
}

/**
 * A finite number in plain decimals: no exponent, no thousands separator, no trailing zeros, and the digits of the
 * shortest decimal that reads back as the same double.
 */
export function plainDecimal(value: number): string {
  const text = String(value);
  const exponentAt = text.indexOf('e');
  if (exponentAt < 0) return text;
  const sign = value < 0 ? '-' : '';
  const [whole = '', fraction = ''] = text.slice(sign.length, exponentAt).split('.');
  const point = whole.length + Number(text.slice(exponentAt + 1));
  const digits = whole + fraction;
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return sign + digits.padEnd(point, '0');
}
