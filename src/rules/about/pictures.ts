import { addressOf } from '../../properties/pictures.ts';
import type { Listing } from '../listing.ts';
import { type Detail, type ListingChecks, NONE, when } from '../rule.ts';

const FEW_PICTURES = 5;

/** File name extensions of other files than pictures. */
const OTHER_FILE = /\.(pdf|mp4|mov|avi|html?|php|docx?|zip)$/i;

/** One detail for all pictures that a condition holds for: the first, and how many others there are. */
function pictures({ pictures }: Listing, isFound: (url: string) => boolean): readonly Detail[] {
  const urls = pictures.map(addressOf);
  const found = urls.flatMap((url, index) => (isFound(url) ? [index] : []));
  const [first] = found;
  if (first === undefined) return NONE;
  const others = found.length === 1 ? '' : ` (+${found.length - 1})`;
  return [{ node: `images/image[${first + 1}]/url`, value: `${urls[first]}${others}` }];
}

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

export const PICTURE_CHECKS: ListingChecks = {
  no_pictures: ({ pictures }) => when(pictures.length === 0, 'images', 0),
  few_pictures: ({ pictures }) =>
    when(pictures.length > 0 && pictures.length < FEW_PICTURES, 'images', pictures.length),
  picture_url_invalid: (listing) => pictures(listing, (url) => !isLink(url)),
  picture_not_reachable: (listing) =>
    pictures(
      listing,
      (url) => /^https?:/i.test(url) && PRIVATE_HOST.test(hostOf(url)) && !isDemoPicture(url),
    ),
  picture_not_https: (listing) =>
    pictures(listing, (url) => /^http:/i.test(url) && !isDemoPicture(url)),
  picture_repeated: (listing) => {
    const seen = new Set<string>();
    return pictures(listing, (url) => seen.size === seen.add(url).size);
  },
  picture_not_an_image: (listing) =>
    pictures(listing, (url) => OTHER_FILE.test(url.replace(/[?#].*/, ''))),
  tour_url_invalid: ({ virtual_tour_url, video_url }) => [
    ...when(isBadLink(virtual_tour_url), 'virtual_tour_url', virtual_tour_url),
    ...when(isBadLink(video_url), 'video_url', video_url),
  ],
};

function isBadLink(url: string | null): boolean {
  return url !== null && url !== '' && !isLink(url);
}
