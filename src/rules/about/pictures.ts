import { isDemoPicture } from '../../demo/picture-url.ts';
import { FEW_PICTURES, GREEN_ACRES_PICTURES, KYERO_PICTURES } from '../limits.ts';
import { type Detail, type ListingRule, NONE, when } from '../rule.ts';

/** The end of a URL's path that Kyero's schema requires of a picture; a query may not follow. */
const IMAGE_NAME = /\.(gif|jpe?g|png)$/i;

/** File name extensions that are certainly no pictures. */
const OTHER_FILE = /\.(pdf|mp4|mov|avi|html?|php|docx?|zip)$/i;

/** One detail for all pictures that a condition holds for: the first, and how many others there are. */
function pictures(urls: readonly string[], isFound: (url: string) => boolean): readonly Detail[] {
  const found = urls.flatMap((url, index) => (isFound(url) ? [index] : []));
  const [first] = found;
  if (first === undefined) return NONE;
  const others = found.length === 1 ? '' : ` (+${found.length - 1})`;
  return [{ node: `images/image[${first + 1}]/url`, value: `${urls[first]}${others}` }];
}

function isOtherFile(url: string): boolean {
  return OTHER_FILE.test(url.replace(/[?#].*/, ''));
}

/** Hosts that a portal cannot reach: without a domain, of private networks, or reserved names. */
const PRIVATE_HOST =
  /^[^.]*$|^(127|10)\.\d+\.|^(192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\.|\.(local|localhost|internal|test|invalid|example)$/i;

/** The host of a URL as it is written. */
function hostOf(url: string): string {
  return /^[a-z]+:\/\/(?:[^/?#@]*@)?([^/?#:]+)/i.exec(url)?.[1] ?? '';
}

/** Whether a text is a complete URL with http or https, of characters that a URL may have. */
function isLink(url: string): boolean {
  return /^https?:\/\/[^\s<>"{}|\\^`/?#]+([/?#][^\s<>"{}|\\^`]*)?$/i.test(url);
}

export const PICTURE_RULES: readonly ListingRule[] = [
  {
    code: 'no_pictures',
    severity: 'error',
    portals: [],
    check: ({ pictures }) => when(pictures.length === 0, 'images', 0),
  },
  {
    code: 'few_pictures',
    severity: 'info',
    portals: [],
    check: ({ pictures }) => when(pictures.length > 0 && pictures.length < FEW_PICTURES, 'images', pictures.length),
  },
  {
    code: 'more_than_50_pictures',
    severity: 'warning',
    portals: ['kyero'],
    check: ({ pictures }) => when(pictures.length > KYERO_PICTURES, 'images', pictures.length),
  },
  {
    code: 'more_than_25_pictures',
    severity: 'info',
    portals: ['green-acres'],
    check: ({ pictures }) => when(pictures.length > GREEN_ACRES_PICTURES, 'images', pictures.length),
  },
  {
    code: 'picture_url_invalid',
    severity: 'error',
    portals: [],
    check: (listing) => pictures(listing.pictures, (url) => !isLink(url)),
  },
  {
    code: 'picture_not_reachable',
    severity: 'error',
    portals: [],
    check: (listing) =>
      pictures(
        listing.pictures,
        (url) => /^https?:/i.test(url) && PRIVATE_HOST.test(hostOf(url)) && !isDemoPicture(url),
      ),
  },
  {
    code: 'picture_not_https',
    severity: 'warning',
    portals: [],
    check: (listing) => pictures(listing.pictures, (url) => /^http:/i.test(url) && !isDemoPicture(url)),
  },
  {
    code: 'picture_repeated',
    severity: 'warning',
    portals: [],
    check: (listing) => {
      const seen = new Set<string>();
      return pictures(listing.pictures, (url) => seen.size === seen.add(url).size);
    },
  },
  {
    code: 'picture_not_an_image',
    severity: 'error',
    portals: [],
    check: (listing) => pictures(listing.pictures, isOtherFile),
  },
  {
    code: 'picture_name_without_extension',
    severity: 'warning',
    portals: ['kyero'],
    check: (listing) => pictures(listing.pictures, (url) => !IMAGE_NAME.test(url) && !isOtherFile(url)),
  },
  {
    code: 'tour_url_invalid',
    severity: 'warning',
    portals: [],
    check: ({ tourUrl, videoUrl }) => [
      ...when(isBadLink(tourUrl), 'virtual_tour_url', tourUrl),
      ...when(isBadLink(videoUrl), 'video_url', videoUrl),
    ],
  },
];

function isBadLink(url: string | null): boolean {
  return url !== null && url !== '' && !isLink(url);
}
