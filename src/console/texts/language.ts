/** The languages of the pages, with their own names. */
export const LANGUAGE_NAMES = { en: 'English', es: 'Español' } as const;

export type Language = keyof typeof LANGUAGE_NAMES;

export function isLanguage(text: string | undefined): text is Language {
  return text === 'en' || text === 'es';
}
