import { type Detail, type ListingRule, NONE, when } from '../rule.ts';

/** Fewer pictures than this get less attention. */
const FEW = 5;

/** The most pictures that Kyero's schema and Green-Acres accept. */
const MOST_KYERO = 50;
const MOST_GREEN_ACRES = 25;

/** The end of a URL's path that Kyero's schema requires of a picture; a query may not follow. */
const IMAGE_NAME = /\.(gif|jpe?g|png)$/i;

/** File name extensions that are certainly no pictures. */
const OTHER_FILE = /\.(pdf|mp4|mov|avi|html?|php|docx?|zip)$/i;

/** One detail for all pictures that a condition holds for: the first, and how many others there are. */
function pictures(urls: readonly string[], isFound: (url: string) => boolean): readonly Detail[] {
  const found = urls.flatMap((url, index) => (isFound(url) ? [index] : []));
  const [first] = found;
  if (first === undefined) return NONE;
  const others = found.length === 1 ? '' : ` and ${found.length - 1} more`;
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
    explanation: 'The property has no pictures. Portals reject it or show it last.',
    fix: 'Add pictures, at least one of the inside.',
    portals: [],
    check: ({ pictures }) => when(pictures.length === 0, 'images', 0),
  },
  {
    code: 'few_pictures',
    severity: 'info',
    explanation: `The property has fewer than ${FEW} pictures.`,
    fix: 'Add a picture of each room and of the outside.',
    portals: [],
    check: ({ pictures }) => when(pictures.length > 0 && pictures.length < FEW, 'images', pictures.length),
  },
  {
    code: 'more_than_50_pictures',
    severity: 'warning',
    explanation: `Kyero accepts ${MOST_KYERO} pictures and ignores the others.`,
    fix: `Put the best ${MOST_KYERO} first.`,
    portals: ['kyero'],
    check: ({ pictures }) => when(pictures.length > MOST_KYERO, 'images', pictures.length),
  },
  {
    code: 'more_than_25_pictures',
    severity: 'info',
    explanation: `Green-Acres shows ${MOST_GREEN_ACRES} pictures.`,
    fix: `Put the best ${MOST_GREEN_ACRES} first.`,
    portals: ['green-acres'],
    check: ({ pictures }) => when(pictures.length > MOST_GREEN_ACRES, 'images', pictures.length),
  },
  {
    code: 'picture_url_invalid',
    severity: 'error',
    explanation: 'The address of a picture is not a complete URL with http or https, so no portal can fetch it.',
    fix: 'Give a complete URL, with spaces and other special characters encoded.',
    portals: [],
    check: (listing) => pictures(listing.pictures, (url) => !isLink(url)),
  },
  {
    code: 'picture_not_reachable',
    severity: 'error',
    explanation: 'The address of a picture leads to a private or local machine, which no portal can reach.',
    fix: 'Publish the picture on a public server.',
    portals: [],
    check: (listing) => pictures(listing.pictures, (url) => /^https?:/i.test(url) && PRIVATE_HOST.test(hostOf(url))),
  },
  {
    code: 'picture_not_https',
    severity: 'warning',
    explanation: 'A picture is served by http. Browsers block it, or warn, on portals that are served by https.',
    fix: 'Serve pictures by https.',
    portals: [],
    check: (listing) => pictures(listing.pictures, (url) => /^http:/i.test(url)),
  },
  {
    code: 'picture_repeated',
    severity: 'warning',
    explanation: 'A picture occurs more than once.',
    fix: 'Remove the repeated picture.',
    portals: [],
    check: (listing) => {
      const seen = new Set<string>();
      return pictures(listing.pictures, (url) => seen.size === seen.add(url).size);
    },
  },
  {
    code: 'picture_not_an_image',
    severity: 'error',
    explanation: 'A picture is, by its name, not an image but a document, a video or a page.',
    fix: 'Remove it, or put it where it belongs: a video or a virtual tour has its own node.',
    portals: [],
    check: (listing) => pictures(listing.pictures, isOtherFile),
  },
  {
    code: 'picture_name_without_extension',
    severity: 'warning',
    explanation:
      "Kyero's schema accepts only pictures whose URL ends in .jpg, .jpeg, .png or .gif, without a query behind it.",
    fix: 'Give pictures such URLs, with the version in the name instead of a query.',
    portals: ['kyero'],
    check: (listing) => pictures(listing.pictures, (url) => !IMAGE_NAME.test(url) && !isOtherFile(url)),
  },
  {
    code: 'tour_url_invalid',
    severity: 'warning',
    explanation: 'The virtual tour or the video is not a complete URL with http or https.',
    fix: 'Give the address of the tour or video itself, without HTML around it.',
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
