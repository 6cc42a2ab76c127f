/** The feed's languages by the names of their elements, in the order of their numbers in the parameter `Language`, from 1. */
const FEED = ['uk', 'es', 'de', 'fr', 'nl', 'da', 'ru', 'sv', 'pl', 'no'] as const;

/**
 * Languages that are stored, imported and exported, but in no feed, except the first four, which Kyero's format has. Elements
 * are those of ISO 639-1, except `ua`: Ukrainian is `uk` there, which in the feed is English.
 */
const FURTHER = [
  'it',
  'pt',
  'fi',
  'ca',
  'cs',
  'hu',
  'tr',
  'el',
  'ro',
  'bg',
  'zh',
  'ar',
  'he',
  'is',
  'et',
  'lv',
  'lt',
  'sk',
  'sl',
  'hr',
  'sr',
  'ja',
  'ko',
  'eu',
  'gl',
  'ua',
] as const;

/** A language of feeds by the name of its element: `uk` is English. */
export type LanguageElement = (typeof FEED)[number];

/** A language that a text may be stored in, by the name of its element. */
export type StoredLanguage = LanguageElement | (typeof FURTHER)[number];

/** The codes are in the database, so they are permanent: new languages are appended. */
function coded<Element extends StoredLanguage>(elements: readonly Element[]) {
  return elements.map((element, index) => ({ code: index + 1, element }));
}

export const LANGUAGES = coded(FEED);

/** Every language that a text may be stored in, in the order of the codes. */
export const STORED_LANGUAGES = coded([...FEED, ...FURTHER]);

/** The languages whose texts some feed shows. The triggers in `migrations/` have the number of the last one. */
export const SERVED_LANGUAGES = STORED_LANGUAGES.filter(({ code }) => code <= 14);

/** The elements of languages by their codes. */
export const ELEMENTS: ReadonlyMap<number | null, StoredLanguage> = new Map(
  STORED_LANGUAGES.map(({ code, element }) => [code, element]),
);
