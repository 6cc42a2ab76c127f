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

/** Details of the pictures that a condition holds for, by their numbers from 1. */
function pictures(urls: readonly string[], isFound: (url: string, index: number) => boolean): readonly Detail[] {
  return urls.flatMap((url, index) =>
    isFound(url, index) ? [{ node: `images/image[${index + 1}]/url`, value: url }] : [],
  );
}

function parsed(url: string): URL | null {
  try {
    return new URL(url);
  } catch {
    return null;
  }
}

/** Whether a URL leads to a machine that a portal cannot reach. */
function isPrivate({ hostname }: URL): boolean {
  return (
    !hostname.includes('.') ||
    /^(127\.|10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.)/.test(hostname) ||
    /\.(local|localhost|internal|test|invalid|example)$/.test(hostname)
  );
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
    check: (listing) =>
      pictures(listing.pictures, (url) => /[\s<>"{}|\\^`]/.test(url) || !/^https?:$/.test(parsed(url)?.protocol ?? '')),
  },
  {
    code: 'picture_not_reachable',
    severity: 'error',
    explanation: 'The address of a picture leads to a private or local machine, which no portal can reach.',
    fix: 'Publish the picture on a public server.',
    portals: [],
    check: (listing) =>
      pictures(listing.pictures, (url) => {
        const address = parsed(url);
        return address !== null && /^https?:$/.test(address.protocol) && isPrivate(address);
      }),
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
    check: (listing) => pictures(listing.pictures, (url, index) => listing.pictures.indexOf(url) < index),
  },
  {
    code: 'picture_not_an_image',
    severity: 'error',
    explanation: 'A picture is, by its name, not an image but a document, a video or a page.',
    fix: 'Remove it, or put it where it belongs: a video or a virtual tour has its own node.',
    portals: [],
    check: (listing) => pictures(listing.pictures, (url) => OTHER_FILE.test(parsed(url)?.pathname ?? '')),
  },
  {
    code: 'picture_name_without_extension',
    severity: 'warning',
    explanation:
      "Kyero's schema accepts only pictures whose URL ends in .jpg, .jpeg, .png or .gif, without a query behind it.",
    fix: 'Give pictures such URLs, with the version in the name instead of a query.',
    portals: ['kyero'],
    check: (listing) => {
      // One finding per property: pictures of one program have URLs of one form.
      const [first] = pictures(
        listing.pictures,
        (url) => !IMAGE_NAME.test(url) && !OTHER_FILE.test(parsed(url)?.pathname ?? ''),
      );
      return first === undefined ? NONE : [first];
    },
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
  return url !== null && url !== '' && !/^https?:$/.test(parsed(url)?.protocol ?? '');
}
