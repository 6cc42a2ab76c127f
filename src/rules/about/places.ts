import { findProvince, isInSpain, isWithinProvince } from '../../vocabulary/provinces.ts';
import type { Listing } from '../listing.ts';
import { type ListingChecks, NONE, when } from '../rule.ts';

/** The longest town and province that Kyero's schema accepts, in characters. */
const MAX_PLACE_LENGTH = 50;

/** Decimals of a coordinate that place a property to about ten metres. */
const COORDINATE_DECIMALS = 4;

/** Coordinates that are certainly not a property's: 0/0, or the same number twice. */
function isNowhere({ latitude, longitude }: NonNullable<Listing['location']>): boolean {
  return latitude === 0 || longitude === 0
    ? latitude === 0 && longitude === 0
    : latitude === longitude;
}

/** Whether latitude and longitude are swapped: only swapped do they lie in the property's province. */
function areSwapped(listing: Listing): boolean {
  const { location, province } = listing;
  const box = findProvince(province);
  if (location === null || box === undefined) return false;
  const { latitude, longitude } = location;
  return !isWithinProvince(box, latitude, longitude) && isWithinProvince(box, longitude, latitude);
}

function written(location: Listing['location']): string {
  return location === null ? '' : `${location.latitude}, ${location.longitude}`;
}

function isImprecise(value: number): boolean {
  return (/\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0) < COORDINATE_DECIMALS;
}

export const PLACE_CHECKS: ListingChecks = {
  no_town: ({ town }) => when(town.trim() === '', 'town', town),
  no_province: ({ province }) => when(province.trim() === '', 'province', province),
  place_name_too_long: ({ town, province }) => [
    ...when(town.length > MAX_PLACE_LENGTH, 'town', town),
    ...when(province.length > MAX_PLACE_LENGTH, 'province', province),
  ],
  province_unknown: (listing) => {
    const { province } = listing;
    const isUnknown = province.trim() !== '' && findProvince(province) === undefined;
    return when(isUnknown && isInSpain(listing), 'province', province);
  },
  coordinates_missing: ({ location }) => when(location === null, 'location', ''),
  coordinates_zero: ({ location }) =>
    when(location !== null && isNowhere(location), 'location', written(location)),
  coordinates_swapped: (listing) =>
    when(areSwapped(listing), 'location', written(listing.location)),
  coordinates_outside_province: (listing) => {
    const { location, province } = listing;
    const box = findProvince(province);
    if (location === null || box === undefined || isNowhere(location) || areSwapped(listing))
      return NONE;
    return when(
      !isWithinProvince(box, location.latitude, location.longitude),
      'location',
      written(location),
    );
  },
  coordinates_imprecise: ({ location }) =>
    location === null || isNowhere(location)
      ? NONE
      : when(
          isImprecise(location.latitude) && isImprecise(location.longitude),
          'location',
          written(location),
        ),
  postcode_invalid: (listing) => {
    const { postcode } = listing;
    return when(
      !!postcode?.trim() && isInSpain(listing) && !/^\d{5}$/.test(postcode.trim()),
      'postcode',
      postcode,
    );
  },
  postcode_outside_province: ({ postcode, province }) => {
    const known = findProvince(province);
    const code = postcode?.trim() ?? '';
    return when(
      known !== undefined && /^\d{5}$/.test(code) && !code.startsWith(known.prefix),
      'postcode',
      code,
    );
  },
};
