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

/** The name of a language's element in the feed: `uk` is English. */
export type LanguageElement = (typeof LANGUAGES)[number]['element'];
