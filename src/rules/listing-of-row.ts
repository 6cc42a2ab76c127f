import type { VocabularyRead } from '../db/vocabulary.ts';
import { ELEMENTS } from '../lib/languages.ts';
import { type ListedProperty, type Listing, type Names, sharedFields } from './listing.ts';

/** An account's vocabulary by id, as listings show it. */
export interface Dictionary {
  readonly types: ReadonlyMap<number, { readonly type: Names; readonly subtype: Names }>;
  readonly features: ReadonlyMap<number, { readonly category: string; readonly label: Names }>;
}

/** The dictionary of a vocabulary. */
export function dictionaryOf({ types, categories, features }: VocabularyRead): Dictionary {
  const category = new Map(categories.map(({ id, code }) => [id, code]));
  return {
    types: mapGroups(types, (rows) => ({
      type: names(rows, ({ type, code }) => type ?? code),
      subtype: names(rows, ({ subtype }) => subtype),
    })),
    features: mapGroups(features, (rows) => ({
      category: category.get(rows[0]!.categoryId) ?? '',
      label: names(rows, ({ label, code }) => label ?? code),
    })),
  };
}

function mapGroups<Row extends { readonly id: number }, To>(
  rows: readonly Row[],
  change: (rows: readonly Row[]) => To,
) {
  return new Map([...Map.groupBy(rows, ({ id }) => id)].map(([id, group]) => [id, change(group)]));
}

/** An entry without any label has its code in English. */
function names<Row extends { readonly language: number | null }>(
  rows: readonly Row[],
  nameOf: (row: Row) => string | null,
): Names {
  return Object.fromEntries(
    rows.flatMap((row) => {
      const name = nameOf(row);
      return name === null ? [] : [[ELEMENTS.get(row.language ?? 1) ?? 'uk', name]];
    }),
  );
}

/**
 * A property of the database as the rules see it.
 *
 * @param languages the codes of the languages that its descriptions were read in
 */
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
      ...(row.for_sale && { sale: { price: row.sale_price, minimum: row.minimum_price } }),
      ...(row.for_long_term && { longTerm: { rent: row.monthly_rent } }),
      ...(row.for_short_term && {
        shortTerm: { low: row.low_season_rent, high: row.high_season_rent, license: row.rental_license },
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
