import type { StoredLanguage } from '../lib/languages.ts';

/** A price of an offer: `null` if it is on request. The offer is absent if the property is not offered so. */
export interface Offers {
  readonly sale?: { readonly price: number | null; readonly minimum: number };
  readonly longTerm?: { readonly rent: number | null };
  readonly shortTerm?: { readonly low: number | null; readonly high: number | null; readonly license: string | null };
}

/** A name of the vocabulary in the languages that have one, English first. */
export type Names = Readonly<Partial<Record<StoredLanguage, string>>>;

/**
 * A property as the rules see it, whatever it was read from: a row of the database, or a record of somebody's feed.
 * Areas are in square metres, times in seconds since 1970-01-01 UTC, places in degrees of WGS 84.
 */
export interface Listing {
  readonly id: string;
  readonly reference: string;
  readonly status: string;
  /** `null` if the source does not say. */
  readonly listedAt: number | null;
  readonly updatedAt: number | null;
  readonly currency: string;
  readonly offers: Offers;
  readonly type: Names;
  readonly subtype: Names;
  /** Empty if unknown, like the province. */
  readonly town: string;
  readonly province: string;
  readonly country: string | null;
  readonly postcode: string | null;
  readonly location: { readonly latitude: number; readonly longitude: number } | null;
  readonly beds: number;
  /** Baths plus toilets: 4.5 is 4 baths and 1 toilet. */
  readonly bath: number;
  readonly builtArea: number | null;
  readonly plotArea: number | null;
  readonly livingArea: number | null;
  readonly builtYear: number | null;
  readonly communityFees: number | null;
  readonly garbageTax: number | null;
  readonly propertyTax: number | null;
  readonly cadastralReference: string | null;
  readonly hasPool: boolean;
  /** A to G; X if unknown or in progress. */
  readonly emissions: string;
  readonly consumption: string;
  readonly tourUrl: string | null;
  readonly videoUrl: string | null;
  readonly descriptions: Readonly<Partial<Record<StoredLanguage, string>>>;
  /** URLs in their order. */
  readonly pictures: readonly string[];
  readonly features: readonly { readonly category: string; readonly label: Names }[];
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
export function typeKind({ type, subtype }: Pick<Listing, 'type' | 'subtype'>): TypeKind {
  const names = [...Object.values(subtype), ...Object.values(type)].join(' ').toLowerCase();
  return KINDS.find(([, words]) => words.test(names))?.[0] ?? 'unknown';
}

/** Whether people live in it. */
export function isHome(listing: Pick<Listing, 'type' | 'subtype'>): boolean {
  const kind = typeKind(listing);
  return kind === 'apartment' || kind === 'house';
}
