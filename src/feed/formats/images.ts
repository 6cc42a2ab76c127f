import { escapeXml } from '../../lib/bytes/xml.ts';

/**
 * The nodes `image` of a property, numbered from 1.
 *
 * @param pictures addresses in display order, a line each
 * @param most the maximum number of pictures, 0 for all
 * @param urlOf returns the URL that the format shows for an escaped address. No node is written for an empty string or
 *   `null`; an empty string counts towards `most`, `null` does not.
 */
export function images(
  pictures: string | null,
  most: number,
  urlOf: (escaped: string) => string | null = (escaped) => escaped,
): string {
  if (pictures === null) return '';
  // Escaped as one text, which is safe because line feeds are neither escaped nor removed.
  const urls = escapeXml(pictures);
  let xml = '';
  let position = 0;
  let count = 0;
  for (let start = 0; start < urls.length && (most === 0 || count < most); ) {
    const next = urls.indexOf('\n', start);
    const end = next === -1 ? urls.length : next;
    const url = urlOf(urls.slice(start, end));
    if (url !== null) count++;
    if (url) xml += `<image id="${++position}"><url>${url}</url></image>`;
    start = end + 1;
  }
  return xml;
}
