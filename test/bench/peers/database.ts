import type { DatabaseSync } from 'node:sqlite';

/** The data that the Node programs read, by the same statements. */

/** Writes the feed of an account in version 3, some properties at a time. */
export type FeedProgram = (account: string, languages: readonly number[], pictures: number) => Generator<string>;

/** The elements of the languages, by their codes. */
export const ELEMENTS = ['', 'uk', 'es', 'de', 'fr', 'nl', 'da', 'ru', 'sv', 'pl', 'no'];

/** The columns of a property, in the order of the statement; the descriptions follow. */
// biome-ignore lint/suspicious/noExplicitAny: the statement fixes what stands where
export type Row = any[];

/** All properties of an account that a feed lists, by one statement, one after the other. */
export function readProperties(db: DatabaseSync, account: number, languages: readonly number[]): Iterable<Row> {
  const descriptions = languages.map(
    (language) =>
      `, (SELECT description FROM property_texts WHERE property_id = p.id AND language = ${Number(language)})`,
  );
  const statement = db.prepare(
    `SELECT p.identifier, p.reference, max(p.sale_updated_at, p.rental_updated_at), coalesce(u.feed_status, p.status),
              p.currency, p.for_sale, p.for_long_term, iif(p.unit_id IS NULL, p.sale_price, u.price),
              p.minimum_price, p.monthly_rent, p.type_id, d.name, u.name, u.directions,
              p.town, p.area, p.province, p.country, p.postcode, p.latitude, p.longitude, p.beds, p.bath,
              p.built_area, p.plot_area, p.terrace_area, p.living_area, p.built_year,
              p.community_fees, p.garbage_tax, p.ibi_fees, p.cadastral_ref,
              p.has_pool, p.has_garden, p.has_garage, p.emissions, p.consumption, p.virtual_tour_url, p.video_url,
              p.features, p.pictures, p.low_season_rent
              ${descriptions.join('')}
         FROM properties p
         LEFT JOIN units u ON u.id = p.unit_id
         LEFT JOIN developments d ON d.id = u.development_id
        WHERE p.account_id = ? AND p.listed AND coalesce(u.feed_status, p.status) <> 'Sold' AND (p.for_sale OR p.for_rent)
        ORDER BY p.sequence_number`,
  );
  statement.setReturnArrays(true);
  return statement.iterate(account) as Iterable<unknown> as Iterable<Row>;
}

/** The first URLs of a property's pictures, or all of them. */
export function firstPictures(pictures: string, most: number): string[] {
  const urls = pictures.split('\n');
  return most === 0 ? urls : urls.slice(0, most);
}

/** The headline price: of what is offered first and has one, else 0 for what is offered first. */
export function headlineOf(row: Row): { price: number; frequency: string } {
  const [forSale, longTerm] = [row[5] === 1, row[6] === 1];
  const offers = [
    ...(forSale ? [{ price: row[7], frequency: 'sale' }] : []),
    ...(longTerm ? [{ price: row[9], frequency: 'month' }] : []),
    { price: row[41], frequency: 'week' },
  ];
  const { price, frequency } = offers.find(({ price }) => price !== null) ?? offers[0]!;
  return { price: price ?? 0, frequency };
}

export function accountId(db: DatabaseSync, code: string): number {
  return db.prepare('SELECT id FROM accounts WHERE code = ?').get(code)!.id as number;
}

/** A text in each requested language that has it, with the language's element. */
export type Labels = readonly (readonly [element: string, text: string])[];

/** An account's vocabulary in some languages. */
export interface Vocabulary {
  readonly types: ReadonlyMap<number, { readonly type: Labels; readonly subtype: Labels }>;
  /** In the order of the document. */
  readonly categories: readonly { readonly id: number; readonly code: string; readonly name: Labels }[];
  /** By id as text, as in a list of ids. */
  readonly features: ReadonlyMap<string, { readonly categoryId: number; readonly value: Labels }>;
}

export function readVocabulary(db: DatabaseSync, account: number, languages: readonly number[]): Vocabulary {
  const read = (sql: string) => {
    const byId = new Map<number, Row[]>();
    const statement = db.prepare(sql);
    statement.setReturnArrays(true);
    for (const row of statement.iterate(account) as Iterable<unknown> as Iterable<Row>) {
      const rows = byId.get(row[0]);
      if (rows === undefined) byId.set(row[0], [row]);
      else rows.push(row);
    }
    return [...byId];
  };
  const labels = (rows: Row[], column: number): Labels =>
    rows
      .filter((row) => languages.includes(row[1]) && row[column] !== null)
      .map((row) => [ELEMENTS[row[1]]!, row[column]] as const);
  return {
    types: new Map(
      read(
        `SELECT t.id, l.language, l.type, l.subtype FROM property_types t JOIN property_type_labels l ON l.type_id = t.id
          WHERE t.account_id = ? ORDER BY 1, 2`,
      ).map(([id, rows]) => [id, { type: labels(rows, 2), subtype: labels(rows, 3) }]),
    ),
    categories: read(
      `SELECT c.id, l.language, l.label, c.code FROM feature_categories c
         JOIN feature_category_labels l ON l.category_id = c.id WHERE c.account_id = ?
        ORDER BY c.code <> '${ORIENTATION}', 1, 2`,
    ).map(([id, rows]) => ({ id, code: rows[0]![3], name: labels(rows, 2) })),
    features: new Map(
      read(
        `SELECT f.id, l.language, l.label, f.category_id FROM features f JOIN feature_labels l ON l.feature_id = f.id
          WHERE f.account_id = ? ORDER BY 1, 2`,
      ).map(([id, rows]) => [String(id), { categoryId: rows[0]![3], value: labels(rows, 2) }]),
    ),
  };
}

const COMPASS: Readonly<Record<string, readonly string[]>> = {
  N: ['', 'North', 'Norte'],
  S: ['', 'South', 'Sur'],
  E: ['', 'East', 'Este'],
  W: ['', 'West', 'Oeste'],
  SW: ['', 'South West', 'Suroeste'],
};

/** The category that a unit's directions replace. */
export const ORIENTATION = 'Orientation';

export function orientationName(languages: readonly number[]): Labels {
  return languages.map((language) => [ELEMENTS[language]!, ['', 'Orientation', 'Orientación'][language]!]);
}

/** A unit's directions as text. */
export function orientationValues(directions: string, languages: readonly number[]): Labels[] {
  return (JSON.parse(directions) as string[]).map((code) =>
    languages.map((language) => [ELEMENTS[language]!, COMPASS[code]?.[language] ?? code]),
  );
}

/** `YYYY-MM-DD hh:mm:ss` in UTC of seconds since 1970-01-01 UTC. */
export function dateTime(seconds: number): string {
  const iso = new Date(seconds * 1000).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;
}

/** The document before the first record. */
export const HEAD =
  '<?xml version="1.0" encoding="UTF-8"?>\n<root>\n<resalesonline><feed_version>3</feed_version></resalesonline>\n';
