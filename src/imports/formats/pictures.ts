import { fitsInto, isWebAddress } from '../../properties/checks.ts';
import { MAX_PICTURES, type PictureEntry, pictureOf } from '../../properties/pictures.ts';
import type { Reporting } from '../pipeline/notes.ts';
import { ownText, trimmed, type XmlNode } from '../xml/node.ts';
import { childrenByName, childrenWithNames } from '../xml/reading.ts';
import { BETWEEN_URLS, loadable } from './readers.ts';

/**
 * Maximum length of a URL in bytes, and the place of a floor plan among the pictures.
 */
const MAX_ADDRESS_BYTES = 1024;
const FLOOR_PLAN = Number.MAX_VALUE;

/**
 * URLs in the order of their ids, then those without, and floor plans at the end; otherwise in the
 * order of the file.
 */
export function picturesOf(node: XmlNode, reporting: Reporting): PictureEntry[] {
  const pictures = new Map<string, PictureEntry>();
  const isList = node.children.length === 0 && node.text.includes('//');
  const images = isList
    ? [node]
    : childrenWithNames(node, ['image', 'url', 'photo', 'picture'], reporting);
  const numbered = images.map((image) => ({ image, number: numberOf(image) }));
  for (const { image, number } of numbered.sort((a, b) => a.number - b.number)) {
    const path = isList ? node.name : `${node.name}/${image.name}`;
    if (number === FLOOR_PLAN) reporting.interpreted(path, 'floor_plan', image.line, '', '');
    for (const address of addressesOf(image, path, reporting)) {
      if (pictures.has(address))
        reporting.interpreted(path, 'repeated', image.line, address, address);
      else pictures.set(address, number === FLOOR_PLAN ? floorPlan(address) : address);
    }
  }
  const { size } = pictures;
  if (size > MAX_PICTURES)
    reporting.interpreted(node.name, 'too_many', node.line, `${size}`, MAX_PICTURES);
  return [...pictures.values()].slice(0, MAX_PICTURES);
}

function floorPlan(url: string): PictureEntry {
  return { ...pictureOf(url), kind: 'floor_plan' };
}

function numberOf({ attributes, children }: XmlNode): number {
  if (children.some((child) => child.name === 'tags' && /floor[ _-]?plan/i.test(trimmed(child))))
    return FLOOR_PLAN;
  const number = Number.parseInt(attributes.id ?? '', 10);
  return Number.isNaN(number) ? Number.MAX_SAFE_INTEGER : number;
}

/**
 * A URL that needs no interpretation, as nearly all pictures have: a file has more of them than of
 * anything else.
 */
const PLAIN_ADDRESS = /^https?:\/\/[\w\-.~:/?@!$&'()*+=]{1,240}\.(jpe?g|png|webp)$/i;

/**
 * The URL of a picture: in an element of its own, as text, or in an attribute; or several,
 * separated by commas or spaces.
 */
function addressesOf(image: XmlNode, path: string, reporting: Reporting): string[] {
  const only =
    image.children.length === 1 && image.children[0]!.name === 'url'
      ? trimmed(image.children[0])
      : '';
  if (PLAIN_ADDRESS.test(only) && image.attributes.type === undefined) return [only];
  const names = numberOf(image) === FLOOR_PLAN ? (['url', 'tags'] as const) : (['url'] as const);
  const { url } = childrenByName({ ...image, name: path, text: '' }, names, reporting);
  const text = trimmed(url);
  const { attributes } = image;
  const given =
    text || ownText(image) || (attributes.url ?? attributes.src ?? attributes.href ?? '').trim();
  // Feeds of this service append the fragment to the URL of a picture without the name of an image.
  const all = given
    .split(BETWEEN_URLS)
    .map((one) => withoutLines(loadable(one)).replace(/#\.jpg$/, ''));
  const encoded = all.map(encodedAddress);
  if (encoded.join() !== text.replace(/#\.jpg$/, ''))
    reporting.interpreted(path, 'spelling', image.line, given, encoded.join(' '));
  return encoded.filter((address) => {
    if (address === '') return false;
    const isImage = isPicture(address, image);
    const isStored = isImage && fitsInto(address, MAX_ADDRESS_BYTES);
    const kind = isImage ? 'out_of_bounds' : 'not_an_image';
    if (!isStored) reporting.interpreted(path, kind, image.line, address, undefined);
    return isStored;
  });
}

function withoutLines(address: string): string {
  return address
    .split('\n')
    .map((line) => line.trim())
    .join('');
}

/** The path of a file that is no image, by its ending. */
const OTHER_FILE =
  /^[^?#]*\.(pdf|docx?|xlsx?|pptx?|zip|rar|mp4|mov|avi|wmv|webm|mp3|html?)([?#]|$)/i;

/**
 * Whether neither the ending of a URL nor the media type of its element is that of another kind of
 * file, and its scheme one of the web.
 */
function isPicture(address: string, { attributes }: XmlNode): boolean {
  return (
    !OTHER_FILE.test(address) &&
    isWebAddress(address) &&
    !/^(application|video|audio|text)\//.test(attributes.type ?? '')
  );
}

/**
 * A URL in which characters that RFC 3986 does not allow are encoded: spaces, letters other than
 * those of ASCII, and percent signs that encode nothing.
 */
function encodedAddress(address: string): string {
  return address
    .toWellFormed()
    .replaceAll(/[^\x21-\x7e]|["<>\\^`{|}]/gu, encodeURIComponent)
    .replaceAll(/%(?![\da-f]{2})/gi, '%25');
}
