import type { Listing } from '../listing.ts';
import { findProvince, isInSpain, isWithinProvince } from '../provinces.ts';
import { type ListingRule, NONE, when } from '../rule.ts';

/** The longest town and province that Kyero's schema accepts, in characters. */
const KYERO_PLACE = 50;

/** Decimals of a coordinate that place a property to some ten metres. */
const COORDINATE_DECIMALS = 4;

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
    en: "The town is missing. Kyero's schema requires it, and buyers search by it.",
    es: 'Falta la localidad. El esquema de Kyero la exige, y los compradores buscan por ella.',
    fix: { en: 'Add the town.', es: 'Indique la localidad.' },
    check: ({ town }) => when(town.trim() === '', 'town', town),
  },
  {
    code: 'no_province',
    severity: 'error',
    en: "The province is missing. Kyero's schema requires it.",
    es: 'Falta la provincia. El esquema de Kyero la exige.',
    fix: { en: 'Give the province.', es: 'Indique la provincia.' },
    check: ({ province }) => when(province.trim() === '', 'province', province),
  },
  {
    code: 'place_name_too_long',
    severity: 'error',
    en: `Kyero's schema allows at most ${KYERO_PLACE} characters for the town and the province.`,
    es: `El esquema de Kyero admite como máximo ${KYERO_PLACE} caracteres en localidad y provincia.`,
    fix: { en: 'Shorten it to the name itself.', es: 'Redúzcalo al propio nombre.' },
    portals: ['kyero'],
    check: ({ town, province }) => [
      ...when(town.length > KYERO_PLACE, 'town', town),
      ...when(province.length > KYERO_PLACE, 'province', province),
    ],
  },
  {
    code: 'province_unknown',
    severity: 'warning',
    en: 'The country is Spain, but the province is not a Spanish province: portals cannot place the property.',
    es: 'El país es España, pero la provincia no es española: los portales no pueden situar el inmueble.',
    fix: {
      en: 'Enter the name of the province, such as Málaga, not of a region or a coast.',
      es: 'Indique el nombre de la provincia, como Málaga, no el de una región o una costa.',
    },
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
    en: 'The property has no coordinates, so it is missing from maps and from searches around a place.',
    es: 'El inmueble no tiene coordenadas, así que no está en los mapas ni en las búsquedas alrededor de un lugar.',
    fix: { en: 'Add them; those of the area are enough.', es: 'Añádalas; bastan las de la zona.' },
    check: ({ location }) => when(location === null, 'location', ''),
  },
  {
    code: 'coordinates_zero',
    severity: 'error',
    en: 'Both coordinates are 0 or the same number, which puts the property in the sea.',
    es: 'Las dos coordenadas son 0 o el mismo número, lo que sitúa el inmueble en el mar.',
    fix: { en: 'Correct or remove the coordinates.', es: 'Corrija o elimine las coordenadas.' },
    check: ({ location }) => (location === null ? NONE : when(isNowhere(location), 'location', written(location))),
  },
  {
    code: 'coordinates_swapped',
    severity: 'error',
    en: 'Latitude and longitude are swapped.',
    es: 'La latitud y la longitud están intercambiadas.',
    fix: { en: 'Swap them.', es: 'Intercámbielas.' },
    check: (listing) =>
      listing.location === null ? NONE : when(areSwapped(listing), 'location', written(listing.location)),
  },
  {
    code: 'coordinates_outside_province',
    severity: 'warning',
    en: 'The coordinates are not in the province.',
    es: 'Las coordenadas no están en la provincia.',
    fix: { en: 'Correct the coordinates or the province.', es: 'Corrija las coordenadas o la provincia.' },
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
    en: `The coordinates have fewer than ${COORDINATE_DECIMALS} decimals, so the location may be a kilometre off.`,
    es: `Las coordenadas tienen menos de ${COORDINATE_DECIMALS} decimales, así que la ubicación puede desviarse un kilómetro.`,
    fix: { en: 'Enter more decimals.', es: 'Indique más decimales.' },
    portals: ['costanova'],
    check: ({ location }) =>
      location === null || isNowhere(location)
        ? NONE
        : when(isImprecise(location.latitude) && isImprecise(location.longitude), 'location', written(location)),
  },
  {
    code: 'postcode_invalid',
    severity: 'warning',
    en: 'The postcode does not have five digits, as Spanish postcodes do.',
    es: 'El código postal no tiene cinco cifras, como los de España.',
    fix: { en: 'Correct it; a leading 0 is part of it.', es: 'Corríjalo; un 0 inicial forma parte de él.' },
    check: (listing) => {
      const { postcode } = listing;
      return when(!!postcode?.trim() && isInSpain(listing) && !/^\d{5}$/.test(postcode.trim()), 'postcode', postcode);
    },
  },
  {
    code: 'postcode_outside_province',
    severity: 'warning',
    en: 'The first two digits of the postcode belong to another province.',
    es: 'Las dos primeras cifras del código postal corresponden a otra provincia.',
    fix: { en: 'Correct the postcode or the province.', es: 'Corrija el código postal o la provincia.' },
    check: ({ postcode, province }) => {
      const known = findProvince(province);
      const code = postcode?.trim() ?? '';
      return when(known !== undefined && /^\d{5}$/.test(code) && !code.startsWith(known.prefix), 'postcode', code);
    },
  },
];
