import { isHome, type Listing, typeKind } from '../listing.ts';
import { type ListingRule, NONE, when } from '../rule.ts';

/** Maximum number of bathrooms of a home on the market. */
const MOST_BATHS = 20;

/** Square metres per bedroom below which one of the two numbers is wrong. */
const LEAST_PER_BED = 8;

/** The earliest year of construction that Trovit accepts. */
const OLDEST = 1700;

/** Years that a building may be announced ahead of its completion. */
const YEARS_AHEAD = 6;

const STUDIO = /\b(studio|estudio|loft|bedsit|studette|einzimmerwohnung)/i;

/** Whether a home is a studio, by its type or by its texts. */
export function isStudio({ type, subtype, descriptions }: Listing): boolean {
  const texts = [subtype, type, descriptions].flatMap((one) => Object.values(one));
  return texts.some((text) => STUDIO.test(text));
}

export const SIZE_RULES: readonly ListingRule[] = [
  {
    code: 'no_beds',
    severity: 'warning',
    en: 'The property has no bedrooms but is not a studio.',
    es: 'El inmueble no tiene dormitorios y no es un estudio.',
    fix: { en: 'Enter their number, or change the type.', es: 'Indique su número, o cambie el tipo.' },
    check: (listing) => when(isHome(listing) && listing.beds === 0 && !isStudio(listing), 'beds', 0),
  },
  {
    code: 'baths_implausible',
    severity: 'error',
    en: `There are more than ${MOST_BATHS} bathrooms, or far more bathrooms than bedrooms.`,
    es: `Hay más de ${MOST_BATHS} baños, o muchos más que dormitorios.`,
    fix: { en: 'Check the number.', es: 'Compruebe el número.' },
    check: (listing) =>
      when(isHome(listing) && (listing.bath > MOST_BATHS || listing.bath > listing.beds + 6), 'baths', listing.bath),
  },
  {
    code: 'no_built_area',
    severity: 'warning',
    en: 'The home has no built area, which buyers search and compare by.',
    es: 'La vivienda no tiene superficie construida, por la que los compradores buscan y comparan.',
    fix: { en: 'Give the built area in square metres.', es: 'Indique la superficie construida en metros cuadrados.' },
    check: (listing) => when(isHome(listing) && !listing.built_area, 'surface_area/built', listing.built_area ?? ''),
  },
  {
    code: 'area_too_small_for_beds',
    severity: 'warning',
    en: `There are fewer than ${LEAST_PER_BED} square metres per bedroom.`,
    es: `Hay menos de ${LEAST_PER_BED} metros cuadrados por dormitorio.`,
    fix: { en: 'Check both numbers.', es: 'Compruebe ambos números.' },
    check: (listing) => {
      const { built_area, beds } = listing;
      const isFound = isHome(listing) && !!built_area && beds > 0 && built_area / beds < LEAST_PER_BED;
      return when(isFound, 'surface_area/built', `${built_area} m², beds ${beds}`);
    },
  },
  {
    code: 'living_area_exceeds_built_area',
    severity: 'warning',
    en: 'The living area is larger than the built area.',
    es: 'La superficie útil es mayor que la construida.',
    fix: { en: 'Swap or correct them.', es: 'Intercámbielas o corríjalas.' },
    check: ({ living_area, built_area }) =>
      when(!!living_area && !!built_area && living_area > built_area, 'living_area', living_area),
  },
  {
    code: 'no_plot_area',
    severity: 'warning',
    en: 'A plot has no area.',
    es: 'Una parcela no tiene superficie.',
    fix: { en: 'Enter the area in square metres.', es: 'Indique la superficie en metros cuadrados.' },
    check: (listing) =>
      when(typeKind(listing) === 'plot' && !listing.plot_area, 'surface_area/plot', listing.plot_area ?? ''),
  },
  {
    code: 'detached_without_plot',
    severity: 'info',
    en: 'The detached house has no plot area.',
    es: 'La casa independiente no tiene superficie de parcela.',
    fix: { en: 'Enter the area in square metres.', es: 'Indique la superficie en metros cuadrados.' },
    check: (listing) => {
      const names = Object.values(listing.subtype).join(' ');
      return when(
        /detached villa|^detached|independiente|finca/i.test(names) && !listing.plot_area,
        'surface_area/plot',
        '',
      );
    },
  },
  {
    code: 'built_year_implausible',
    severity: 'warning',
    en: `The year of construction is before ${OLDEST}, the earliest that Trovit accepts, or more than ${YEARS_AHEAD} years ahead.`,
    es: `El año de construcción es anterior a ${OLDEST}, el primero que acepta Trovit, o más de ${YEARS_AHEAD} años posterior al actual.`,
    fix: { en: 'Check the year.', es: 'Compruebe el año.' },
    portals: ['trovit'],
    check: ({ built_year }) => {
      if (built_year === null) return NONE;
      const detail = { node: 'built_year', value: String(built_year) };
      if (built_year < OLDEST) return [detail];
      return [{ ...detail, until: Date.UTC(built_year - YEARS_AHEAD, 0) / 1000 }];
    },
  },
];
