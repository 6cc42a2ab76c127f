import { COORDINATE_DECIMALS, KYERO_PLACE } from '../limits.ts';
import type { Listing } from '../listing.ts';
import { findProvince, isInSpain, isWithinProvince } from '../provinces.ts';
import { type ListingRule, NONE, when } from '../rule.ts';

/** Coordinates that are certainly not a property's: 0/0, or the same number twice. */
function isNowhere({ latitude, longitude }: NonNullable<Listing['location']>): boolean {
  return latitude === 0 || longitude === 0 ? latitude === 0 && longitude === 0 : latitude === longitude;
}

/** Whether latitude and longitude are swapped: only swapped do they lie in the property's province. */
function areSwapped(listing: Listing): boolean {
  const { location, province } = listing;
  const box = findProvince(province);
  if (location === null || box === undefined) return false;
  const { latitude, longitude } = location;
  return !isWithinProvince(box, latitude, longitude) && isWithinProvince(box, longitude, latitude);
}

function written({ latitude, longitude }: NonNullable<Listing['location']>): string {
  return `${latitude}, ${longitude}`;
}

/** Whether a coordinate has too few digits behind the decimal point. */
function isImprecise(value: number): boolean {
  return (/\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0) < COORDINATE_DECIMALS;
}

export const PLACE_RULES: readonly ListingRule[] = [
  {
    code: 'no_town',
    severity: 'error',
    portals: [],
    check: ({ town }) => when(town.trim() === '', 'town', town),
  },
  {
    code: 'no_province',
    severity: 'error',
    portals: [],
    check: ({ province }) => when(province.trim() === '', 'province', province),
  },
  {
    code: 'place_name_too_long',
    severity: 'error',
    portals: ['kyero'],
    check: ({ town, province }) => [
      ...when(town.length > KYERO_PLACE, 'town', town),
      ...when(province.length > KYERO_PLACE, 'province', province),
    ],
  },
  {
    code: 'province_unknown',
    severity: 'warning',
    portals: [],
    check: (listing) =>
      when(
        listing.province.trim() !== '' && isInSpain(listing) && findProvince(listing.province) === undefined,
        'province',
        listing.province,
      ),
  },
  {
    code: 'coordinates_missing',
    severity: 'warning',
    portals: [],
    check: ({ location }) => when(location === null, 'location', ''),
  },
  {
    code: 'coordinates_zero',
    severity: 'error',
    portals: [],
    check: ({ location }) => (location === null ? NONE : when(isNowhere(location), 'location', written(location))),
  },
  {
    code: 'coordinates_swapped',
    severity: 'error',
    portals: [],
    check: (listing) =>
      listing.location === null ? NONE : when(areSwapped(listing), 'location', written(listing.location)),
  },
  {
    code: 'coordinates_outside_province',
    severity: 'warning',
    portals: [],
    check: (listing) => {
      const { location, province } = listing;
      const box = findProvince(province);
      if (location === null || box === undefined || isNowhere(location) || areSwapped(listing)) return NONE;
      return when(!isWithinProvince(box, location.latitude, location.longitude), 'location', written(location));
    },
  },
  {
    code: 'coordinates_imprecise',
    severity: 'info',
    portals: ['costanova'],
    check: ({ location }) =>
      location === null || isNowhere(location)
        ? NONE
        : when(isImprecise(location.latitude) && isImprecise(location.longitude), 'location', written(location)),
  },
  {
    code: 'postcode_invalid',
    severity: 'warning',
    portals: [],
    check: (listing) => {
      const { postcode } = listing;
      return when(!!postcode?.trim() && isInSpain(listing) && !/^\d{5}$/.test(postcode.trim()), 'postcode', postcode);
    },
  },
  {
    code: 'postcode_outside_province',
    severity: 'warning',
    portals: [],
    check: ({ postcode, province }) => {
      const known = findProvince(province);
      const code = postcode?.trim() ?? '';
      return when(known !== undefined && /^\d{5}$/.test(code) && !code.startsWith(known.prefix), 'postcode', code);
    },
  },
];
