import { isHome, type Listing, typeKind } from '../listing.ts';
import { PORTALS, type Portal } from '../portals.ts';
import { type ListingRule, numberIn, type Severity, type Text } from '../rule.ts';
import { isStudio } from './homes.ts';
import { IDEALISTA } from './idealista.ts';

/** A number of a property that portals limit. */
interface Quantity {
  readonly node: string;
  readonly unit: Text;
  readonly fix: Text;
  /** `null` if it is missing, `undefined` where it does not apply. */
  of(listing: Listing): number | null | undefined;
}

const IDENTIFIER: Quantity = {
  node: 'id',
  unit: { en: 'characters in an identifier', es: 'caracteres en el identificador' },
  fix: { en: 'Give it a shorter identifier.', es: 'Dele un identificador más corto.' },
  of: ({ id }) => id.length,
};
const REFERENCE: Quantity = {
  node: 'ref',
  unit: { en: 'characters in a reference', es: 'caracteres en la referencia' },
  fix: { en: 'Give it a shorter reference.', es: 'Dele una referencia más corta.' },
  of: ({ reference }) => reference.length,
};
const PICTURES: Quantity = {
  node: 'images',
  unit: { en: 'pictures', es: 'fotos' },
  fix: { en: 'Put the best first.', es: 'Ponga primero las mejores.' },
  of: ({ pictures }) => pictures.length,
};
const FEATURES: Quantity = {
  node: 'characteristics',
  unit: { en: 'features', es: 'características' },
  fix: { en: 'Put those that matter most first.', es: 'Ponga primero las que más importan.' },
  of: ({ features }) => features.length,
};
const BEDS: Quantity = {
  node: 'beds',
  unit: { en: 'bedrooms', es: 'dormitorios' },
  fix: { en: 'Enter the number of bedrooms.', es: 'Indique el número de dormitorios.' },
  of: (listing) => (isHome(listing) && !(listing.beds === 0 && isStudio(listing)) ? listing.beds : undefined),
};
const BATHS: Quantity = {
  node: 'baths',
  unit: { en: 'bathrooms', es: 'baños' },
  fix: { en: 'Enter the number of bathrooms.', es: 'Indique el número de baños.' },
  of: (listing) => (isHome(listing) ? listing.bath : undefined),
};
const BUILT_AREA: Quantity = {
  node: 'surface_area/built',
  unit: { en: 'square metres of built area', es: 'metros cuadrados construidos' },
  fix: { en: 'Enter the area in square metres.', es: 'Indique la superficie en metros cuadrados.' },
  of: (listing) => (typeKind(listing) === 'plot' ? undefined : listing.built_area || null),
};
const HOME_AREA: Quantity = { ...BUILT_AREA, of: (home) => (isHome(home) ? home.built_area || null : undefined) };
const PLOT_AREA: Quantity = {
  node: 'surface_area/plot',
  unit: { en: 'square metres of plot', es: 'metros cuadrados de parcela' },
  fix: BUILT_AREA.fix,
  of: (listing) => (typeKind(listing) === 'plot' ? listing.plot_area || null : undefined),
};
const SALE_PRICE: Quantity = {
  node: 'price',
  unit: { en: 'euros', es: 'euros' },
  fix: { en: 'Do nothing if it is right.', es: 'Si es correcto, no haga nada.' },
  of: ({ offers }) => offers.sale?.price || null,
};

/** What each portal accepts of a quantity, and how it takes the rest. */
export const LIMIT_RULES: readonly ListingRule[] = [
  limit('more_than_25_pictures', 'green-acres', PICTURES, [0, 25], 'info'),
  limit('more_than_50_pictures', 'kyero', PICTURES, [0, 50], 'info'),
  limit('more_than_200_pictures', 'idealista', PICTURES, [0, IDEALISTA.pictures], 'info'),
  limit('more_than_50_features', 'kyero', FEATURES, [0, 50], 'info'),
  limit('reference_too_long', 'property-showrooms', REFERENCE, [0, 20], 'info'),
  limit('beds_implausible', 'trovit', BEDS, [0, 20], 'error'),
  limit('baths_outside_trovit', 'trovit', BATHS, [1, 20], 'warning'),
  limit('built_area_implausible', 'trovit', HOME_AREA, [15, 50_000], 'error'),
  limit('price_outside_a_place_in_the_sun', 'a-place-in-the-sun', SALE_PRICE, [5_000, 15_000_000], 'info'),
  limit('price_below_james_edition', 'james-edition', SALE_PRICE, [490_000, Number.MAX_VALUE], 'info'),
  limit('idealista_identifier', 'idealista', IDENTIFIER, IDEALISTA.identifier, 'refusal'),
  limit('idealista_built_area', 'idealista', BUILT_AREA, IDEALISTA.builtArea, 'refusal'),
  limit('idealista_plot_area', 'idealista', PLOT_AREA, IDEALISTA.plotArea, 'refusal'),
  limit('idealista_beds', 'idealista', BEDS, IDEALISTA.rooms, 'refusal'),
  limit('idealista_baths', 'idealista', BATHS, IDEALISTA.rooms, 'refusal'),
];

/** A rule for one portal: a number, rounded down, is outside a range. A portal that refuses needs the number as well. */
function limit(
  code: string,
  portal: Portal,
  { node, unit, fix, of }: Quantity,
  [least, most]: readonly [number, number],
  severity: Severity | 'refusal',
): ListingRule {
  const isRefusal = severity === 'refusal';
  const textIn = (language: keyof Text, verb: string, atLeast: string, atMost: string) => {
    const [from, to] = [least, most].map((value) => numberIn(language, value));
    const range = least === 0 ? `${atMost} ${to}` : most === Number.MAX_VALUE ? `${atLeast} ${from}` : `${from}–${to}`;
    return `${PORTALS[portal]} ${verb} ${range} ${unit[language]}.`;
  };
  return {
    code,
    severity: isRefusal ? 'error' : severity,
    en: textIn('en', 'accepts', 'at least', 'at most'),
    es: textIn('es', 'acepta', 'al menos', 'como máximo'),
    fix,
    portals: [portal],
    ...(isRefusal && { isRefusal }),
    check: (listing) => {
      const value = of(listing);
      const isOutside =
        value == null ? value === null && isRefusal : Math.floor(value) < least || Math.floor(value) > most;
      return isOutside ? [{ node, value: String(value ?? '') }] : [];
    },
  };
}
