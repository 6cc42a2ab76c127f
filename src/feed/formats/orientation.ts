import { escapeXml } from '../../lib/bytes/xml.ts';

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
 * The directions of a unit that XML can represent, in order; a nested list is flattened.
 *
 * @param directions JSON: short text codes, or lists of them
 */
export function directionsIn(directions: string): string[] {
  const codes = (JSON.parse(directions) as unknown[]).flat(Number.POSITIVE_INFINITY).map(String);
  return codes.filter((code) => escapeXml(code) !== '');
}
