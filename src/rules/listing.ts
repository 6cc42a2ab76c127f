import type { FeedProperty } from '../db/feed/feed-properties.ts';
import type { FieldRow } from '../db/schema.ts';
import { labelsById, type VocabularyRead } from '../db/vocabulary.ts';
import { ELEMENTS, type StoredLanguage } from '../lib/languages.ts';
import { type EpochSeconds, toSeconds } from '../lib/time/time.ts';
import type { DevelopmentPlace } from '../portfolio/development.ts';
import type { CategoryDocument, FeatureDocument, PropertyDocument, TypeDocument } from '../portfolio/documents.ts';

/** A name of the vocabulary in the languages that have one, English first. */
export type Names = Readonly<Partial<Record<StoredLanguage, string>>>;

/** The columns that reports check and not every feed shows. */
export const LISTED_FIELDS = ['energy_status', 'address', 'floor'] as const;

export interface ListedProperty extends FeedProperty, FieldRow<(typeof LISTED_FIELDS)[number]> {}

/** The fields that documents of properties and rows of the database have in the same form. */
const SHARED_FIELDS = [
  ...(['status', 'currency', 'town', 'province', 'country', 'postcode', 'beds', 'bath', 'built_area'] as const),
  ...(['plot_area', 'living_area', 'built_year', 'community_fees', 'garbage_tax', 'ibi_fees'] as const),
  ...(['cadastral_ref', 'emissions', 'consumption', 'virtual_tour_url', 'video_url'] as const),
  ...LISTED_FIELDS,
] as const;

type Shared = Pick<ListedProperty, (typeof SHARED_FIELDS)[number]>;

function sharedFields(source: Shared): Shared {
  return Object.fromEntries(SHARED_FIELDS.map((field) => [field, source[field]])) as unknown as Shared;
}

/**
 * A property as the rules see it, whatever it was read from: a row of the database, or a record of somebody's feed.
 * Areas are in square metres, places in degrees of WGS 84.
 */
export interface Listing extends Shared {
  readonly id: string;
  readonly reference: string;
  /** `null` if the source does not say. */
  readonly listedAt: EpochSeconds | null;
  readonly updatedAt: EpochSeconds | null;
  readonly offers: Readonly<Partial<PropertyDocument['offers']>>;
  readonly type: Names;
  readonly subtype: Names;
  readonly location: { readonly latitude: number; readonly longitude: number } | null;
  readonly hasPool: boolean;
  readonly descriptions: Readonly<Partial<Record<StoredLanguage, string>>>;
  readonly pictures: readonly string[];
  readonly features: readonly { readonly category: string; readonly label: Names }[];
  /** Where the development of the property's unit is; `null` if the property has no unit, or the place is unknown. */
  readonly development: DevelopmentPlace | null;
}

/** What rules need to know of a type: a home has rooms, a house also a plot, a plot neither. */
export type TypeKind = 'apartment' | 'house' | 'plot' | 'parking' | 'business' | 'unknown';

/** Words of the English and Spanish names of types, in the order in which they decide. A workshop is a `garage mécanique` in French. */
const KINDS: readonly (readonly [TypeKind, RegExp])[] = [
  ['parking', /parking|garage(?! mécanique)|garaje|storage|trastero/],
  ['plot', /\bplot\b|\bland\b|parcela|solar|terreno|suelo/],
  ['business', /commercial|business|office|local|shop|restaurant|bar\b|hotel|hostel|warehouse|industrial|oficina|nave/],
  ['apartment', /apartment|flat|penthouse|studio|duplex|triplex|loft|piso|apartamento|ático|atico|estudio/],
  ['house', /house|villa|chalet|bungalow|finca|cortijo|casa|cabin|castle|palace|quad|farm/],
];

export function typeKind(listing: Pick<Listing, 'type' | 'subtype'>): TypeKind {
  const names = typeNames(listing);
  return KINDS.find(([, words]) => words.test(names))?.[0] ?? 'unknown';
}

export function typeNames({ type, subtype }: Pick<Listing, 'type' | 'subtype'>): string {
  return [...Object.values(subtype), ...Object.values(type)].join(' ').toLowerCase();
}

export function isHome(listing: Pick<Listing, 'type' | 'subtype'>): boolean {
  const kind = typeKind(listing);
  return kind === 'apartment' || kind === 'house';
}

