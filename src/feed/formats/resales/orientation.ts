import { escapeXml } from '../../../lib/bytes/xml.ts';
import { LANGUAGES } from '../../../lib/languages.ts';
import { COMPASS, directionsIn, ORIENTATION_NAMES } from '../orientation.ts';

/**
 * The category `Orientation` for a unit's directions: the eight points of the compass as words in each language, any
 * other code as it stands; a nested list is read flat, in order.
 *
 * @param directions JSON: short text codes, or lists of them
 * @param languages codes 1 to 10, ascending
 */
export function orientationOf(directions: string, languages: readonly number[]): string {
  const values = directionsIn(directions)
    .map((code) => `<value>${inLanguages(languages, (language) => COMPASS[code]?.[language - 1] ?? code)}</value>`)
    .join('');
  if (values === '') return '';
  return `<category><name>${inLanguages(languages, (language) => ORIENTATION_NAMES[language - 1])}</name>${values}</category>`;
}

/** One child per language that has a text, in the order of the codes. */
export function inLanguages(
  languages: readonly number[],
  text: (language: number, index: number) => string | null | undefined,
): string {
  let children = '';
  languages.forEach((language, index) => {
    const escaped = escapeXml(text(language, index) ?? '');
    const { element } = LANGUAGES[language - 1]!;
    if (escaped !== '') children += `<${element}>${escaped}</${element}>`;
  });
  return children;
}
