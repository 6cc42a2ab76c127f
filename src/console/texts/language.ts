/** The languages of the pages, with their own names. */
export const LANGUAGE_NAMES = { en: 'English', es: 'Español' } as const;

export type Language = keyof typeof LANGUAGE_NAMES;

/** The texts of some pages in each language: one that lacks a text does not compile. */
export type InLanguages<Texts> = Readonly<Record<Language, Texts>>;

export function isLanguage(text: string | undefined): text is Language {
  return text === 'en' || text === 'es';
}
