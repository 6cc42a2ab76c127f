/** The country of a property that states none: many readers skip a record without a country. */
export const DEFAULT_COUNTRY = 'Spain';

/** A text with its white space collapsed, as XML Schema compares tokens. */
export function token(text: string): string {
  return text.replaceAll(/[\t\n\r ]+/g, ' ').trim();
}

/** Maximum length of the URL of a web page. */
const LONGEST_URL = 255;

/** The URL of a web page, if Kyero's schema allows it: of HTTP, at most 255 characters. */
export function schemaUrl(given: string): string | null {
  const url = token(given);
  return /^https?:\/\//.test(url) && [...url].length <= LONGEST_URL ? url : null;
}
