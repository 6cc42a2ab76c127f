import type Database from 'better-sqlite3';
import { featureName, typeName } from '../../../src/feed/formats/kyero/names.ts';
import { firstPictures, ORIENTATION, orientationValues, type Row, readVocabulary } from './database.ts';

/** The data that the Node programs write in Kyero's format, by the same statement. */

/** The elements of the languages, by their codes. */
export const KYERO_ELEMENTS = ['', 'en', 'es'];

/** The columns of a property before its texts. */
export const COLUMNS = 32;

/** All properties of an account that a feed lists. Each text is the address of a page, a line feed, and a description. */
export function readKyeroProperties(
  db: Database.Database,
  account: number,
  languages: readonly number[],
): Iterable<Row> {
  const texts = languages.map(
    (language) => `, (SELECT ifnull(url, '') || char(10) || ifnull(description, '')
                        FROM property_texts WHERE property_id = p.id AND language = ${Number(language)})`,
  );
  return db
    .prepare(
      `SELECT p.identifier, max(p.sale_updated_at, p.rental_updated_at), p.reference, coalesce(u.feed_status, p.status),
              p.currency, p.for_sale, p.for_long_term, p.for_short_term, iif(p.unit_id IS NULL, p.sale_price, u.price),
              p.monthly_rent, p.low_season_rent, p.part_ownership, p.leasehold, p.new_build, p.type_id,
              p.town, p.province, p.country, p.latitude, p.longitude, p.area, p.beds, p.bath, p.has_pool,
              p.built_area, p.plot_area, p.consumption, p.emissions, u.directions, p.features, p.pictures, p.notes
              ${texts.join('')}
         FROM properties p
         LEFT JOIN units u ON u.id = p.unit_id
        WHERE p.account_id = ? AND p.listed AND coalesce(u.feed_status, p.status) <> 'Sold' AND (p.for_sale OR p.for_rent)
        ORDER BY p.sequence_number`,
    )
    .raw()
    .iterate(account) as IterableIterator<Row>;
}

/** The suffix of the identifier, the price and its period, of each record of a property. */
export function offersOf(row: Row): (readonly [suffix: string, price: number | null, frequency: string])[] {
  return [
    ...(row[5] === 1 ? [['', row[8], 'sale'] as const] : []),
    ...(row[6] === 1 ? [['-LT', row[9], 'month'] as const] : []),
    ...(row[7] === 1 ? [['-ST', row[10], 'week'] as const] : []),
  ];
}

/** The names of types and features in Kyero's format. */
export interface KyeroNames {
  readonly types: ReadonlyMap<number, string>;
  /** By id as text, as in a list of ids. */
  readonly features: ReadonlyMap<string, { readonly name: string; readonly isOrientation: boolean }>;
}

export function readKyeroNames(db: Database.Database, account: number): KyeroNames {
  const { types, categories, features } = readVocabulary(db, account, [1]);
  const codes = new Map(categories.map(({ id, code }) => [id, code]));
  return {
    types: new Map([...types].map(([id, { type, subtype }]) => [id, typeName('', (subtype[0] ?? type[0])?.[1] ?? '')])),
    features: new Map(
      [...features].map(([id, { categoryId, value }]) => {
        const category = codes.get(categoryId)!;
        return [id, { name: featureName(category, value[0]![1]), isOrientation: category === ORIENTATION }];
      }),
    ),
  };
}

/** The features of a property by their names, each once. */
export function featuresOf(row: Row, { features }: KyeroNames): Set<string> {
  const names = new Set<string>();
  if (row[3] !== 'Available') names.add(row[3]);
  if (row[28] !== null) {
    for (const [label] of orientationValues(row[28], [1])) names.add(featureName(ORIENTATION, label![1]));
  }
  for (const id of row[29]?.split(',') ?? []) {
    const { name, isOrientation } = features.get(id)!;
    if (!(isOrientation && row[28] !== null)) names.add(name);
  }
  return names;
}

/** The URLs of pictures, each ending like the name of an image. */
export function picturesOf(row: Row, most: number): string[] {
  return row[30] === null
    ? []
    : firstPictures(row[30], most).map((url) => (/\.(gif|jpe?g|png|GIF|JPE?G|PNG)$/.test(url) ? url : `${url}#.jpg`));
}

/** The document before the first record. */
export const KYERO_HEAD =
  '<?xml version="1.0" encoding="UTF-8"?>\n<root>\n<kyero><feed_version>3</feed_version></kyero>\n';
