import type { DevelopmentPlace } from '../../properties/development.ts';
import { isInSpain } from '../../vocabulary/provinces.ts';
import type { Listing } from '../listing.ts';
import { type Detail, type ListingChecks, when } from '../rule.ts';
import { typeKind } from '../types.ts';

/** What Idealista's schemas (version 6) allow: characters, whole euros, square metres, rooms, and names of countries. */
export const IDEALISTA = {
  identifier: [1, 50],
  price: [1, 99_999_999],
  builtArea: [1, 99_999],
  plotArea: [1, 99_999_999],
  rooms: [1, 99],
  description: 4_000,
  pictures: 200,
  countries: ['Spain', 'Italy', 'Portugal', 'Andorra', 'France', 'Switzerland', 'San Marino'],
} as const;

type Range = readonly [least: number, most: number];

/** Whether a number, rounded down as the feed writes it, is in a range. */
export function isWithin(value: number | null | undefined, [least, most]: Range): boolean {
  return value != null && Math.floor(value) >= least && Math.floor(value) <= most;
}

/** Whether Idealista can find a place: by coordinates, or by the street with the town in a country that it serves. */
export function hasPlace({
  location,
  address,
  town,
  country,
  province,
}: DevelopmentPlace | Listing): boolean {
  if (location !== null) return true;
  if (!address?.trim() || !town?.trim()) return false;
  const isServed = (IDEALISTA.countries as readonly string[]).includes(country?.trim() || 'Spain');
  return isServed || isInSpain({ country, province: province ?? '' });
}

/**
 * Whether Idealista gets a property as a unit of its development: one with a place, which has no plots or storage rooms. A unit
 * needs no place of its own.
 */
export function isInDevelopment(listing: Listing): boolean {
  const { development } = listing;
  const kind = typeKind(listing);
  const isStorage = listing.builtInType === 'storage';
  return (
    development !== null &&
    kind !== 'plot' &&
    kind !== 'unknown' &&
    !isStorage &&
    hasPlace(development)
  );
}

/** Prices that Idealista does not accept. Its operations are sale and rent by the month. */
function badPrices({ offers: { sale, long_term } }: Listing): readonly Detail[] {
  return [
    ...when(!!sale && !isWithin(sale.price, IDEALISTA.price), 'price', sale?.price ?? ''),
    ...when(
      !!long_term && !isWithin(long_term.rent, IDEALISTA.price),
      'longterm',
      long_term?.rent ?? '',
    ),
  ];
}

function hasPrice({ offers: { sale, long_term } }: Listing): boolean {
  return isWithin(sale?.price, IDEALISTA.price) || isWithin(long_term?.rent, IDEALISTA.price);
}

/** Refusals are checks of what the schemas require: the feed leaves out a property that fails one. */
export const IDEALISTA_CHECKS: ListingChecks = {
  idealista_no_price: (listing) =>
    hasPrice(listing)
      ? []
      : [...badPrices(listing), { node: 'shortterm_low', value: '' }].slice(0, 1),
  idealista_offer_left_out: (listing) =>
    hasPrice(listing)
      ? [...badPrices(listing), ...when(!!listing.offers.short_term, 'shortterm_low', '')]
      : [],
  idealista_currency: ({ currency }) => when(currency !== 'EUR', 'currency', currency),
  idealista_type: (listing) =>
    when(typeKind(listing) === 'unknown', 'type', Object.values(listing.type)[0] ?? ''),
  idealista_place: (listing) =>
    when(!isInDevelopment(listing) && !hasPlace(listing), 'location', ''),
  idealista_not_in_development: (listing) =>
    when(listing.development !== null && !isInDevelopment(listing), 'location', ''),
  idealista_description_cut: ({ descriptions }) =>
    Object.entries(descriptions).flatMap(([language, text]) => {
      // Counting characters takes time, and no text has more of them than code units.
      const length = text.length > IDEALISTA.description ? [...asLine(text)].length : 0;
      return when(length > IDEALISTA.description, `description/${language}`, length);
    }),
};

/** A text as one line, which the schemas require. */
export function asLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
