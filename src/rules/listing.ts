import type { FeedField, FeedProperty } from '../feed/build/feed-properties.ts';
import { ELEMENTS, type StoredLanguage } from '../lib/languages.ts';
import { type EpochSeconds, toSeconds } from '../lib/time/time.ts';
import type { DevelopmentPlace } from '../properties/development.ts';
import type { PortfolioDocument, PropertyDocument, TypeDocument } from '../properties/documents.ts';
import type { PictureEntry } from '../properties/pictures.ts';
import { builtInFeature, builtInType } from '../vocabulary/built-in.ts';
import type { VocabularyRead } from '../vocabulary/stored.ts';
import type { Typed } from './types.ts';

/** A name of the vocabulary in the languages that have one, English first. */
export type Names = Readonly<Partial<Record<StoredLanguage, string>>>;

/** The fields that rules see as they are. */
const PLAIN_FIELDS = [
  'status',
  'currency',
  'offers',
  'town',
  'province',
  'country',
  'postcode',
  'address',
  'floor',
  'location',
  'beds',
  'bath',
  'built_area',
  'plot_area',
  'living_area',
  'built_year',
  'community_fees',
  'garbage_tax',
  'ibi_fees',
  'cadastral_ref',
  'has_pool',
  'emissions',
  'consumption',
  'energy_status',
  'virtual_tour_url',
  'video_url',
] as const;

/** The fields of a property that rules look at: no report shows any other. */
export const LISTED_FIELDS = [
  ...PLAIN_FIELDS,
  'ref',
  'type',
  'listed_at',
  'features',
] as const satisfies readonly FeedField[];

export type ListedField = (typeof LISTED_FIELDS)[number];

type Plain = Pick<PropertyDocument, (typeof PLAIN_FIELDS)[number]>;

/**
 * A property as the rules see it, whatever it was read from: the database, or a record of somebody's feed.
 * Areas are in square metres, places in degrees of WGS 84.
 */
export interface Listing extends Readonly<Plain>, Typed {
  readonly id: string;
  readonly ref: string;
  /** `null` if the source does not say. */
  readonly listedAt: EpochSeconds | null;
  readonly updatedAt: EpochSeconds | null;
  readonly type: Names;
  readonly subtype: Names;
  readonly descriptions: Readonly<Partial<Record<StoredLanguage, string>>>;
  readonly pictures: readonly PictureEntry[];
  readonly features: readonly ListedFeature[];
  /** Where the development of the property's unit is; `null` if the property has no unit, or the place is unknown. */
  readonly development: DevelopmentPlace | null;
  /** The name of that development; `null` without a unit, or if the source does not say. */
  readonly developmentName: string | null;
}

export interface ListedFeature {
  /** The code of the built-in feature that it means; `null` if it means none. */
  readonly builtIn: string | null;
  readonly category: string;
  readonly label: Names;
}

export interface ListedType extends Typed {
  readonly type: Names;
  readonly subtype: Names;
}

/** The vocabulary that properties refer to by code, as listings show it. */
export interface ListedVocabulary {
  readonly types: ReadonlyMap<string, ListedType>;
  readonly features: ReadonlyMap<string, ListedFeature>;
}

/** An account's vocabulary as its listings show it. */
export interface Dictionary extends ListedVocabulary {
  readonly revision: string;
}

export function dictionaryOf({ revision, types, features }: VocabularyRead): Dictionary {
  return { revision, ...listedVocabulary([...types, ...features]) };
}

/** The vocabulary among the documents of a portfolio. */
export function listedVocabulary(documents: Iterable<PortfolioDocument>): ListedVocabulary {
  const types = new Map<string, ListedType>();
  const features = new Map<string, ListedFeature>();
  for (const document of documents) {
    if (document.kind === 'type') types.set(document.code, listedType(document));
    if (document.kind === 'feature') {
      const { code, category, labels } = document;
      const label = Object.keys(labels).length === 0 ? { uk: code } : labels;
      features.set(code, { builtIn: builtInFeature(document), category, label });
    }
  }
  return { types, features };
}

/** A type without any label has its code in English. */
function listedType(document: Pick<TypeDocument, 'code' | 'labels'>): ListedType {
  const type = namesIn(document, 'type');
  return {
    builtInType: builtInType(document),
    type: Object.keys(type).length === 0 ? { uk: document.code } : type,
    subtype: namesIn(document, 'subtype'),
  };
}

function namesIn({ labels }: Pick<TypeDocument, 'labels'>, key: 'type' | 'subtype'): Names {
  const names = Object.entries(labels).flatMap(([language, label]) =>
    label[key] ? [[language, label[key]]] : [],
  );
  return Object.fromEntries(names);
}

/** A property of the database as the rules see it, with its descriptions in the languages with these codes. */
export function listingOfRow(
  property: FeedProperty<ListedField>,
  languages: readonly number[],
  vocabulary: ListedVocabulary,
): Listing {
  const { updated_at, descriptions, unit } = property;
  return listingOf(property, vocabulary, {
    updatedAt: updated_at,
    descriptions: descriptions.map((text, index) => [ELEMENTS.get(languages[index]!)!, text]),
    development: unit?.place ?? null,
    developmentName: unit?.developmentName ?? null,
  });
}

/** A property of a portfolio as the rules see it. */
export function listingOfDocument(
  property: PropertyDocument,
  vocabulary: ListedVocabulary,
): Listing {
  const { updated_at, source_changed_at, texts } = property;
  return listingOf(property, vocabulary, {
    updatedAt: toSeconds(updated_at ?? source_changed_at),
    descriptions: Object.entries(texts).map(([language, { description }]) => [
      language,
      description,
    ]),
    development: null,
    developmentName: null,
  });
}

/** What properties of the database and documents have alike. */
type Listed = Readonly<Pick<PropertyDocument, ListedField>> & Pick<Listing, 'id' | 'pictures'>;

/** What each of them has in its own way. */
interface Further extends Pick<Listing, 'updatedAt' | 'development' | 'developmentName'> {
  readonly descriptions: readonly (readonly [language: string, text: string | null])[];
}

function listingOf(
  property: Listed,
  { types, features }: ListedVocabulary,
  further: Further,
): Listing {
  const { id, ref, type, listed_at, pictures } = property;
  const { updatedAt, development, developmentName, descriptions } = further;
  return {
    ...(Object.fromEntries(
      PLAIN_FIELDS.map((field) => [field, property[field]]),
    ) as unknown as Plain),
    ...(types.get(type) ?? listedType({ code: type, labels: {} })),
    id,
    ref,
    listedAt: toSeconds(listed_at),
    updatedAt,
    descriptions: Object.fromEntries(descriptions.filter(([, text]) => text?.trim())),
    pictures,
    development,
    developmentName,
    features: property.features.map((code) => features.get(code) ?? unknownFeature(code)),
  };
}

/** A feature that the vocabulary lacks. */
function unknownFeature(code: string): ListedFeature {
  return {
    builtIn: builtInFeature({ code, category: '', labels: {} }),
    category: '',
    label: { uk: code },
  };
}
