import { type Picture, type PictureEntry, pictureOf } from '../../properties/pictures.ts';
import type { Listing } from '../listing.ts';
import { type Detail, type ListingChecks, NONE, when } from '../rule.ts';

const FEW_PICTURES = 5;

/** File name extensions of other files than pictures. */
const OTHER_FILE = /\.(pdf|mp4|mov|avi|html?|php|docx?|zip)$/i;

/** Hosts that a portal cannot reach: without a domain, of private networks, or reserved names. */
const PRIVATE_HOST =
  /^[^.]*$|^(127|10)\.\d+\.|^(192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\.|\.(local|localhost|internal|test|invalid|example)$/i;

function hostOf(url: string): string {
  return /^[a-z]+:\/\/(?:[^/?#@]*@)?([^/?#:]+)/i.exec(url)?.[1] ?? '';
}

/** Whether it is a picture of the demo agencies: everyone who can read the feed of a service for development can load it. */
export function isDemoPicture(url: string): boolean {
  return /^https?:\/\/[^/]+\/demo\/pictures\//.test(url);
}

/** Whether a text is a complete URL with http or https. Programs encode spaces and the like, so these are no mistake. */
function isLink(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}

/** What Kyero asks for, of the longer and of the shorter side: `rules.json` has its source. */
const KYERO_PIXELS = [1_280, 960] as const;

/** Whether a picture is smaller than Kyero asks for; not if its size is unknown. */
function isSmallForKyero({ width, height }: Picture): boolean {
  if (width === null || height === null) return false;
  const [long, short] = KYERO_PIXELS;
  return Math.max(width, height) < long || Math.min(width, height) < short;
}

/** The rules that look at one picture after the other: each begins anew with a property, and says whether a picture breaks it. */
const PICTURE_TESTS: Readonly<Record<string, () => (picture: Picture) => boolean>> = {
  picture_url_invalid:
    () =>
    ({ url }) =>
      !isLink(url),
  picture_not_reachable:
    () =>
    ({ url }) =>
      /^https?:/i.test(url) && PRIVATE_HOST.test(hostOf(url)) && !isDemoPicture(url),
  picture_not_https:
    () =>
    ({ url }) =>
      /^http:/i.test(url) && !isDemoPicture(url),
  picture_repeated: () => {
    const seen = new Set<string>();
    return ({ url }) => seen.size === seen.add(url).size;
  },
  picture_not_an_image:
    () =>
    ({ url }) =>
      OTHER_FILE.test(url.replace(/[?#].*/, '')),
  picture_small_for_kyero: () => isSmallForKyero,
};

/** Where pictures are that break a rule. */
export function placesOf(rule: string, pictures: readonly PictureEntry[]): number[] {
  const isFound = PICTURE_TESTS[rule]?.();
  if (isFound === undefined) return [];
  return pictures.flatMap((entry, index) => (isFound(pictureOf(entry)) ? [index + 1] : []));
}

/** One detail for all pictures that break a rule: the first, and how many others there are. */
function pictureCheck(rule: string): (listing: Listing) => readonly Detail[] {
  return ({ pictures }) => {
    const [first, ...others] = placesOf(rule, pictures);
    if (first === undefined) return NONE;
    const { url, width, height } = pictureOf(pictures[first - 1]!);
    const size = rule === 'picture_small_for_kyero' ? `${width} × ${height}: ` : '';
    return [{ node: pictureNode(first), value: `${size}${url}${andOthers(others.length)}` }];
  };
}

/** The node of a feed that shows the picture at a place. */
export function pictureNode(place: number): string {
  return `images/image[${place}]/url`;
}

/** How many others a rule finds, besides the one that it names. */
export function andOthers(count: number): string {
  return count === 0 ? '' : ` (+${count})`;
}

export const PICTURE_CHECKS: ListingChecks = {
  no_pictures: ({ pictures }) => when(pictures.length === 0, 'images', 0),
  few_pictures: ({ pictures }) =>
    when(pictures.length > 0 && pictures.length < FEW_PICTURES, 'images', pictures.length),
  ...Object.fromEntries(Object.keys(PICTURE_TESTS).map((rule) => [rule, pictureCheck(rule)])),
  tour_url_invalid: ({ virtual_tour_url, video_url }) => [
    ...when(isBadLink(virtual_tour_url), 'virtual_tour_url', virtual_tour_url),
    ...when(isBadLink(video_url), 'video_url', video_url),
  ],
};

function isBadLink(url: string | null): boolean {
  return url !== null && url !== '' && !isLink(url);
}
