import { isInSpain, type Listing } from '../listing.ts';
import { findProvince, isWithinProvince } from '../provinces.ts';
import { type ListingRule, NONE, when } from '../rule.ts';

/** The longest town and province that Kyero's schema accepts, in characters. */
const LONGEST_KYERO = 50;

function inSpain(listing: Listing): boolean {
  return isInSpain(listing, (name) => findProvince(name) !== undefined);
}

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

/** Digits behind the decimal point. */
function decimals(value: number): number {
  return /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0;
}

export const PLACE_RULES: readonly ListingRule[] = [
  {
    code: 'no_town',
    severity: 'error',
    explanation: "The town is missing. Kyero's schema requires it, and readers search by it.",
    fix: 'Give the town.',
    portals: [],
    check: ({ town }) => when(town.trim() === '', 'town', town),
  },
  {
    code: 'no_province',
    severity: 'error',
    explanation: "The province is missing. Kyero's schema requires it.",
    fix: 'Give the province.',
    portals: [],
    check: ({ province }) => when(province.trim() === '', 'province', province),
  },
  {
    code: 'place_name_too_long',
    severity: 'error',
    explanation: `Kyero's schema has at most ${LONGEST_KYERO} characters for town and province.`,
    fix: 'Shorten it to the name itself.',
    portals: ['kyero'],
    check: ({ town, province }) => [
      ...when(town.length > LONGEST_KYERO, 'town', town),
      ...when(province.length > LONGEST_KYERO, 'province', province),
    ],
  },
  {
    code: 'province_unknown',
    severity: 'warning',
    explanation: 'The province is none of Spain, though the country is Spain: portals cannot place the property.',
    fix: "Give the province's name, such as Málaga, not a region or a coast.",
    portals: [],
    check: (listing) =>
      when(
        listing.province.trim() !== '' && inSpain(listing) && findProvince(listing.province) === undefined,
        'province',
        listing.province,
      ),
  },
  {
    code: 'coordinates_missing',
    severity: 'warning',
    explanation: 'The property has no coordinates, so it is not on maps and not found by searches around a place.',
    fix: 'Give latitude and longitude, if need be those of the area.',
    portals: [],
    check: ({ location }) => when(location === null, 'location', ''),
  },
  {
    code: 'coordinates_zero',
    severity: 'error',
    explanation: 'Both coordinates are 0, or both the same number: the property is shown in the sea.',
    fix: 'Correct or remove the coordinates.',
    portals: [],
    check: ({ location }) => (location === null ? NONE : when(isNowhere(location), 'location', written(location))),
  },
  {
    code: 'coordinates_swapped',
    severity: 'error',
    explanation: 'Latitude and longitude are swapped.',
    fix: 'Swap them.',
    portals: [],
    check: (listing) =>
      listing.location === null ? NONE : when(areSwapped(listing), 'location', written(listing.location)),
  },
  {
    code: 'coordinates_outside_province',
    severity: 'warning',
    explanation: 'The coordinates are not in the province.',
    fix: 'Correct the coordinates or the province.',
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
    explanation: 'A coordinate has fewer than four decimals, so the place may be a kilometre off.',
    fix: 'Give at least four decimals.',
    portals: ['costanova'],
    check: ({ location }) =>
      location === null || isNowhere(location)
        ? NONE
        : when(decimals(location.latitude) < 4 && decimals(location.longitude) < 4, 'location', written(location)),
  },
  {
    code: 'postcode_invalid',
    severity: 'warning',
    explanation: 'The postcode does not have five digits, as those of Spain do.',
    fix: 'Correct the postcode; a leading 0 is part of it.',
    portals: [],
    check: (listing) => {
      const { postcode } = listing;
      return when(!!postcode?.trim() && inSpain(listing) && !/^\d{5}$/.test(postcode.trim()), 'postcode', postcode);
    },
  },
  {
    code: 'postcode_outside_province',
    severity: 'warning',
    explanation: 'The first two digits of the postcode are those of another province.',
    fix: 'Correct the postcode or the province.',
    portals: [],
    check: ({ postcode, province }) => {
      const known = findProvince(province);
      const code = postcode?.trim() ?? '';
      return when(known !== undefined && /^\d{5}$/.test(code) && !code.startsWith(known.prefix), 'postcode', code);
    },
  },
];
