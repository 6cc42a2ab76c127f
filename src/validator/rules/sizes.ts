import { isHome, typeKind } from '../listing.ts';
import { type ListingRule, NONE, when } from '../rule.ts';

/** What Trovit accepts: rooms, baths, and square metres of floor. */
const MOST_ROOMS = 20;
const FLOOR = [15, 50_000] as const;

/** Square metres per bedroom below which one of the two numbers is wrong. */
const LEAST_PER_BED = 8;

const OLDEST = 1700;

/** Years that a building may be announced ahead of its completion. */
const AHEAD = 6;

const STUDIO = /studio|estudio|loft/i;

export const SIZE_RULES: readonly ListingRule[] = [
  {
    code: 'no_beds',
    severity: 'warning',
    explanation: 'A home that is no studio has no bedrooms.',
    fix: 'Give the number of bedrooms, or the type of a studio.',
    portals: [],
    check: (listing) => {
      const names = [...Object.values(listing.subtype), ...Object.values(listing.type)].join(' ');
      return when(isHome(listing) && listing.beds === 0 && !STUDIO.test(names), 'beds', 0);
    },
  },
  {
    code: 'beds_implausible',
    severity: 'error',
    explanation: `There are more than ${MOST_ROOMS} bedrooms, the most that Trovit accepts.`,
    fix: 'Check the number: it may be an area or a price.',
    portals: ['trovit'],
    check: (listing) => when(listing.beds > MOST_ROOMS && typeKind(listing) !== 'business', 'beds', listing.beds),
  },
  {
    code: 'no_baths',
    severity: 'warning',
    explanation: 'A home has no bath. Trovit accepts 1 to 20.',
    fix: 'Give the number of baths.',
    portals: ['trovit'],
    check: (listing) => when(isHome(listing) && listing.bath < 1, 'baths', listing.bath),
  },
  {
    code: 'baths_implausible',
    severity: 'error',
    explanation: `There are more than ${MOST_ROOMS} baths, or far more than bedrooms.`,
    fix: 'Check the number.',
    portals: [],
    check: (listing) =>
      when(isHome(listing) && (listing.bath > MOST_ROOMS || listing.bath > listing.beds + 6), 'baths', listing.bath),
  },
  {
    code: 'no_built_area',
    severity: 'warning',
    explanation: 'A home has no built area, which readers search and compare by.',
    fix: 'Give the built area in square metres.',
    portals: [],
    check: (listing) => when(isHome(listing) && !listing.builtArea, 'surface_area/built', listing.builtArea ?? ''),
  },
  {
    code: 'built_area_implausible',
    severity: 'error',
    explanation: `The built area is outside the ${FLOOR[0]} to ${FLOOR[1]} square metres that Trovit accepts.`,
    fix: 'Check the area: it is in square metres.',
    portals: ['trovit'],
    check: (listing) => {
      const { builtArea } = listing;
      const isFound = isHome(listing) && !!builtArea && (builtArea < FLOOR[0] || builtArea > FLOOR[1]);
      return when(isFound, 'surface_area/built', builtArea);
    },
  },
  {
    code: 'area_too_small_for_beds',
    severity: 'warning',
    explanation: `There are fewer than ${LEAST_PER_BED} square metres per bedroom.`,
    fix: 'Check the area and the number of bedrooms.',
    portals: [],
    check: (listing) => {
      const { builtArea, beds } = listing;
      const isFound = isHome(listing) && !!builtArea && beds > 0 && builtArea / beds < LEAST_PER_BED;
      return when(isFound, 'surface_area/built', `${builtArea} for ${beds} bedrooms`);
    },
  },
  {
    code: 'living_area_exceeds_built_area',
    severity: 'warning',
    explanation: 'The living area is larger than the built area.',
    fix: 'Swap or correct them.',
    portals: [],
    check: ({ livingArea, builtArea }) =>
      when(!!livingArea && !!builtArea && livingArea > builtArea, 'living_area', livingArea),
  },
  {
    code: 'no_plot_area',
    severity: 'warning',
    explanation: 'A plot has no area.',
    fix: 'Give the area of the plot in square metres.',
    portals: [],
    check: (listing) =>
      when(typeKind(listing) === 'plot' && !listing.plotArea, 'surface_area/plot', listing.plotArea ?? ''),
  },
  {
    code: 'detached_without_plot',
    severity: 'info',
    explanation: 'A detached house has no area of its plot.',
    fix: 'Give the area of the plot in square metres.',
    portals: [],
    check: (listing) => {
      const names = Object.values(listing.subtype).join(' ');
      return when(
        /detached villa|^detached|independiente|finca/i.test(names) && !listing.plotArea,
        'surface_area/plot',
        '',
      );
    },
  },
  {
    code: 'built_year_implausible',
    severity: 'warning',
    explanation: `The year of construction is before ${OLDEST}, the earliest that Trovit accepts, or far in the future.`,
    fix: 'Check the year.',
    portals: ['trovit'],
    check: ({ builtYear }) => {
      if (builtYear === null) return NONE;
      const detail = { node: 'built_year', value: String(builtYear) };
      if (builtYear < OLDEST) return [detail];
      return [{ ...detail, until: Date.UTC(builtYear - AHEAD, 0) / 1000 }];
    },
  },
];
