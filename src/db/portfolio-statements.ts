import { LANGUAGES } from '../lib/languages.ts';
import type {
  CategoryDocument,
  DevelopmentDocument,
  FeatureDocument,
  PortfolioDocument,
  PropertyDocument,
  TypeDocument,
  UnitDocument,
} from '../portfolio/documents.ts';
import { type Column, parameters, type Row, real, rowsOf, type Value } from './portfolio-rows.ts';

type Of<Kind extends PortfolioDocument['kind']> = readonly Extract<PortfolioDocument, { kind: Kind }>[];

/**
 * The statements that make an account's rows those of the documents, to be run in their order in one batch: each
 * document is written whether it differs or not. New properties get the account's next running numbers in the order of
 * the documents. Parameter 1 of every statement is the account, parameter 2 a JSON array of rows.
 */
export function portfolioStatements(
  db: D1Database,
  accountId: number,
  documents: readonly PortfolioDocument[],
): D1PreparedStatement[] {
  const of = <Kind extends PortfolioDocument['kind']>(kind: Kind) =>
    documents.filter((document) => document.kind === kind) as unknown as Of<Kind>;
  return [
    ...typeWrites(of('type')),
    ...categoryWrites(of('category')),
    ...featureWrites(of('feature')),
    ...developmentWrites(of('development')),
    ...unitWrites(of('unit')),
    ...propertyWrites(of('property')),
  ].flatMap(({ sql, rows }) => parameters(rows).map((json) => db.prepare(sql).bind(accountId, json)));
}

interface Write {
  readonly sql: string;
  readonly rows: Iterable<Row | string>;
}

const CODES = rowsOf([['code', 'plain']]);

function typeWrites(documents: Of<'type'>): Write[] {
  return [
    {
      sql: `INSERT INTO property_types (account_id, code) SELECT ?1, d.code FROM ${CODES}
            WHERE true ON CONFLICT (account_id, code) DO NOTHING`,
      rows: documents.map(({ code }) => [code]),
    },
    ...labelWrites(
      { labels: 'property_type_labels', owner: 'type_id', owners: 'property_types' },
      ['older_type', 'type', 'subtype'],
      documents.map(({ code, labels }: TypeDocument) => ({
        code,
        values: (element) => {
          const label = labels[element];
          return label && [label.older_type, label.type, label.subtype];
        },
      })),
    ),
  ];
}

function categoryWrites(documents: Of<'category'>): Write[] {
  return [
    {
      sql: `INSERT INTO feature_categories (account_id, code) SELECT ?1, d.code FROM ${CODES}
            WHERE true ON CONFLICT (account_id, code) DO NOTHING`,
      rows: documents.map(({ code }) => [code]),
    },
    ...labelWrites(
      { labels: 'feature_category_labels', owner: 'category_id', owners: 'feature_categories' },
      ['label'],
      documents.map(plainLabels),
    ),
  ];
}

function featureWrites(documents: Of<'feature'>): Write[] {
  return [
    {
      sql: `INSERT INTO features (account_id, category_id, code)
            SELECT ?1, (SELECT id FROM feature_categories WHERE account_id = ?1 AND code = d.category), d.code
              FROM ${rowsOf([
                ['code', 'plain'],
                ['category', 'plain'],
              ])}
             WHERE true ON CONFLICT (account_id, code) DO UPDATE SET category_id = excluded.category_id`,
      rows: documents.map(({ code, category }) => [code, category]),
    },
    ...labelWrites(
      { labels: 'feature_labels', owner: 'feature_id', owners: 'features' },
      ['label'],
      documents.map(plainLabels),
    ),
  ];
}

interface Labelled {
  readonly code: string;
  /** The columns of a language's label, or nothing where it has none. */
  values(element: (typeof LANGUAGES)[number]['element']): readonly (string | null)[] | undefined;
}

function plainLabels({ code, labels }: CategoryDocument | FeatureDocument): Labelled {
  return {
    code,
    values: (element) => {
      const label = labels[element];
      return label === undefined ? undefined : [label];
    },
  };
}

