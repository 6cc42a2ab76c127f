import { LANGUAGES } from '../lib/languages.ts';
import { escapeXml } from '../lib/xml.ts';

/** The code of the feature category for the directions that a property faces. */
export const ORIENTATION = 'Orientation';

/** The names of the category in the languages 1 to 10. */
export const ORIENTATION_NAMES: readonly string[] = [
  'Orientation',
  'Orientación',
  'Ausrichtung',
  'Orientation',
  'Oriëntatie',
  'Orientering',
  'Ориентация',
  'Väderstreck',
  'Orientacja',
  'Himmelretning',
];

/** The points of the compass in the languages 1 to 10. */
export const COMPASS: Readonly<Record<string, readonly string[]>> = {
  N: ['North', 'Norte', 'Nord', 'Nord', 'Noord', 'Nord', 'Север', 'Norr', 'Północ', 'Nord'],
  S: ['South', 'Sur', 'Süd', 'Sud', 'Zuid', 'Syd', 'Юг', 'Söder', 'Południe', 'Sør'],
  E: ['East', 'Este', 'Ost', 'Est', 'Oost', 'Øst', 'Восток', 'Öster', 'Wschód', 'Øst'],
  W: ['West', 'Oeste', 'West', 'Ouest', 'West', 'Vest', 'Запад', 'Väster', 'Zachód', 'Vest'],
  NE: [
    'North East',
    'Noreste',
    'Nordost',
    'Nord-est',
    'Noordoost',
    'Nordøst',
    'Северо-восток',
    'Nordost',
    'Północny wschód',
    'Nordøst',
  ],
  NW: [
    'North West',
    'Noroeste',
    'Nordwest',
    'Nord-ouest',
    'Noordwest',
    'Nordvest',
    'Северо-запад',
    'Nordväst',
    'Północny zachód',
    'Nordvest',
  ],
  SE: [
    'South East',
    'Sureste',
    'Südost',
    'Sud-est',
    'Zuidoost',
    'Sydøst',
    'Юго-восток',
    'Sydost',
    'Południowy wschód',
    'Sørøst',
  ],
  SW: [
    'South West',
    'Suroeste',
    'Südwest',
    'Sud-ouest',
    'Zuidwest',
    'Sydvest',
    'Юго-запад',
    'Sydväst',
    'Południowy zachód',
    'Sørvest',
  ],
};

/**
 * The category `Orientation` for a unit's directions: the eight points of the compass as words in each language, any
 * other code as it stands; a nested list is read flat, in order.
 *
 * @param directions JSON: short text codes, or lists of them
 * @param languages codes 1 to 10, ascending
 */
export function orientationOf(directions: string, languages: readonly number[]): string {
  const codes = (JSON.parse(directions) as unknown[]).flat(Number.POSITIVE_INFINITY).map(String);
  const values = codes
    .filter((code) => escapeXml(code) !== '')
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
