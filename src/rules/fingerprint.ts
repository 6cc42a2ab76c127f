import { sha256Hex } from '../lib/secrets/secrets.ts';
import { addressOf, contentOf } from '../properties/pictures.ts';
import { isInSpain } from '../vocabulary/provinces.ts';
import type { Listing } from './listing.ts';

/** What remains of a property to compare it with the others of its account: digests instead of texts. */
export interface Fingerprint {
  readonly id: string;
  readonly reference: string;
  /** Digests of the descriptions by language. */
  readonly texts: Readonly<Record<string, string>>;
  /** A digest of what two different properties rarely share; empty if too little of it is known. */
  readonly facts: string;
  /** Digests of the pictures in their order: they are most of a fingerprint. */
  readonly pictures: readonly number[];
  /** A digest of the name of the development that it is a unit of; empty if it is none. */
  readonly development: string;
  /** The place, rounded to about ten metres; empty if unknown. */
  readonly place: string;
  readonly inSpain: boolean;
  /** Known values that all properties of an account rarely share, by node. */
  readonly values: Readonly<Record<string, string>>;
}

export function fingerprint(listing: Listing): Fingerprint {
  const { location, pictures, descriptions } = listing;
  const texts = Object.entries(descriptions).map(([language, text]) => [
    language,
    digest(text.replace(/\s+/g, ' ').trim().toLowerCase()),
  ]);
  return {
    id: listing.id,
    reference: listing.ref,
    texts: Object.fromEntries(texts),
    facts: factsOf(listing),
    pictures: pictures.map((entry) => pictureDigest(addressOf(entry))),
    development: listing.developmentName === null ? '' : digest(listing.developmentName),
    place:
      location === null ? '' : `${location.latitude.toFixed(4)},${location.longitude.toFixed(4)}`,
    inSpain: isInSpain(listing),
    values: Object.fromEntries(valuesOf(listing)),
  };
}

function valuesOf({
  offers,
  consumption,
  emissions,
  has_pool,
  built_area,
  built_year,
}: Listing): [string, string][] {
  const values: [string, string | number | null | undefined][] = [
    ['price', offers.sale?.price],
    [
      'energy_rating',
      consumption === 'X' && emissions === 'X' ? null : `${consumption}, ${emissions}`,
    ],
    ['has_pool', has_pool ? 'true' : null],
    ['surface_area/built', built_area],
    ['built_year', built_year],
  ];
  return values.flatMap(([node, value]): [string, string][] =>
    value ? [[node, String(value)]] : [],
  );
}

/** A property with a price, a built area and a place is hardly ever like another by chance. */
function factsOf({ offers, beds, bath, built_area, plot_area, town, type }: Listing): string {
  const price = offers.sale?.price ?? offers.long_term?.rent ?? offers.short_term?.low ?? null;
  if (price === null || built_area === null || town === '') return '';
  return digest(
    JSON.stringify([
      price,
      beds,
      bath,
      built_area,
      plot_area,
      town.toLowerCase(),
      Object.values(type)[0],
    ]),
  );
}

/**
 * What tells whether two pictures are the same, by their content, if they are served from here, or their address: 53 bits, which a
 * number has exactly and the pictures of an account hardly ever share. An account has hundreds of thousands, for which SHA-256 takes
 * too long; this is cyrb53 (https://github.com/bryc/code/blob/master/jshash/experimental/cyrb53.js).
 */
export function pictureDigest(address: string): number {
  const text = contentOf(address) ?? address;
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  const mixedHigh =
    Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  const mixedLow =
    Math.imul(low ^ (low >>> 16), 2246822507) ^
    Math.imul(mixedHigh ^ (mixedHigh >>> 13), 3266489909);
  return 2 ** 32 * (mixedLow & 0x1fffff) + (mixedHigh >>> 0);
}

/** A short digest of a text: 64 bits, enough to tell the texts of one account apart. */
function digest(text: string): string {
  return sha256Hex(text).slice(0, 16);
}