/** Labels are compared one by one, since each that changes is shown by every property that has its owner. */
function labelWrites(
  names: { readonly labels: string; readonly owner: string; readonly owners: string },
  columns: readonly string[],
  documents: readonly Labelled[],
): Write[] {
  const given: Row[] = [];
  const missing: Row[] = [];
  for (const { code, values } of documents) {
    for (const language of LANGUAGES) {
      const label = values(language.element);
      if (label === undefined) missing.push([code, language.code]);
      else given.push([code, language.code, ...label]);
    }
  }
  const table = rowsOf(['code', 'language', ...columns].map((name): Column => [name, 'plain']));
  return [
    {
      sql: `DELETE FROM ${names.labels} WHERE (${names.owner}, language) IN (
              SELECT o.id, d.language FROM ${table} JOIN ${names.owners} o ON o.account_id = ?1 AND o.code = d.code)`,
      rows: missing,
    },
    {
      sql: `INSERT INTO ${names.labels} (${names.owner}, language, ${columns.join(', ')})
            SELECT (SELECT id FROM ${names.owners} WHERE account_id = ?1 AND code = d.code), d.language,
                   ${columns.map((column) => `d.${column}`).join(', ')}
              FROM ${table}
             WHERE true ON CONFLICT (${names.owner}, language)
             DO UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`,
      rows: given,
    },
  ];
}

function developmentWrites(documents: Of<'development'>): Write[] {
  return [
    {
      sql: `INSERT INTO developments (account_id, identifier, name) SELECT ?1, d.identifier, d.name
              FROM ${rowsOf([
                ['identifier', 'plain'],
                ['name', 'plain'],
              ])}
             WHERE true ON CONFLICT (account_id, identifier) DO UPDATE SET name = excluded.name`,
      rows: documents.map(({ id, name }: DevelopmentDocument) => [id, name]),
    },
  ];
}

function unitWrites(documents: Of<'unit'>): Write[] {
  return [
    {
      sql: `INSERT INTO units (account_id, development_id, name, status, price, directions)
            SELECT ?1, (SELECT id FROM developments WHERE account_id = ?1 AND identifier = d.development), d.name,
                   d.status, d.price, d.directions
              FROM ${rowsOf([
                ['development', 'plain'],
                ['name', 'plain'],
                ['status', 'plain'],
                ['price', 'real'],
                ['directions', 'plain'],
              ])}
             WHERE true ON CONFLICT (development_id, name)
             DO UPDATE SET status = excluded.status, price = excluded.price, directions = excluded.directions`,
      rows: documents.map(({ development, name, status, price, directions }: UnitDocument) => [
        development,
        name,
        status,
        real(price),
        JSON.stringify(directions),
      ]),
    },
  ];
}

type PropertyColumn = readonly [...column: Column, value: (property: PropertyDocument) => Value];

/** The columns of a property that hold a value of its document as it stands, but for its status. */
const PROPERTY_COLUMNS: readonly PropertyColumn[] = [
  ['reference', 'plain', (p) => p.ref],
  ['rented', 'plain', (p) => p.rented],
  ['on_own_website', 'plain', (p) => p.on_own_website],
  ['on_other_websites', 'plain', (p) => p.on_other_websites],
  ['listed_at', 'plain', (p) => seconds(p.listed_at)],
  ['source_changed_at', 'plain', (p) => p.source_changed_at && seconds(p.source_changed_at)],
  ['currency', 'plain', (p) => p.currency],
  ['town', 'plain', (p) => p.town],
  ['area', 'plain', (p) => p.area],
  ['province', 'plain', (p) => p.province],
  ['country', 'plain', (p) => p.country],
  ['postcode', 'plain', (p) => p.postcode],
  ['latitude', 'real', (p) => real(p.location?.latitude ?? null)],
  ['longitude', 'real', (p) => real(p.location?.longitude ?? null)],
  ['beds', 'plain', (p) => p.beds],
  ['bath', 'real', (p) => real(p.bath)],
  ['built_area', 'plain', (p) => p.built_area],
  ['plot_area', 'plain', (p) => p.plot_area],
  ['terrace_area', 'plain', (p) => p.terrace_area],
  ['living_area', 'plain', (p) => p.living_area],
  ['built_year', 'plain', (p) => p.built_year],
  ['community_fees', 'real', (p) => real(p.community_fees)],
  ['garbage_tax', 'real', (p) => real(p.garbage_tax)],
  ['ibi_fees', 'real', (p) => real(p.ibi_fees)],
  ['cadastral_ref', 'plain', (p) => p.cadastral_ref],
  ['new_build', 'plain', (p) => p.new_build],
  ['has_pool', 'plain', (p) => p.has_pool],
  ['has_garden', 'plain', (p) => p.has_garden],
  ['has_garage', 'plain', (p) => p.has_garage],
  ['emissions', 'plain', (p) => p.emissions],
  ['consumption', 'plain', (p) => p.consumption],
  ['virtual_tour_url', 'plain', (p) => p.virtual_tour_url],
  ['video_url', 'plain', (p) => p.video_url],
];

