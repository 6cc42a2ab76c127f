/** What must not stand as it is in an XML 1.0 text: markup, CR (normalised away by readers) and forbidden characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the very characters that XML 1.0 forbids
const SPECIAL = /[&<>"'\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
const EVERY_SPECIAL = new RegExp(`${SPECIAL.source}|\\p{Surrogate}`, 'gu');

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\r': '&#13;',
};

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/**
 * Text as it may stand in an element or an attribute (XML 1.0 sections 2.2, 2.4 and 2.11): the five characters of markup
 * escaped, CR as a reference so that it survives, and what XML forbids removed, lone surrogates included.
 */
export function escapeXml(text: string): string {
  if (!SPECIAL.test(text) && text.isWellFormed()) return text;
  return text.replace(EVERY_SPECIAL, (character) => ENTITIES[character] ?? '');
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
