import type { FeedProperty } from '../db/feed/feed-properties.ts';
import type { StoredLanguage } from '../lib/languages.ts';
import type { DevelopmentPlace } from '../portfolio/development.ts';
import type { FieldRow } from '../portfolio/field-shapes.ts';

/** A price of an offer: `null` if it is on request. The offer is absent if the property is not offered so. */
export interface Offers {
  readonly sale?: { readonly price: number | null; readonly minimum: number };
  readonly longTerm?: { readonly rent: number | null };
  readonly shortTerm?: { readonly low: number | null; readonly high: number | null; readonly license: string | null };
}

/** A name of the vocabulary in the languages that have one, English first. */
export type Names = Readonly<Partial<Record<StoredLanguage, string>>>;

/** The columns that reports check and not every feed shows. */
export const LISTED_FIELDS = ['energy_status', 'address'] as const;

/** A row with them. */
export interface ListedProperty extends FeedProperty, FieldRow<(typeof LISTED_FIELDS)[number]> {}

/** The fields that documents of properties and rows of the database have in the same form. */
const SHARED_FIELDS = [
  ...(['status', 'currency', 'town', 'province', 'country', 'postcode', 'beds', 'bath', 'built_area'] as const),
  ...(['plot_area', 'living_area', 'built_year', 'community_fees', 'garbage_tax', 'ibi_fees'] as const),
  ...(['cadastral_ref', 'emissions', 'consumption', 'virtual_tour_url', 'video_url'] as const),
  ...LISTED_FIELDS,
] as const;

type Shared = Pick<ListedProperty, (typeof SHARED_FIELDS)[number]>;

/** The shared fields of a row or a document. */
export function sharedFields(source: Shared): Shared {
  return Object.fromEntries(SHARED_FIELDS.map((field) => [field, source[field]])) as unknown as Shared;
}

/**
 * A property as the rules see it, whatever it was read from: a row of the database, or a record of somebody's feed.
 * Areas are in square metres, times in seconds since 1970-01-01 UTC, places in degrees of WGS 84.
 */
export interface Listing extends Shared {
  readonly id: string;
  readonly reference: string;
  /** `null` if the source does not say. */
  readonly listedAt: number | null;
  readonly updatedAt: number | null;
  readonly offers: Offers;
  readonly type: Names;
  readonly subtype: Names;
  readonly location: { readonly latitude: number; readonly longitude: number } | null;
  readonly hasPool: boolean;
  readonly descriptions: Readonly<Partial<Record<StoredLanguage, string>>>;
  /** URLs in their order. */
  readonly pictures: readonly string[];
  readonly features: readonly { readonly category: string; readonly label: Names }[];
  /** Where the development of the unit is that the property is; `null` if it is none, or that is not known. */
  readonly development: DevelopmentPlace | null;
}

/** What a type stands for, where rules differ: a home has rooms, a house also a plot, a plot neither. */
export type TypeKind = 'apartment' | 'house' | 'plot' | 'parking' | 'business' | 'unknown';

/** Words of the English and Spanish names of types, in the order in which they decide. */
const KINDS: readonly (readonly [TypeKind, RegExp])[] = [
  ['parking', /parking|garage|garaje|storage|trastero/],
  ['plot', /\bplot\b|\bland\b|parcela|solar|terreno|suelo/],
  ['business', /commercial|business|office|local|shop|restaurant|bar\b|hotel|hostel|warehouse|industrial|oficina|nave/],
  ['apartment', /apartment|flat|penthouse|studio|duplex|triplex|loft|piso|apartamento|ático|atico|estudio/],
  ['house', /house|villa|chalet|bungalow|finca|cortijo|casa|cabin|castle|palace|quad|farm/],
];

/** The kind of a property's type, by its names. */
export function typeKind(listing: Pick<Listing, 'type' | 'subtype'>): TypeKind {
  const names = typeNames(listing);
  return KINDS.find(([, words]) => words.test(names))?.[0] ?? 'unknown';
}

/** The names of a property's type and subtype, in lower case. */
export function typeNames({ type, subtype }: Pick<Listing, 'type' | 'subtype'>): string {
  return [...Object.values(subtype), ...Object.values(type)].join(' ').toLowerCase();
}

/** Whether people live in it. */
export function isHome(listing: Pick<Listing, 'type' | 'subtype'>): boolean {
  const kind = typeKind(listing);
  return kind === 'apartment' || kind === 'house';
}