const IDENTIFIERS = '(SELECT value FROM json_each(?2))';
const TYPE_ID = '(SELECT id FROM property_types WHERE account_id = ?1 AND code = d.type)';
const UNIT_ID = `(SELECT u.id FROM developments v JOIN units u ON u.development_id = v.id
                   WHERE v.account_id = ?1 AND v.identifier = d.development AND u.name = d.unit)`;

const PROPERTY_ID = '(SELECT id FROM properties WHERE account_id = ?1 AND identifier = d.identifier)';

/**
 * Properties are withdrawn, rewritten and listed again, which moves the revisions once for all that changed. A unit is
 * given back first, so that two properties can exchange theirs.
 */
function propertyWrites(documents: Of<'property'>): Write[] {
  const identifiers = documents.map(({ id }) => id);
  const children = [
    'sale_offers',
    'long_term_offers',
    'short_term_offers',
    'property_texts',
    'pictures',
    'property_features',
  ];
  return [
    {
      sql: `UPDATE properties SET status = 'Withdrawn', unit_id = NULL
             WHERE account_id = ?1 AND identifier IN ${IDENTIFIERS}`,
      rows: identifiers,
    },
    ...children.map((table) => ({
      sql: `DELETE FROM ${table} WHERE property_id IN (
              SELECT id FROM properties WHERE account_id = ?1 AND identifier IN ${IDENTIFIERS})`,
      rows: identifiers,
    })),
    {
      sql: `INSERT INTO properties (account_id, number, identifier, reference, type_id, status, listed_at, town, province)
            SELECT ?1,
                   (SELECT coalesce(max(number), 0) FROM properties WHERE account_id = ?1)
                     + row_number() OVER (ORDER BY d.position),
                   d.identifier, d.reference, ${TYPE_ID}, 'Withdrawn', d.listed_at, d.town, d.province
              FROM ${rowsOf(NEW_COLUMNS)}
             WHERE NOT EXISTS (SELECT 1 FROM properties WHERE account_id = ?1 AND identifier = d.identifier)
             ORDER BY d.position`,
      rows: documents.map((p, position) => [position, p.id, p.ref, p.type, seconds(p.listed_at), p.town, p.province]),
    },
    ...childWrites(documents),
    {
      sql: `UPDATE properties
               SET ${PROPERTY_COLUMNS.map(([name]) => `${name} = d.${name}`).join(', ')},
                   type_id = ${TYPE_ID}, unit_id = iif(d.unit IS NULL, NULL, coalesce(${UNIT_ID}, -1)), status = d.status
              FROM ${rowsOf(LISTED_COLUMNS)}
             WHERE properties.id = ${PROPERTY_ID}`,
      rows: documents.map((p) => [
        p.id,
        p.type,
        p.unit?.development ?? null,
        p.unit?.name ?? null,
        p.status,
        ...PROPERTY_COLUMNS.map(([, , value]) => value(p)),
      ]),
    },
    ...(['sale_updated_at', 'rental_updated_at'] as const).map((column) => ({
      sql: `UPDATE properties SET ${column} = d.${column}
              FROM ${rowsOf([
                ['identifier', 'plain'],
                [column, 'plain'],
              ])}
             WHERE properties.id = ${PROPERTY_ID}`,
      rows: documents.flatMap((p) => {
        const time = p[column];
        return time === null ? [] : [[p.id, seconds(time)]];
      }),
    })),
  ];
}

