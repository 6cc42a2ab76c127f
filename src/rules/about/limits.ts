import type { Listing } from '../listing.ts';
import { PORTALS, type Portal } from '../portals.ts';
import type { ListingRule, Severity } from '../rule.ts';
import TABLE from '../rules.json' with { type: 'json' };
import { isHome, typeKind } from '../types.ts';
import { isStudio } from './homes.ts';
import { IDEALISTA } from './idealista.ts';

/** A number of a property that portals limit; `rules.json` has what it is called. */
type Quantity = keyof typeof TABLE.quantities;

/** The quantities of a property: `null` if one is missing, `undefined` where it does not apply. */
const VALUE_OF: Readonly<Record<Quantity, (listing: Listing) => number | null | undefined>> = {
  identifier: ({ id }) => id.length,
  reference: ({ ref }) => ref.length,
  pictures: ({ pictures }) => pictures.length,
  features: ({ features }) => features.length,
  beds: (listing) =>
    isHome(listing) && !(listing.beds === 0 && isStudio(listing)) ? listing.beds : undefined,
  baths: (listing) => (isHome(listing) ? listing.bath : undefined),
  builtArea: (listing) => (typeKind(listing) === 'plot' ? undefined : listing.built_area || null),
  homeArea: (listing) => (isHome(listing) ? listing.built_area || null : undefined),
  plotArea: (listing) => (typeKind(listing) === 'plot' ? listing.plot_area || null : undefined),
  salePrice: ({ offers }) => offers.sale?.price || null,
};

/** What each portal accepts of a quantity, and how it takes the rest. */
export const LIMIT_RULES: readonly ListingRule[] = [
  limit('more_than_25_pictures', 'green-acres', 'pictures', [0, 25], 'info'),
  limit('more_than_50_pictures', 'kyero', 'pictures', [0, 50], 'info'),
  limit('more_than_200_pictures', 'idealista', 'pictures', [0, IDEALISTA.pictures], 'info'),
  limit('more_than_50_features', 'kyero', 'features', [0, 50], 'info'),
  limit('reference_too_long', 'property-showrooms', 'reference', [0, 20], 'info'),
  limit('beds_implausible', 'trovit', 'beds', [0, 20], 'error'),
  limit('baths_outside_trovit', 'trovit', 'baths', [1, 20], 'warning'),
  limit('built_area_implausible', 'trovit', 'homeArea', [15, 50_000], 'error'),
  limit(
    'price_outside_a_place_in_the_sun',
    'a-place-in-the-sun',
    'salePrice',
    [5_000, 15_000_000],
    'info',
  ),
  limit(
    'price_below_james_edition',
    'james-edition',
    'salePrice',
    [490_000, Number.MAX_VALUE],
    'info',
  ),
  limit('idealista_identifier', 'idealista', 'identifier', IDEALISTA.identifier, 'refusal'),
  limit('idealista_built_area', 'idealista', 'builtArea', IDEALISTA.builtArea, 'refusal'),
  limit('idealista_plot_area', 'idealista', 'plotArea', IDEALISTA.plotArea, 'refusal'),
  limit('idealista_beds', 'idealista', 'beds', IDEALISTA.rooms, 'refusal'),
  limit('idealista_baths', 'idealista', 'baths', IDEALISTA.rooms, 'refusal'),
];

/** An integer as it is written. Not by `Intl`: loading its data would take a tenth of the Worker's start. */
function grouped(value: number): string {
  return String(value).replaceAll(/\B(?=(\d{3})+$)/g, ',');
}

/** A rule for one portal: a number, rounded down, is outside a range. A portal that refuses needs the number as well. */
function limit(
  code: string,
  portal: Portal,
  quantity: Quantity,
  [least, most]: readonly [number, number],
  severity: Severity | 'refusal',
): ListingRule {
  const { node, unit, fix } = TABLE.quantities[quantity];
  const isRefusal = severity === 'refusal';
  const [from, to] = [least, most].map(grouped);
  const range =
    least === 0
      ? `at most ${to}`
      : most === Number.MAX_VALUE
        ? `at least ${from}`
        : `${from}–${to}`;
  return {
    code,
    severity: isRefusal ? 'error' : severity,
    explanation: `${PORTALS[portal]} accepts ${range} ${unit}.`,
    fix,
    portals: [portal],
    ...(isRefusal && { isRefusal }),
    check: (listing) => {
      const value = VALUE_OF[quantity](listing);
      const isOutside =
        value == null
          ? value === null && isRefusal
          : Math.floor(value) < least || Math.floor(value) > most;
      return isOutside ? [{ node, value: String(value ?? '') }] : [];
    },
  };
}
