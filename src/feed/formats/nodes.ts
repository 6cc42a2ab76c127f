import { escapeXml, withTags } from '../../lib/bytes/xml.ts';
import type { EpochSeconds } from '../../lib/time/time.ts';

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

/** An element with children; nothing without any. */
export function parent(name: string, children: string): string {
  return children === '' ? '' : withTags(name, children);
}

/** `YYYY-MM-DD hh:mm:ss` in UTC. */
export function dateTime(seconds: EpochSeconds): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
}