/** An account's vocabulary by id, as listings show it. */
export type Dictionary = ReturnType<typeof dictionaryOf>;

export function dictionaryOf({ revision, types, categories, features }: VocabularyRead) {
  const category = new Map(categories.map(({ id, code }) => [id, code]));
  return {
    revision,
    types: labelsById(types, (rows) => ({
      type: names(rows, ({ type, code }) => type ?? code),
      subtype: names(rows, ({ subtype }) => subtype),
    })),
    features: labelsById(features, (rows) => ({
      category: category.get(rows[0]!.categoryId) ?? '',
      label: names(rows, ({ label, code }) => label ?? code),
    })),
  };
}

type Labelled = { readonly language: number | null };

/** An entry without any label has its code in English. */
function names<Row extends Labelled>(rows: readonly Row[], nameOf: (row: Row) => string | null): Names {
  return Object.fromEntries(
    rows.flatMap((row) => {
      const name = nameOf(row);
      return name === null ? [] : [[ELEMENTS.get(row.language ?? 1) ?? 'uk', name]];
    }),
  );
}

/** A property of the database as the rules see it, with its descriptions in the languages with these codes. */
export function listingOfRow(row: ListedProperty, languages: readonly number[], dictionary: Dictionary): Listing {
  const type = dictionary.types.get(row.type_id);
  const { latitude, longitude } = row;
  return {
    ...sharedFields(row),
    id: row.identifier,
    reference: row.reference,
    listedAt: row.listed_at,
    updatedAt: row.updated_at,
    offers: {
      ...(row.for_sale && { sale: { price: row.sale_price, minimum_price: row.minimum_price } }),
      ...(row.for_long_term && { long_term: { rent: row.monthly_rent } }),
      ...(row.for_short_term && {
        short_term: { low: row.low_season_rent, high: row.high_season_rent, license: row.rental_license },
      }),
    },
    type: type?.type ?? {},
    subtype: type?.subtype ?? {},
    location: latitude === null || longitude === null ? null : { latitude, longitude },
    hasPool: row.has_pool === 1,
    descriptions: Object.fromEntries(
      row.descriptions.flatMap((text, index) => {
        const element = ELEMENTS.get(languages[index]!);
        return text?.trim() && element !== undefined ? [[element, text]] : [];
      }),
    ),
    pictures: row.pictures?.split('\n') ?? [],
    development: row.development,
    features: (row.features?.split(',') ?? []).flatMap((id) => dictionary.features.get(Number(id)) ?? []),
  };
}

/** The vocabulary that documents of properties refer to by code. */
type Labels = ReturnType<typeof labelsOf>;

export function labelsOf(documents: Iterable<TypeDocument | CategoryDocument | FeatureDocument>) {
  const types = new Map<string, TypeDocument>();
  const features = new Map<string, FeatureDocument>();
  for (const document of documents) {
    if (document.kind === 'type') types.set(document.code, document);
    if (document.kind === 'feature') features.set(document.code, document);
  }
  return { types, features };
}

/** A property of a portfolio as the rules see it. */
export function listingOfDocument(document: PropertyDocument, labels: Labels): Listing {
  const type = labels.types.get(document.type)?.labels ?? {};
  const names = (key: 'type' | 'subtype'): Names =>
    Object.fromEntries(
      Object.entries(type).flatMap(([language, label]) => (label?.[key] ? [[language, label[key]]] : [])),
    );
  const typeNames = names('type');
  return {
    ...sharedFields(document),
    id: document.id,
    reference: document.ref,
    listedAt: toSeconds(document.listed_at),
    updatedAt: toSeconds(document.sale_updated_at ?? document.rental_updated_at ?? document.source_changed_at),
    offers: document.offers,
    type: Object.keys(typeNames).length === 0 ? { uk: document.type } : typeNames,
    subtype: names('subtype'),
    location: document.location,
    hasPool: document.has_pool,
    descriptions: Object.fromEntries(
      Object.entries(document.texts).flatMap(([language, text]) =>
        text?.description?.trim() ? [[language, text.description]] : [],
      ),
    ),
    pictures: document.pictures,
    development: null,
    features: document.features.map((code) => {
      const feature = labels.features.get(code);
      return { category: feature?.category ?? '', label: feature?.labels ?? { uk: code } };
    }),
  };
}
