import { isHome, type Listing, typeKind } from '../listing.ts';
import { type ListingChecks, NONE, when } from '../rule.ts';

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

export const SIZE_CHECKS: ListingChecks = {
  no_beds: (listing) => when(isHome(listing) && listing.beds === 0 && !isStudio(listing), 'beds', 0),
  baths_implausible: (listing) =>
    when(isHome(listing) && (listing.bath > MOST_BATHS || listing.bath > listing.beds + 6), 'baths', listing.bath),
  no_built_area: (listing) =>
    when(isHome(listing) && !listing.built_area, 'surface_area/built', listing.built_area ?? ''),
  area_too_small_for_beds: (listing) => {
    const { built_area, beds } = listing;
    const isFound = isHome(listing) && !!built_area && beds > 0 && built_area / beds < LEAST_PER_BED;
    return when(isFound, 'surface_area/built', `${built_area} m², beds ${beds}`);
  },
  living_area_exceeds_built_area: ({ living_area, built_area }) =>
    when(!!living_area && !!built_area && living_area > built_area, 'living_area', living_area),
  no_plot_area: (listing) =>
    when(typeKind(listing) === 'plot' && !listing.plot_area, 'surface_area/plot', listing.plot_area ?? ''),
  detached_without_plot: (listing) => {
    const names = Object.values(listing.subtype).join(' ');
    return when(
      /detached villa|^detached|independiente|finca/i.test(names) && !listing.plot_area,
      'surface_area/plot',
      '',
    );
  },
  built_year_implausible: ({ built_year }) => {
    if (built_year === null) return NONE;
    const detail = { node: 'built_year', value: String(built_year) };
    if (built_year < OLDEST) return [detail];
    return [{ ...detail, until: Date.UTC(built_year - YEARS_AHEAD, 0) / 1000 }];
  },
};
