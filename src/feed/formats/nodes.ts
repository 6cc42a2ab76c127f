import { element, escapeXml, withTags } from '../../lib/bytes/xml.ts';
import type { PictureEntry } from '../../properties/pictures.ts';

/**
 * The nodes `image` of a property, numbered from 1.
 *
 * @param pictures in the order of display
 * @param most the maximum number of pictures, 0 for all
 * @param urlOf returns the URL that the format shows for an escaped address. No node is written for an empty string or
 *   `null`; an empty string counts towards `most`, `null` does not.
 * @param floorPlan what marks a floor plan; nothing if the format does not
 */
export function images(
  pictures: readonly PictureEntry[],
  most: number,
  urlOf: (escaped: string) => string | null = (escaped) => escaped,
  floorPlan = '',
): string {
  let xml = '';
  let position = 0;
  let count = 0;
  for (const picture of pictures) {
    if (most !== 0 && count === most) break;
    const isPlain = typeof picture === 'string';
    const url = urlOf(escapeXml(isPlain ? picture : picture.url));
    if (url !== null) count++;
    if (!url) continue;
    const tags = isPlain || picture.kind === 'photo' ? '' : floorPlan;
    xml += `<image id="${++position}">${tags}<url>${url}</url></image>`;
  }
  return xml;
}

/** An element with children; nothing without any. */
export function parent(name: string, children: string): string {
  return children === '' ? '' : withTags(name, children);
}

/** A flag as 1 or 0. */
export function flagElement(name: string, value: boolean): string {
  return element(name, Number(value));
}

/** `YYYY-MM-DD hh:mm:ss` in UTC, for a time such as `2026-05-01T09:30:00Z`. */
export function dateTime(time: string): string {
  return time.slice(0, 19).replace('T', ' ');
}
