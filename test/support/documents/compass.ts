import type { LanguageElement } from '../../../src/lib/languages.ts';

/** The name of the category of directions. */
export const ORIENTATION: Readonly<Record<LanguageElement, string>> = {
  uk: 'Orientation',
  es: 'Orientación',
  de: 'Ausrichtung',
  fr: 'Orientation',
  nl: 'Oriëntatie',
  da: 'Orientering',
  ru: 'Ориентация',
  sv: 'Väderstreck',
  pl: 'Orientacja',
  no: 'Himmelretning',
};

/** The points of the compass in words. */
export const COMPASS: Readonly<Record<LanguageElement, Readonly<Record<string, string>>>> = {
  uk: words('North, South, East, West, North East, North West, South East, South West'),
  es: words('Norte, Sur, Este, Oeste, Noreste, Noroeste, Sureste, Suroeste'),
  de: words('Nord, Süd, Ost, West, Nordost, Nordwest, Südost, Südwest'),
  fr: words('Nord, Sud, Est, Ouest, Nord-est, Nord-ouest, Sud-est, Sud-ouest'),
  nl: words('Noord, Zuid, Oost, West, Noordoost, Noordwest, Zuidoost, Zuidwest'),
  da: words('Nord, Syd, Øst, Vest, Nordøst, Nordvest, Sydøst, Sydvest'),
  ru: words('Север, Юг, Восток, Запад, Северо-восток, Северо-запад, Юго-восток, Юго-запад'),
  sv: words('Norr, Söder, Öster, Väster, Nordost, Nordväst, Sydost, Sydväst'),
  pl: words(
    'Północ, Południe, Wschód, Zachód, Północny wschód, Północny zachód, Południowy wschód, Południowy zachód',
  ),
  no: words('Nord, Sør, Øst, Vest, Nordøst, Nordvest, Sørøst, Sørvest'),
};

function words(list: string): Readonly<Record<string, string>> {
  const [N, S, E, W, NE, NW, SE, SW] = list.split(', ');
  return Object.assign(Object.create(null), { N, S, E, W, NE, NW, SE, SW });
}

/** The code of the point that a direction means, as a code or a word; otherwise the direction. */
export function pointNamed(direction: string): string {
  const key = spelling(direction);
  if (key === 'o') return 'W';
  if (key === 'no') return 'NW';
  if (key === 'so') return 'SW';
  for (const point of ['N', 'S', 'E', 'W', 'NE', 'NW', 'SE', 'SW']) {
    const words = Object.values(COMPASS).map((language) => language[point]!);
    if ([point, ...words].some((word) => spelling(word) === key)) return point;
  }
  return direction;
}

/** Without case, accents, spaces and punctuation. */
function spelling(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}
