import { DAY_SECONDS, isoDate } from '../../lib/time/time.ts';
import { findProvince, isInSpain } from '../../vocabulary/provinces.ts';
import type { Listing } from '../listing.ts';
import { type ListingChecks, NONE, type Rule, type Source, when } from '../rule.ts';
import TABLE from '../rules.json' with { type: 'json' };
import { isHome, typeKind } from '../types.ts';

/** Plausible numbers of a home: bathrooms, bathrooms beyond one per bedroom, and square metres per bedroom. */
const MAX_BATHS = 20;
const MAX_BATHS_BEYOND_BEDS = 6;
const MIN_AREA_PER_BED = 8;

/** The earliest year of construction that Trovit accepts, and how many years ahead a building may be announced. */
const MIN_BUILT_YEAR = 1700;
const YEARS_AHEAD = 6;

/** Seconds after which a reservation should have become a sale, and after which a property should have changed. */
const MAX_RESERVED_SECONDS = 120 * DAY_SECONDS;
const MAX_UNCHANGED_SECONDS = 365 * DAY_SECONDS;

/** The built-in types of homes without a bedroom of their own, and of houses that stand on a plot of their own. */
const STUDIOS: readonly (string | null)[] = [
  'studio',
  'studio-ground',
  'studio-middle',
  'studio-top',
  'loft',
];
const DETACHED: readonly (string | null)[] = ['villa', 'finca'];

const STUDIO = /\b(studio|estudio|loft|bedsit|studette|einzimmerwohnung)/i;

/** A Spanish cadastral reference: 20 letters and digits; the first 14 identify the plot. */
const CADASTRAL = /^[0-9A-Z]{14}([0-9]{4}[A-Z]{2})?$/i;

/** Whether a home is a studio, by its type or by its texts. */
export function isStudio({ builtInType, descriptions }: Listing): boolean {
  return (
    STUDIOS.includes(builtInType) || Object.values(descriptions).some((text) => STUDIO.test(text))
  );
}

/** The laws of regions that require a holiday rental's number in advertisements. */
const LICENCE_LAWS: readonly Source[] = (TABLE.law as readonly Rule[]).flatMap(({ sources = [] }) =>
  sources.filter(({ provinces }) => provinces !== undefined),
);

/** Rules about the sizes of a property, its facts, and its times. */
export const HOME_CHECKS: ListingChecks = {
  no_beds: (listing) =>
    when(isHome(listing) && listing.beds === 0 && !isStudio(listing), 'beds', 0),
  baths_implausible: (listing) => {
    const { bath, beds } = listing;
    return when(
      isHome(listing) && (bath > MAX_BATHS || bath > beds + MAX_BATHS_BEYOND_BEDS),
      'baths',
      bath,
    );
  },
  no_built_area: (listing) =>
    when(isHome(listing) && !listing.built_area, 'surface_area/built', listing.built_area ?? ''),
  area_too_small_for_beds: (listing) => {
    const { built_area, beds } = listing;
    const isFound =
      isHome(listing) && !!built_area && beds > 0 && built_area / beds < MIN_AREA_PER_BED;
    return when(isFound, 'surface_area/built', `${built_area} m², beds ${beds}`);
  },
  living_area_exceeds_built_area: ({ living_area, built_area }) =>
    when(!!living_area && !!built_area && living_area > built_area, 'living_area', living_area),
  no_plot_area: (listing) =>
    when(
      typeKind(listing) === 'plot' && !listing.plot_area,
      'surface_area/plot',
      listing.plot_area ?? '',
    ),
  detached_without_plot: ({ builtInType, plot_area }) =>
    when(DETACHED.includes(builtInType) && !plot_area, 'surface_area/plot', ''),
  built_year_implausible: ({ built_year }) => {
    if (built_year === null) return NONE;
    const detail = { node: 'built_year', value: String(built_year) };
    return [
      built_year < MIN_BUILT_YEAR
        ? detail
        : { ...detail, until: Date.UTC(built_year - YEARS_AHEAD, 0) / 1000 },
    ];
  },
  energy_rating_incomplete: ({ consumption, emissions }) =>
    when(
      (consumption === 'X') !== (emissions === 'X'),
      'energy_rating',
      `${consumption}, ${emissions}`,
    ),
  no_subtype: ({ type, subtype }) =>
    when(Object.keys(subtype).length === 0, 'subtype', Object.values(type)[0] ?? ''),
  type_unknown: (listing) =>
    when(typeKind(listing) === 'unknown', 'type', Object.values(listing.type)[0] ?? ''),
  type_not_translated: (listing) => {
    const { type, descriptions } = listing;
    const missing =
      typeKind(listing) === 'unknown'
        ? []
        : Object.keys(descriptions).filter((one) => !(one in type));
    return when(
      missing.length > 0,
      `type/${missing[0]}`,
      `${Object.values(type)[0] ?? ''} (${missing.join(', ')})`,
    );
  },
  no_features: (listing) =>
    when(isHome(listing) && listing.features.length === 0, 'characteristics', 0),
  pool_contradicts_features: ({ has_pool, features }) => {
    const pool = features.find(
      ({ builtIn }) => builtIn?.startsWith('Pool: ') && builtIn !== 'Pool: Room For Pool',
    );
    return when(
      !has_pool && pool !== undefined,
      'has_pool',
      Object.values(pool?.label ?? {})[0] ?? '',
    );
  },
  cadastral_reference_invalid: (listing) => {
    const reference = listing.cadastral_ref?.replace(/\s/g, '') ?? '';
    return when(
      reference !== '' && isInSpain(listing) && !CADASTRAL.test(reference),
      'cadastral_ref',
      reference,
    );
  },
  energy_rating_missing: (listing) => {
    const isKnown =
      listing.consumption !== 'X' || listing.emissions !== 'X' || listing.energy_status !== null;
    return when(!isKnown && isHome(listing) && isInSpain(listing), 'energy_rating', 'X');
  },
  rental_license_missing: (listing) => {
    const { short_term } = listing.offers;
    if (!short_term || short_term.license?.trim() || !isInSpain(listing)) return NONE;
    const { prefix = '-' } = findProvince(listing.province) ?? {};
    const law = LICENCE_LAWS.find(({ provinces }) => provinces?.includes(prefix));
    return [{ node: 'rental_license', value: law?.name ?? '' }];
  },
  // These depend on the time: each says from when or until when it holds.
  listed_in_the_future: ({ listedAt }) =>
    listedAt === null
      ? NONE
      : [{ node: 'listing_date', value: isoDate(listedAt), until: listedAt }],
  not_updated_for_a_year: ({ updatedAt }) =>
    updatedAt === null
      ? NONE
      : [
          {
            node: 'last_updated',
            value: isoDate(updatedAt),
            from: updatedAt + MAX_UNCHANGED_SECONDS,
          },
        ],
  reserved_for_months: ({ status, updatedAt }) =>
    updatedAt === null || !['Under Offer', 'Sale Agreed'].includes(status)
      ? NONE
      : [
          {
            node: 'status',
            value: `${status}, ≤ ${isoDate(updatedAt)}`,
            from: updatedAt + MAX_RESERVED_SECONDS,
          },
        ],
};
