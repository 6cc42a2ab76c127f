import { FLOOR, LEAST_PER_BED, MOST_ROOMS, OLDEST, YEARS_AHEAD } from '../limits.ts';
import { isHome, typeKind } from '../listing.ts';
import { type ListingRule, NONE, when } from '../rule.ts';

const STUDIO = /studio|estudio|loft/i;

export const SIZE_RULES: readonly ListingRule[] = [
  {
    code: 'no_beds',
    severity: 'warning',
    portals: [],
    check: (listing) => {
      const names = [...Object.values(listing.subtype), ...Object.values(listing.type)].join(' ');
      return when(isHome(listing) && listing.beds === 0 && !STUDIO.test(names), 'beds', 0);
    },
  },
  {
    code: 'beds_implausible',
    severity: 'error',
    portals: ['trovit'],
    check: (listing) => when(listing.beds > MOST_ROOMS && typeKind(listing) !== 'business', 'beds', listing.beds),
  },
  {
    code: 'no_baths',
    severity: 'warning',
    portals: ['trovit'],
    check: (listing) => when(isHome(listing) && listing.bath < 1, 'baths', listing.bath),
  },
  {
    code: 'baths_implausible',
    severity: 'error',
    portals: [],
    check: (listing) =>
      when(isHome(listing) && (listing.bath > MOST_ROOMS || listing.bath > listing.beds + 6), 'baths', listing.bath),
  },
  {
    code: 'no_built_area',
    severity: 'warning',
    portals: [],
    check: (listing) => when(isHome(listing) && !listing.builtArea, 'surface_area/built', listing.builtArea ?? ''),
  },
  {
    code: 'built_area_implausible',
    severity: 'error',
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
    portals: [],
    check: (listing) => {
      const { builtArea, beds } = listing;
      const isFound = isHome(listing) && !!builtArea && beds > 0 && builtArea / beds < LEAST_PER_BED;
      return when(isFound, 'surface_area/built', `${builtArea} m², beds ${beds}`);
    },
  },
  {
    code: 'living_area_exceeds_built_area',
    severity: 'warning',
    portals: [],
    check: ({ livingArea, builtArea }) =>
      when(!!livingArea && !!builtArea && livingArea > builtArea, 'living_area', livingArea),
  },
  {
    code: 'no_plot_area',
    severity: 'warning',
    portals: [],
    check: (listing) =>
      when(typeKind(listing) === 'plot' && !listing.plotArea, 'surface_area/plot', listing.plotArea ?? ''),
  },
  {
    code: 'detached_without_plot',
    severity: 'info',
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
    portals: ['trovit'],
    check: ({ builtYear }) => {
      if (builtYear === null) return NONE;
      const detail = { node: 'built_year', value: String(builtYear) };
      if (builtYear < OLDEST) return [detail];
      return [{ ...detail, until: Date.UTC(builtYear - YEARS_AHEAD, 0) / 1000 }];
    },
  },
];
