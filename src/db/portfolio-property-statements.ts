import { LANGUAGES } from '../lib/languages.ts';
import type { PropertyDocument } from '../portfolio/documents.ts';
import { type Column, type Row, real, rowsOf, type Value, type Write } from './portfolio-rows.ts';

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

/** A property to be written. */
export interface PropertyToWrite {
  readonly property: PropertyDocument;
  /** Whether it is known to be stored. */
  readonly stored: boolean;
  /** Whether it amends what is stored, as `isAmendment` tells. */
  readonly amends: boolean;
}

/**
 * Properties are withdrawn, rewritten and listed again, which moves the revisions once for all that changed; amendments are
 * written over what is stored. A unit is given back first, so that two properties can exchange theirs, and by one that was
 * withdrawn before.
 */
export function propertyWrites(properties: readonly PropertyToWrite[]): Write[] {
  const documents = properties.map(({ property }) => property);
  const amended = properties.filter(({ amends }) => amends).map(({ property }) => property);
  const rewritten = properties.filter(({ amends }) => !amends).map(({ property }) => property);
  const identifiers = rewritten.map(({ id }) => id);
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
    {
      sql: `UPDATE properties SET unit_id = NULL
             WHERE status = 'Withdrawn' AND unit_id IN (SELECT ${UNIT_ID} FROM ${rowsOf(UNIT_COLUMNS)})`,
      rows: rewritten.flatMap(({ unit }) => (unit === null ? [] : [[unit.development, unit.name]])),
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
      rows: rewritten.map((p, position) => [position, p.id, p.ref, p.type, seconds(p.listed_at), p.town, p.province]),
    },
    ...withoutOffersAndTexts(amended),
    ...offerAndTextWrites(documents),
    ...listWrites(rewritten),
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
    {
      // Feeds may have shown later times by now than were stored when the documents were compared with what is.
      sql: `UPDATE properties
               SET sale_updated_at = iif(d.sale > d.shown OR d.anew AND d.sale IS NOT NULL, d.sale, sale_updated_at),
                   rental_updated_at = iif(d.rental > d.shown OR d.anew AND d.rental IS NOT NULL, d.rental, rental_updated_at)
              FROM (SELECT p.id, d.*, max(p.sale_updated_at, p.rental_updated_at) AS shown
                      FROM ${rowsOf(TIME_COLUMNS)}
                      JOIN properties p ON p.account_id = ?1 AND p.identifier = d.identifier) AS d
             WHERE properties.id = d.id`,
      rows: properties.flatMap(({ property, stored }) => {
        const [sale, rental] = [property.sale_updated_at, property.rental_updated_at];
        return sale === null && rental === null
          ? []
          : [[property.id, sale && seconds(sale), rental && seconds(rental), !stored]];
      }),
    },
  ];
}

const TIME_COLUMNS: readonly Column[] = [
  ['identifier', 'plain'],
  ['sale', 'plain'],
  ['rental', 'plain'],
  ['anew', 'plain'],
];

const UNIT_COLUMNS: readonly Column[] = [
  ['development', 'plain'],
  ['unit', 'plain'],
];

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

/** Takes away what amended properties have no more. */
function withoutOffersAndTexts(amended: readonly PropertyDocument[]): Write[] {
  const offers = { sale_offers: 'sale', long_term_offers: 'long_term', short_term_offers: 'short_term' } as const;
  return [
    ...Object.entries(offers).map(([table, offer]) => ({
      sql: `DELETE FROM ${table} WHERE property_id IN (
              SELECT id FROM properties WHERE account_id = ?1 AND identifier IN ${IDENTIFIERS})`,
      rows: amended.filter((p) => p.offers[offer] === null).map(({ id }) => id),
    })),
    {
      sql: `DELETE FROM property_texts WHERE (property_id, language) IN (
              SELECT ${PROPERTY_ID}, d.language FROM ${rowsOf([
                ['identifier', 'plain'],
                ['language', 'plain'],
              ])})`,
      rows: amended.flatMap(({ id, texts }) =>
        LANGUAGES.flatMap(({ code, element }) => (texts[element] === undefined ? [[id, code]] : [])),
      ),
    },
  ];
}

function offerAndTextWrites(documents: readonly PropertyDocument[]): Write[] {
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
      ['language'],
    ),
  ];
}

function listWrites(documents: readonly PropertyDocument[]): Write[] {
  return [
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
  documents: readonly PropertyDocument[],
  itemsOf: (property: PropertyDocument) => readonly string[],
): Write {
  const rows = documents.flatMap((property) => {
    const items = itemsOf(property);
    const starts = Array.from({ length: Math.ceil(items.length / ITEMS) }, (_, index) => index * ITEMS);
    return starts.map((start): Row => [property.id, start + 1, items.slice(start, start + ITEMS)]);
  });
  return {
    sql: `INSERT INTO ${table} (property_id, position, ${column})
          SELECT p.id, d.start + item.key, ${value}
            FROM ${rowsOf([
              ['identifier', 'plain'],
              ['start', 'plain'],
              ['items', 'plain'],
            ])}
            CROSS JOIN properties p ON p.account_id = ?1 AND p.identifier = d.identifier
            CROSS JOIN json_each(d.items) item`,
    rows,
  };
}

/** @param keys the columns that tell a property's rows apart, where it may have several */
function childWrite(
  table: string,
  columns: readonly Column[],
  rows: readonly Row[],
  keys: readonly string[] = [],
): Write {
  const names = columns.map(([name]) => name);
  const values = names.filter((name) => !keys.includes(name)).map((name) => `${name} = excluded.${name}`);
  return {
    sql: `INSERT INTO ${table} (property_id, ${names.join(', ')})
          SELECT ${PROPERTY_ID}, ${names.map((name) => `d.${name}`).join(', ')}
            FROM ${rowsOf([['identifier', 'plain'], ...columns])}
           WHERE true ON CONFLICT (${['property_id', ...keys].join(', ')}) DO UPDATE SET ${values.join(', ')}`,
    rows,
  };
}

function seconds(time: string): number {
  return Date.parse(time) / 1000;
}
