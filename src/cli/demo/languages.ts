import { LANGUAGES, type LanguageElement } from '../../lib/languages.ts';

/** One text in each of the ten languages. */
export type InTenLanguages = Readonly<Record<LanguageElement, string>>;

/** A line of ten texts divided by `|`, in the order of the languages' codes. */
export function inTenLanguages(line: string): InTenLanguages {
  const texts = line.split('|').map((text) => text.trim());
  if (texts.length !== LANGUAGES.length || texts.includes('')) throw new TypeError(`Not ten texts: ${line}`);
  return Object.fromEntries(LANGUAGES.map(({ element }, index) => [element, texts[index]])) as InTenLanguages;
}