const NEW_COLUMNS: readonly Column[] = [
  ['position', 'plain'],
  ['identifier', 'plain'],
  ['reference', 'plain'],
  ['type', 'plain'],
  ['listed_at', 'plain'],
  ['town', 'plain'],
  ['province', 'plain'],
];

const LISTED_COLUMNS: readonly Column[] = [
  ['identifier', 'plain'],
  ['type', 'plain'],
  ['development', 'plain'],
  ['unit', 'plain'],
  ['status', 'plain'],
  ...PROPERTY_COLUMNS.map(([name, kind]): Column => [name, kind]),
];

function childWrites(documents: Of<'property'>): Write[] {
  return [
    childWrite(
      'sale_offers',
      [
        ['price', 'real'],
        ['minimum_price', 'real'],
      ],
      documents.flatMap(({ id, offers: { sale } }) =>
        sale === null ? [] : [[id, real(sale.price), real(sale.minimum_price)]],
      ),
    ),
    childWrite(
      'long_term_offers',
      [['rent', 'real']],
      documents.flatMap(({ id, offers: { long_term } }) => (long_term === null ? [] : [[id, real(long_term.rent)]])),
    ),
    childWrite(
      'short_term_offers',
      [
        ['low', 'real'],
        ['high', 'real'],
        ['license', 'plain'],
      ],
      documents.flatMap(({ id, offers: { short_term } }) =>
        short_term === null ? [] : [[id, real(short_term.low), real(short_term.high), short_term.license]],
      ),
    ),
    childWrite(
      'property_texts',
      [
        ['language', 'plain'],
        ['description', 'plain'],
        ['url', 'plain'],
      ],
      documents.flatMap(({ id, texts }) =>
        LANGUAGES.flatMap(({ code, element }) => {
          const text = texts[element];
          return text === undefined ? [] : [[id, code, text.description, text.url]];
        }),
      ),
    ),
    listWrite('pictures', 'url', 'item.value', documents, (p) => p.pictures),
    listWrite(
      'property_features',
      'feature_id',
      '(SELECT id FROM features WHERE account_id = ?1 AND code = item.value)',
      documents,
      (p) => p.features,
    ),
  ];
}

/** Items of a list in one row: few enough that a row is a parameter, however long they are. */
const ITEMS = 500;

/** A property's list in a table of its own: it travels as a list, which is half the bytes of a row for each item. */
function listWrite(
  table: string,
  column: string,
  value: string,
  documents: Of<'property'>,
  itemsOf: (property: PropertyDocument) => readonly string[],
): Write {
  const rows = documents.flatMap((property) => {
    const items = itemsOf(property);
    const starts = Array.from({ length: Math.ceil(items.length / ITEMS) }, (_, index) => index * ITEMS);
    return starts.map((start): Row => [property.id, start + 1, items.slice(start, start + ITEMS)]);
  });
  return {
    sql: `INSERT INTO ${table} (property_id, position, ${column})
          SELECT p.id, (d.value ->> 1) + item.key, ${value}
            FROM json_each(?2) d
            CROSS JOIN properties p ON p.account_id = ?1 AND p.identifier = d.value ->> 0
            CROSS JOIN json_each(d.value, '$[2]') item`,
    rows,
  };
}

function childWrite(table: string, columns: readonly Column[], rows: readonly Row[]): Write {
  const names = columns.map(([name]) => name);
  return {
    sql: `INSERT INTO ${table} (property_id, ${names.join(', ')})
          SELECT ${PROPERTY_ID}, ${names.map((name) => `d.${name}`).join(', ')}
            FROM ${rowsOf([['identifier', 'plain'], ...columns])}`,
    rows,
  };
}

function seconds(time: string): number {
  return Date.parse(time) / 1000;
}
