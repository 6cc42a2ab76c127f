/** The feed's languages by code: the number in the parameter `Language`, and the name of the element. */
export const LANGUAGES = [
  { code: 1, element: 'uk' },
  { code: 2, element: 'es' },
  { code: 3, element: 'de' },
  { code: 4, element: 'fr' },
  { code: 5, element: 'nl' },
  { code: 6, element: 'da' },
  { code: 7, element: 'ru' },
  { code: 8, element: 'sv' },
  { code: 9, element: 'pl' },
  { code: 10, element: 'no' },
] as const;

/**
 * Languages that are stored, imported and exported, of which Kyero's format has the first four and no other has any. Their
 * codes are in the database, so they are permanent. Elements are those of ISO 639-1, except `ua`: Ukrainian is `uk` there, which in the feed is English.
 */
export const FURTHER_LANGUAGES = [
  { code: 11, element: 'it' },
  { code: 12, element: 'pt' },
  { code: 13, element: 'fi' },
  { code: 14, element: 'ca' },
  { code: 15, element: 'cs' },
  { code: 16, element: 'hu' },
  { code: 17, element: 'tr' },
  { code: 18, element: 'el' },
  { code: 19, element: 'ro' },
  { code: 20, element: 'bg' },
  { code: 21, element: 'zh' },
  { code: 22, element: 'ar' },
  { code: 23, element: 'he' },
  { code: 24, element: 'is' },
  { code: 25, element: 'et' },
  { code: 26, element: 'lv' },
  { code: 27, element: 'lt' },
  { code: 28, element: 'sk' },
  { code: 29, element: 'sl' },
  { code: 30, element: 'hr' },
  { code: 31, element: 'sr' },
  { code: 32, element: 'ja' },
  { code: 33, element: 'ko' },
  { code: 34, element: 'eu' },
  { code: 35, element: 'gl' },
  { code: 36, element: 'ua' },
] as const;

/** Every language that a text may be stored in, in the order of the codes. */
export const STORED_LANGUAGES = [...LANGUAGES, ...FURTHER_LANGUAGES] as const;

/** The languages whose texts some feed shows. The triggers in `migrations/` have the number of the last one. */
export const SERVED_LANGUAGES = STORED_LANGUAGES.filter(({ code }) => code <= 14);

/** A language of feeds by the name of its element: `uk` is English. */
export type LanguageElement = (typeof LANGUAGES)[number]['element'];

/** A language that a text may be stored in, by the name of its element. */
export type StoredLanguage = (typeof STORED_LANGUAGES)[number]['element'];

/** The elements of languages by their codes. */
export const ELEMENTS: ReadonlyMap<number | null, StoredLanguage> = new Map(
  STORED_LANGUAGES.map(({ code, element }) => [code, element]),
);
