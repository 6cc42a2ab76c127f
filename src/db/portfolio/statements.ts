import { STORED_LANGUAGES, type StoredLanguage } from '../../lib/languages.ts';
import {
  type CategoryDocument,
  type DevelopmentDocument,
  documentKey,
  type FeatureDocument,
  type PortfolioDocument,
  type TypeDocument,
  type UnitDocument,
} from '../../portfolio/documents.ts';
import { type Column, parameters, type Row, real, rowsOf, type Write } from '../json-rows.ts';
import { propertyWrites } from './property-statements.ts';
import type { Stored } from './read.ts';

type Of<Kind extends PortfolioDocument['kind']> = readonly Extract<PortfolioDocument, { kind: Kind }>[];

/** What is known of an account's stored documents. */
interface KnownState {
  /** The documents known to be stored under their keys. */
  readonly stored?: Stored;
  /** The ids of features that are known to be stored, by their codes. */
  readonly featureIds?: ReadonlyMap<string, number>;
  /** The sequence number of a new property; by default the account's next one. */
  readonly sequenceNumberOf?: ((id: string) => number | undefined) | undefined;
}

/**
 * The statements that store documents, to be run in their order in one batch: each document is written whether it differs
 * or not. New properties get the account's next sequence numbers in the order of the documents. Parameter 1 of every
 * statement is the account, parameter 2 a JSON array of rows. They are plain SQL: drizzle's `sql` has no numbered
 * parameters and would bind a value again wherever it occurs.
 */
export function portfolioStatements(
  db: D1Database,
  accountId: number,
  documents: readonly PortfolioDocument[],
  { stored = new Map(), featureIds = new Map(), sequenceNumberOf }: KnownState = {},
): D1PreparedStatement[] {
  const of = <Kind extends PortfolioDocument['kind']>(kind: Kind) =>
    documents.filter((document) => document.kind === kind) as unknown as Of<Kind>;
  const properties = of('property').map((property) => {
    const before = stored.get(documentKey(property));
    return { property, stored: before?.kind === 'property' ? before : undefined };
  });
  return [
    ...typeWrites(of('type')),
    ...categoryWrites(of('category')),
    ...featureWrites(of('feature')),
    ...developmentWrites(of('development')),
    ...unitWrites(of('unit')),
    ...propertyWrites(properties, featureIds, sequenceNumberOf),
  ].flatMap(({ sql, rows, common = [] }) =>
    parameters(rows, common).map((json) => db.prepare(sql).bind(accountId, json, ...common)),
  );
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
      ['older_type', 'older_subtype', 'type', 'subtype'],
      documents.map(({ code, labels }: TypeDocument) => ({
        code,
        values: (element) => {
          const label = labels[element];
          return label && [label.older_type, label.older_subtype, label.type, label.subtype];
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
  /** The columns of the label in a language, if there is one. */
  values(element: StoredLanguage): readonly (string | null)[] | undefined;
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

/** Labels are written one by one: the triggers advance only the properties that show a label that differs. */
function labelWrites(
  names: { readonly labels: string; readonly owner: string; readonly owners: string },
  columns: readonly string[],
  documents: readonly Labelled[],
): Write[] {
  const given: Row[] = [];
  const languages: Row[] = [];
  for (const { code, values } of documents) {
    const own: number[] = [];
    for (const language of STORED_LANGUAGES) {
      const label = values(language.element);
      if (label === undefined) continue;
      own.push(language.code);
      given.push([code, language.code, ...label]);
    }
    languages.push([code, own]);
  }
  const table = rowsOf(['code', 'language', ...columns].map((name): Column => [name, 'plain']));
  return [
    {
      sql: `DELETE FROM ${names.labels} WHERE (${names.owner}, language) IN (
              SELECT o.id, l.language
                FROM ${rowsOf([
                  ['code', 'plain'],
                  ['languages', 'plain'],
                ])}
                CROSS JOIN ${names.owners} o ON o.account_id = ?1 AND o.code = d.code
                CROSS JOIN ${names.labels} l ON l.${names.owner} = o.id
               WHERE l.language NOT IN (SELECT value FROM json_each(d.languages)))`,
      rows: languages,
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
