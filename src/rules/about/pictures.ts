import { isDemoPicture } from '../../demo/picture-url.ts';
import { type Detail, type ListingRule, NONE, when } from '../rule.ts';

/** Number of pictures below which a property gets less attention. */
const FEW_PICTURES = 5;

/** File name extensions of other files than pictures. */
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

/** Whether a text is a complete URL with http or https. Programs encode spaces and the like, so these are no mistake. */
function isLink(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}

export const PICTURE_RULES: readonly ListingRule[] = [
  {
    code: 'no_pictures',
    severity: 'error',
    en: 'The property has no pictures. Portals reject such properties or rank them last.',
    es: 'El inmueble no tiene fotos. Los portales rechazan estos inmuebles o los muestran al final.',
    fix: { en: 'Add pictures, at least one of the inside.', es: 'Añada fotos, al menos una del interior.' },
    check: ({ pictures }) => when(pictures.length === 0, 'images', 0),
  },
  {
    code: 'few_pictures',
    severity: 'info',
    en: `The property has fewer than ${FEW_PICTURES} pictures.`,
    es: `El inmueble tiene menos de ${FEW_PICTURES} fotos.`,
    fix: { en: 'Add one of each room and of the exterior.', es: 'Añada una de cada habitación y del exterior.' },
    check: ({ pictures }) => when(pictures.length > 0 && pictures.length < FEW_PICTURES, 'images', pictures.length),
  },
  {
    code: 'picture_url_invalid',
    severity: 'error',
    en: 'The address of a picture is not a complete URL that starts with http:// or https://.',
    es: 'La dirección de una foto no es una URL completa que empiece por http:// o https://.',
    fix: { en: 'Enter the complete URL.', es: 'Indique la URL completa.' },
    check: (listing) => pictures(listing.pictures, (url) => !isLink(url)),
  },
  {
    code: 'picture_not_reachable',
    severity: 'error',
    en: `A picture's address is on a private or local network, which no portal can reach.`,
    es: 'La dirección de una foto está en una red privada o local, a la que ningún portal puede acceder.',
    fix: { en: 'Publish the picture on a public server.', es: 'Publique la foto en un servidor público.' },
    check: (listing) =>
      pictures(
        listing.pictures,
        (url) => /^https?:/i.test(url) && PRIVATE_HOST.test(hostOf(url)) && !isDemoPicture(url),
      ),
  },
  {
    code: 'picture_not_https',
    severity: 'warning',
    en: 'A picture uses http. Browsers block it, or show a warning, on portals that use https.',
    es: 'Una foto usa http. Los navegadores la bloquean, o muestran un aviso, en los portales que usan https.',
    fix: { en: 'Serve pictures by https.', es: 'Sirva las fotos por https.' },
    check: (listing) => pictures(listing.pictures, (url) => /^http:/i.test(url) && !isDemoPicture(url)),
  },
  {
    code: 'picture_repeated',
    severity: 'warning',
    en: 'A picture occurs more than once.',
    es: 'Una foto aparece más de una vez.',
    fix: { en: 'Remove the repeated picture.', es: 'Elimine la foto repetida.' },
    check: (listing) => {
      const seen = new Set<string>();
      return pictures(listing.pictures, (url) => seen.size === seen.add(url).size);
    },
  },
  {
    code: 'picture_not_an_image',
    severity: 'error',
    en: `A picture's name is that of a document, a video or a web page, not of an image.`,
    es: 'El nombre de una foto es el de un documento, un vídeo o una página web, no el de una imagen.',
    fix: {
      en: 'Remove it, or put it where it belongs: videos and virtual tours have fields of their own.',
      es: 'Elimínela, o póngala donde corresponde: los vídeos y las visitas virtuales tienen sus propios campos.',
    },
    check: (listing) => pictures(listing.pictures, isOtherFile),
  },
  {
    code: 'tour_url_invalid',
    severity: 'warning',
    en: 'The virtual tour or the video is not a complete URL with http or https.',
    es: 'La visita virtual o el vídeo no es una URL completa con http o https.',
    fix: { en: 'Enter its address without HTML.', es: 'Indique su dirección, sin HTML.' },
    check: ({ virtual_tour_url, video_url }) => [
      ...when(isBadLink(virtual_tour_url), 'virtual_tour_url', virtual_tour_url),
      ...when(isBadLink(video_url), 'video_url', video_url),
    ],
  },
];

function isBadLink(url: string | null): boolean {
  return url !== null && url !== '' && !isLink(url);
}
