import { SERVED_LANGUAGES } from '../../../lib/languages.ts';

/** Kyero's languages in the order of their codes, each with its element: a code of ISO 639-1. */
export const KYERO_LANGUAGES: readonly { readonly code: number; readonly element: string }[] = SERVED_LANGUAGES.filter(
  // Kyero has no Polish.
  ({ element }) => element !== 'pl',
).map(({ code, element }) => ({ code, element: element === 'uk' ? 'en' : element }));

/** The elements of languages by their codes. */
export const ELEMENTS: ReadonlyMap<number, string> = new Map(
  KYERO_LANGUAGES.map(({ code, element }) => [code, element]),
);
